#include "sim/friction_step.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "robots/plant/plant_error.h"
#include "sim/truth/friction_element.h"
#include "sim/truth/true_dynamics.h"

namespace idbench {
namespace {

constexpr int kInstants = 256;  // at which the check looks at a motion

/// What limits the step of an element of friction.
struct SteppedFriction {
  double slope = 0.0;          ///< The steepest of its own, 0 if it is integrated implicitly.
  double bristle_slope = 0.0;  ///< Of LuGre friction.
  double stiffness = 0.0;      ///< s, of LuGre friction and presliding.
  double mobility = 0.0;       ///< m, the greatest cᵀM⁻¹c [1/(kg·m²)].

  /// Returns the largest h with h·d·m + h²·s·m ≤ 1, d the sum of slopes.
  double LargestStep() const {
    const double d = (slope + bristle_slope) * mobility;
    return 2.0 / (d + std::sqrt(d * d + 4.0 * stiffness * mobility));
  }
};

/// Returns the greatest |ℓ| of each joint on the motion, see TrueFriction; 0 if no friction grows
/// with it.
Eigen::VectorXd GreatestLoads(const TrueRobot& robot, const Motion& motion) {
  const int n = robot.dofs();
  Eigen::VectorXd greatest = Eigen::VectorXd::Zero(n);
  if (!robot.friction().GrowsWithLoad()) return greatest;
  TrueDynamics dynamics(robot);
  JointState desired = JointState::Zero(n);
  Eigen::VectorXd tau(n);
  for (int i = 0; i < kInstants; ++i) {
    motion.Evaluate(motion.duration_s() * i / kInstants, desired);
    dynamics.Torque(desired.q, desired.qd, desired.qdd, tau);
    greatest = greatest.cwiseMax(dynamics.load().cwiseAbs());
  }
  return greatest;
}

/// Returns those of the elements, which have the greatest friction of all times, mobilities
/// aside. A joint's bristles belong to its own element.
/// @param load  ℓ of the joints, n.
std::vector<SteppedFriction> SteppedFrictionOf(const TrueRobot& robot,
                                               const std::vector<FrictionElement>& elements,
                                               const Eigen::VectorXd& load) {
  const MujocoPlantOptions& options = robot.options();
  const bool implicit = options.friction_integration == FrictionIntegration::kImplicit;
  const std::optional<LugreOptions>& lugre = robot.mismatch().lugre;
  const double distance = robot.mismatch().presliding_rad;
  const double factor = robot.GreatestFrictionFactor();
  std::vector<SteppedFriction> stepped(elements.size());
  for (std::size_t k = 0; k < elements.size(); ++k) {
    const double of_load = elements[k].Level(0.0, load) - elements[k].Level(0.0);
    const double level = elements[k].coulomb + std::max(elements[k].stribeck_excess, 0.0) + of_load;
    const FrictionElement of_speed = distance > 0.0 ? elements[k].Viscous() : elements[k];
    if (!implicit || !of_speed.Dissipates()) {
      stepped[k].slope = of_speed.SteepestSlope(options.coulomb_width_rad_s);
      if (of_speed.load_coefficient != 0.0) {
        // ℓ changes with friction: τ_f = (L + k·|ℓ|)·s with ℓ = rest − τ_f is at most 1/(1 − k)
        // times as steep as with a constant ℓ.
        stepped[k].slope += of_load / options.coulomb_width_rad_s;
        stepped[k].slope /= 1.0 - of_speed.load_coefficient;
      }
    }
    if (distance > 0.0) stepped[k].stiffness = 2.0 * std::max(level, 0.0) / distance;
    if (!lugre || std::cmp_greater_equal(k, robot.dofs()) || !lugre->Acts(k)) continue;
    stepped[k].bristle_slope = 2.0 * factor * lugre->damping_nms_rad[k];
    stepped[k].stiffness += factor * lugre->stiffness_nm_rad[k];
  }
  return stepped;
}

/// Writes the greatest cᵀM⁻¹c of each element on the motion.
/// @throws PlantError if M is not positive definite there.
void FindMobilities(const TrueRobot& robot, const Motion& motion,
                    const std::vector<FrictionElement>& elements,
                    std::vector<SteppedFriction>& stepped) {
  const int n = robot.dofs();
  TrueDynamics dynamics(robot);
  JointState desired = JointState::Zero(n);
  Eigen::MatrixXd M(n, n);
  Eigen::VectorXd c(n);
  for (int i = 0; i < kInstants; ++i) {
    motion.Evaluate(motion.duration_s() * i / kInstants, desired);
    dynamics.MassMatrix(desired.q, M);
    const Eigen::LLT<Eigen::MatrixXd> cholesky(M);
    if (cholesky.info() != Eigen::Success) {
      throw PlantError("the true robot's mass matrix is not positive definite on the motion");
    }
    const Eigen::MatrixXd M_inverse = cholesky.solve(Eigen::MatrixXd::Identity(n, n));
    for (std::size_t k = 0; k < elements.size(); ++k) {
      c.setZero();
      for (const Term::Share& share : elements[k].shares) c[share.joint] = share.factor;
      stepped[k].mobility = std::max(stepped[k].mobility, c.dot(M_inverse * c));
    }
  }
}

/// What else than a smaller step cures an element that would chatter.
std::string CuresOf(const TrueRobot& robot, const FrictionElement& element,
                    SteppedFriction stepped) {
  const MujocoPlantOptions& options = robot.options();
  stepped.slope = 0.0;
  const bool by_bristles = options.timestep_s > stepped.LargestStep();
  std::vector<std::string> cures;
  if (!by_bristles && element.Dissipates()) {
    cures.push_back(fmt::format("set /plant/friction_integration to \"{}\"",
                                ToString(FrictionIntegration::kImplicit)));
  }
  cures.emplace_back(element.shares.size() == 1 ? "give the joint its rotor inertia"
                                                : "give the joints rotor inertias");
  const double distance = robot.mismatch().presliding_rad;
  if (distance > 0.0) {
    if (by_bristles) cures.push_back(fmt::format("take a larger presliding_rad than {}", distance));
  } else if (!by_bristles) {
    cures.push_back(
        fmt::format("take a larger coulomb_width_rad_s than {}", options.coulomb_width_rad_s));
  }
  const bool driven = options.friction_integration == FrictionIntegration::kImplicit &&
                      !by_bristles && !element.Dissipates();
  return fmt::format("{}{}", fmt::join(cures, ", or "),
                     driven ? "; it is not integrated implicitly, because one of its coefficients "
                              "is negative"
                            : "");
}

}  // namespace

void CheckFrictionStep(const TrueRobot& robot, const Motion& motion) {
  std::vector<FrictionElement> elements = FrictionElementsOf(robot);
  for (FrictionElement& element : elements) element = element.Times(robot.GreatestFrictionFactor());
  const std::size_t frictions = elements.size();
  for (const CableSpring& cable : robot.cables()) {
    elements.push_back({.name = robot.joint_names()[static_cast<std::size_t>(cable.joint)],
                        .shares = {{.joint = cable.joint}}});
  }
  std::vector<SteppedFriction> stepped =
      SteppedFrictionOf(robot, elements, GreatestLoads(robot, motion));
  for (std::size_t k = frictions; k < elements.size(); ++k) {
    stepped[k].stiffness = robot.cables()[k - frictions].stiffness;
  }
  FindMobilities(robot, motion, elements, stepped);
  const auto worst = std::ranges::min_element(stepped, {}, &SteppedFriction::LargestStep);
  if (worst == stepped.end() || robot.options().timestep_s <= worst->LargestStep()) return;
  const auto at = static_cast<std::size_t>(worst - stepped.begin());
  const FrictionElement& element = elements[at];
  if (at >= frictions) {
    throw PlantError(fmt::format(
        "the cable at joint '{}' is too stiff: timestep_s is {} s, at most {:.3g} s does; or take "
        "a smaller stiffness_nm_rad, or give the joint its rotor inertia",
        element.name, robot.options().timestep_s, worst->LargestStep()));
  }
  throw PlantError(fmt::format(
      "friction {} would chatter: timestep_s is {} s, at most {:.3g} s does; or {}", element.name,
      robot.options().timestep_s, worst->LargestStep(), CuresOf(robot, element, *worst)));
}

}  // namespace idbench
