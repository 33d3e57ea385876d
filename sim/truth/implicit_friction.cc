#include "sim/truth/implicit_friction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "robots/plant/plant_error.h"
#include "sim/sensors/per_joint.h"

namespace idbench {
namespace {

constexpr double kRounding = 1e-13;  // of a sum, relative to the magnitudes of its parts
/// A sum below this has parts that are subnormal, and so without relative precision: at rest.
constexpr double kLeastSum =
    std::numeric_limits<double>::min() / std::numeric_limits<double>::epsilon();
constexpr double kFlat = 0.1;  // slope that ends a line search, relative to that at its start
constexpr int kMostIterations = 200;  // 1 to 5 are usual, 20 with a width of 1e-8 rad/s
constexpr int kMostHalvings = 60;     // down to the rounding of the direction

}  // namespace

std::optional<std::string> WhyNotImplicit(const MujocoPlantOptions& options,
                                          const MismatchOptions& mismatch) {
  if (options.friction_integration != FrictionIntegration::kImplicit) return {};
  if (!HasSemiImplicitStep(options)) {
    return fmt::format(
        "implicit friction needs a semi-implicit step: integrator \"implicitfast\", \"Euler\" or "
        "\"discrete\", not \"{}\"",
        options.integrator);
  }
  if (!(options.coulomb_width_rad_s > 0.0)) {
    return "implicit friction needs a coulomb_width_rad_s above 0, because friction at rest is no "
           "function of the velocity without one; any does, however small";
  }
  if (AnyNonZero(mismatch.frictionloss_nm)) {
    return "MuJoCo's frictionloss, a constraint, cannot be combined with implicit friction: "
           "declare the joint's coulomb_nm instead";
  }
  return {};
}

ImplicitFriction::ImplicitFriction(const TrueRobot& robot)
    : h_(robot.options().timestep_s),
      width_(robot.options().coulomb_width_rad_s),
      b_(Eigen::VectorXd::Zero(robot.dofs())),
      gradient_(b_),
      magnitude_(b_),
      direction_(b_),
      hessian_(Eigen::MatrixXd::Zero(robot.dofs(), robot.dofs())),
      cholesky_(robot.dofs()) {
  for (FrictionElement& element : FrictionElementsOf(robot)) {
    if (robot.mismatch().presliding_rad > 0.0) element = element.Viscous();
    if (element.Dissipates() && !element.IsZero()) elements_.push_back({std::move(element)});
  }
}

bool ImplicitFriction::Linearise(const Eigen::MatrixXd& M, const Eigen::VectorXd& delta) {
  gradient_ = -b_;
  gradient_.noalias() += M * delta;  // delta is no part of gradient_
  magnitude_ = b_.cwiseAbs();
  for (Eigen::Index j = 0; j < delta.size(); ++j) {
    magnitude_ += M.col(j).cwiseAbs() * std::abs(delta[j]);
  }
  hessian_ = M;
  for (ElementInStep& in_step : elements_) {
    const double change = in_step.element.Speed(delta);
    in_step.reached = in_step.speed + change;
    const FrictionElement::Tangent at = in_step.element.At(in_step.reached, in_step.level, width_);
    const double torque = end_factor_ * at.torque, slope = end_factor_ * at.slope;
    in_step.torque = torque;
    if (torque == 0.0 && slope == 0.0) continue;  // it acts on the other side
    // A steep ψ shows the rounding of u.
    const double magnitude =
        std::abs(torque) + slope * (std::abs(in_step.speed) + std::abs(change));
    for (const Term::Share& row : in_step.element.shares) {
      gradient_[row.joint] += h_ * row.factor * torque;
      magnitude_[row.joint] += h_ * std::abs(row.factor) * magnitude;
      for (const Term::Share& column : in_step.element.shares) {
        hessian_(row.joint, column.joint) += h_ * row.factor * slope * column.factor;
      }
    }
  }
  return !((gradient_.cwiseAbs() - kRounding * magnitude_).maxCoeff() > kLeastSum);
}

double ImplicitFriction::Length(const Eigen::MatrixXd& M) {
  double curvature = 0.0;
  for (Eigen::Index i = 0; i < direction_.size(); ++i) {
    curvature += direction_[i] * M.col(i).dot(direction_);
  }
  for (ElementInStep& in_step : elements_) {
    in_step.direction = in_step.element.Speed(direction_);
  }
  // pᵀ∇E(Δ + l·p) = pᵀ∇E(Δ) + l·pᵀMp + h·Σ (ψ(u + l·cᵀp) − ψ(u))·cᵀp, which grows with l
  const double slope_at_0 = gradient_.dot(direction_);
  const auto slope_at = [&](double length) {
    double slope = slope_at_0 + length * curvature;
    for (const ElementInStep& in_step : elements_) {
      const double u = in_step.reached + length * in_step.direction;
      slope += h_ * in_step.direction *
               (end_factor_ * in_step.element.Torque(u, in_step.level, width_) - in_step.torque);
    }
    return slope;
  };
  const double flat = kFlat * std::abs(slope_at_0);
  double slope = slope_at(1.0);
  if (slope <= flat) return 1.0;
  double lower = 0.0, upper = 1.0, length = 1.0;
  for (int halving = 0; std::abs(slope) > flat && halving < kMostHalvings; ++halving) {
    length = 0.5 * (lower + upper);
    slope = slope_at(length);
    (slope < 0.0 ? lower : upper) = length;
  }
  return length;
}

void ImplicitFriction::Step(const Eigen::MatrixXd& M, const Eigen::VectorXd& qd,
                            const Eigen::VectorXd& qdd, const Eigen::VectorXd& load,
                            const Factors& factors, Eigen::VectorXd& delta) {
  end_factor_ = factors.end;
  b_.noalias() = h_ * (M * qdd);  // neither is a part of b_
  for (ElementInStep& in_step : elements_) {
    in_step.speed = in_step.element.Speed(qd);
    in_step.level = in_step.element.Level(in_step.speed, load);
    const double torque =
        h_ * factors.begin * in_step.element.Torque(in_step.speed, in_step.level, width_);
    for (const Term::Share& share : in_step.element.shares) {
      b_[share.joint] += share.factor * torque;
    }
  }
  delta.setZero();
  int iteration = 0;
  for (; !Linearise(M, delta) && iteration < kMostIterations; ++iteration) {
    cholesky_.compute(hessian_);
    if (cholesky_.info() != Eigen::Success) return;  // nor is M positive definite
    direction_ = -gradient_;
    cholesky_.solveInPlace(direction_);
    delta += Length(M) * direction_;
  }
  if (iteration == kMostIterations) {
    throw PlantError(fmt::format(
        "the friction of a step's end was not found in {} iterations: take a shorter timestep_s, a "
        "greater coulomb_width_rad_s or explicit friction_integration",
        kMostIterations));
  }
}

}  // namespace idbench
