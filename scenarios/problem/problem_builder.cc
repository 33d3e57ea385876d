#include "scenarios/problem/problem_builder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <map>

#include "robots/dynamics/parameters/joint_state_parametrisation.h"
#include "robots/dynamics/parameters/payload_parametrisation.h"
#include "robots/physical_inertia.h"
#include "scenarios/problem/drawn_set.h"
#include "scenarios/problem/parameter_bounds.h"
#include "scenarios/problem/parameter_kind.h"

namespace idbench {
namespace {

/// A value below this part of the largest of its kind is 0 but for rounding.
constexpr double kRounding = 1e-12;

/// What the unknowns hold of joints beside links, in the order in which they stand.
std::vector<JointParameter> JointParametersOf(const ParametrisationOptions& options) {
  std::vector<JointParameter> parameters;
  const auto add = [&](const char* name, JointParameter which) {
    if (std::ranges::find(options.friction, name) != options.friction.end()) {
      parameters.push_back(which);
    }
  };
  add("viscous", JointParameter::kViscous);
  add("coulomb", JointParameter::kCoulomb);
  add("offset", JointParameter::kOffset);
  if (options.rotor_inertia) parameters.push_back(JointParameter::kRotorInertia);
  return parameters;
}

/// With its bounds; the prior's mean, which is set by them, is up to MakePrior().
/// @param known  π of the robot.
Parametrisation MakePayload(const RobotModel& model, const PayloadUnknownsOptions& options,
                            const Eigen::VectorXd& known) {
  const auto& links = model.links();
  const auto link =
      options.link.empty() ? links.end() - 1 : std::ranges::find(links, options.link, &Link::name);
  Parametrisation parameters =
      PayloadParametrisation(model, static_cast<int>(link - links.begin()),
                             Eigen::Map<const Eigen::Vector3d>(options.com_m.data()), known);
  const auto& mass = options.mass_bounds_kg;
  const auto& moment = options.moment_bounds_kgm2;
  parameters.lower << mass[0], moment[0], moment[0], moment[0];
  parameters.upper << mass[1], moment[1], moment[1], moment[1];
  return parameters;
}

/// @param known  the set that centres of mass and principal axes are taken from.
Parametrisation MakeParametrisation(const Robot& robot, const ProblemOptions& options,
                                    const FrictionShape& friction, const Eigen::VectorXd& known) {
  const std::vector<int> asked = AskedParameters(robot, options);
  const std::string& type = options.parametrisation.type;
  if (type == "standard") return StandardParametrisation(robot.model, asked);
  if (type == "masses_and_moments") return MassesAndMoments(robot.model, asked, known);
  if (type == "masses_moments_first_moments") {
    return MassesMomentsAndFirstMoments(robot.model, asked, known);
  }
  if (type == "log_cholesky") return LogCholesky(robot.model, asked, known);
  if (type == "planar_lagrangian") {
    return PlanarLagrangianParametrisation(
        robot.model, {robot.model, known, JointParametersOf(options.parametrisation), friction});
  }
  if (type == "joint_state") return JointStateParametrisation(robot.model, known);
  if (type == "payload") return MakePayload(robot.model, *options.parametrisation.payload, known);
  return BaseParametrisation(
      robot.model, FindBaseParameters(robot.model, EquationsOf(options), asked, friction));
}

/// σ² in the unknowns of log-Cholesky bodies where the entropic distance of their pseudo-inertia
/// from P₀ is taken to be Gaussian: D(P ‖ P₀) ≈ ½·‖L⁻¹(P − P₀)L⁻ᵀ‖², P₀ = L·Lᵀ, so cov x = σ²·H⁻¹
/// with H_kl = tr(X_k·X_l), X_k = L⁻¹·∂P/∂x_k·L⁻ᵀ. A mass's relative standard deviation is σ.
void SpreadLogCholesky(const Robot& robot, const Eigen::VectorXd& pi, double sigma,
                       const Parametrisation& parameters, Eigen::MatrixXd& covariance) {
  const Eigen::MatrixXd J = parameters.Jacobian(parameters.FromPi(pi));
  const ParameterLayout layout(robot.model.dofs());
  for (int body = -1; body < robot.model.dofs(); ++body) {
    const std::string name = robot.model.BodyName(body);
    const auto found = std::ranges::find(parameters.names, name + ".alpha");
    if (found == parameters.names.end()) continue;
    const auto first = found - parameters.names.begin();
    const Eigen::LLT<Eigen::Matrix4d> L(
        PseudoInertia(pi.segment<kInertialCount>(layout.Body(body))));
    Eigen::Matrix<double, 16, kInertialCount> X;
    for (int k = 0; k < kInertialCount; ++k) {
      const Eigen::Matrix4d dP =
          PseudoInertia(J.block<kInertialCount, 1>(layout.Body(body), first + k));
      const Eigen::Matrix4d half = L.matrixL().solve(dP);
      Eigen::Map<Eigen::Matrix4d>(X.col(k).data()) = L.matrixL().solve(half.transpose());
    }
    const Eigen::Matrix<double, kInertialCount, kInertialCount> H = X.transpose() * X;
    covariance.block<kInertialCount, kInertialCount>(first, first) =
        sigma * sigma * H.llt().solve(H.Identity());
  }
}

/// Factors of the prior's mean, one per unknown.
Eigen::VectorXd UnknownScale(const PriorOptions& options, int size) {
  const std::vector<double>& scale = options.unknown_scale;
  if (scale.empty()) return Eigen::VectorXd::Ones(size);
  return Eigen::Map<const Eigen::VectorXd>(scale.data(), size);
}

/// @throws ConfigError for another number of factors than of unknowns.
void CheckUnknownScale(const PriorOptions& options, const Parametrisation& parameters,
                       const std::string& source) {
  const std::vector<double>& scale = options.unknown_scale;
  if (scale.empty() || scale.size() == parameters.names.size()) return;
  throw ConfigError(
      source, "/problem/prior/unknown_scale",
      fmt::format("got a list of {} for {} unknowns", scale.size(), parameters.names.size()),
      {fmt::format("the unknowns are: {}", fmt::join(parameters.names, ", "))});
}

/// @param mean  of the prior.
Parametrisation::Prior MakePrior(const Robot& robot, const ProblemOptions& options,
                                 const Eigen::VectorXd& pi, const Eigen::VectorXd& mean,
                                 const Parametrisation& parameters) {
  Parametrisation::Prior prior{mean, std::nullopt};
  if (const auto& payload = options.parametrisation.payload) {
    prior.mean =
        parameters.lower + payload->prior_range_fraction * (parameters.upper - parameters.lower);
  }
  if (options.prior->std_of_bounds) {
    const Eigen::VectorXd sigma =
        SigmaWithinBounds(parameters, prior.mean, *options.prior->std_of_bounds);
    prior.covariance = Eigen::MatrixXd(sigma.array().square().matrix().asDiagonal());
    return prior;
  }
  if (!options.prior->relative_std) return prior;
  if (parameters.type() == "base") {
    // What is known of each standard parameter, carried over: B·diag(σ²)·Bᵀ, and scaled.
    const Eigen::VectorXd sigma =
        *options.prior->relative_std * Magnitudes(pi, ParameterNames(robot.model));
    Eigen::MatrixXd B(parameters.size(), pi.size());
    for (Eigen::Index k = 0; k < pi.size(); ++k) {
      B.col(k) = parameters.FromPi(Eigen::VectorXd::Unit(pi.size(), k));
    }
    B.array().colwise() *= UnknownScale(*options.prior, parameters.size()).array();
    prior.covariance = B * sigma.array().square().matrix().asDiagonal() * B.transpose();
  } else {
    const Eigen::VectorXd sigma =
        *options.prior->relative_std * Magnitudes(prior.mean, parameters.names);
    prior.covariance = Eigen::MatrixXd(sigma.array().square().matrix().asDiagonal());
    if (parameters.type() == "log_cholesky") {
      SpreadLogCholesky(robot, pi, *options.prior->relative_std, parameters, *prior.covariance);
    }
  }
  return prior;
}

/// The bodies of `pi` with the centres of mass of `centres`.
Eigen::VectorXd WithCentres(Eigen::VectorXd pi, const Eigen::VectorXd& centres,
                            const RobotModel& model) {
  const ParameterLayout layout(model.dofs());
  for (int body = -1; body < model.dofs(); ++body) {
    auto parameters = pi.segment<kInertialCount>(layout.Body(body));
    if (parameters[0] == 0.0) continue;
    CentralInertia inertia = FromStandard(parameters);
    inertia.com = FromStandard(centres.segment<kInertialCount>(layout.Body(body))).com;
    parameters = ToStandard(inertia);
  }
  return pi;
}

void SetPrior(const Robot& robot, const ProblemOptions& options, const Eigen::VectorXd& pi,
              Parametrisation& parameters) {
  const Eigen::VectorXd mean =
      UnknownScale(*options.prior, parameters.size()).cwiseProduct(parameters.FromPi(pi));
  SetBounds(robot.model, options.parametrisation, pi, mean, parameters);
  parameters.prior = MakePrior(robot, options, pi, mean, parameters);
}

}  // namespace

std::vector<int> AskedParameters(const Robot& robot, const ProblemOptions& options) {
  return ConsideredParameters(robot.model, EquationsOf(options),
                              JointParametersOf(options.parametrisation));
}

Problem BuildProblem(const Robot& robot, const ProblemOptions& options, const std::string& source) {
  const FrictionShape friction{options.parametrisation.coulomb_width_rad_s.value_or(0.0)};
  Eigen::VectorXd prior;
  if (options.prior) prior = ScaledSet(robot, *options.prior);
  try {
    Problem problem{robot.model,
                    friction,
                    MakeParametrisation(robot, options, friction, prior),
                    {},
                    options.alignment};
    for (const Equation equation : EquationsOf(options)) problem.rows.push_back({equation, {}});
    if (options.prior) {
      CheckUnknownScale(*options.prior, problem.parameters, source);
      SetPrior(robot, options, prior, problem.parameters);
    }
    return problem;
  } catch (const std::domain_error& error) {
    throw ConfigError(source, "/problem/parametrisation", error.what(),
                      {"the parametrisation \"standard\" needs no rank"});
  } catch (const std::invalid_argument& error) {
    throw ConfigError(source, "/problem/parametrisation", error.what());
  }
}

Problem WithPrior(const Problem& problem, const Robot& robot, const ProblemOptions& options,
                  const Eigen::VectorXd& prior_pi) {
  Problem drawn = problem;
  if (options.prior->com_error && !problem.parameters.representative) {  // base ones know no centre
    // The axes are those of the set without errors, which may change the order of the moments.
    const Eigen::VectorXd known =
        WithCentres(ScaledSet(robot, *options.prior), prior_pi, robot.model);
    drawn.parameters = MakeParametrisation(robot, options, problem.friction, known);
  }
  // No logarithm stands for a body that cannot exist, and draws may make one.
  const bool physical = options.parametrisation.type == "log_cholesky";
  SetPrior(robot, options, physical ? MakePhysical(robot.model, prior_pi).pi : prior_pi,
           drawn.parameters);
  return drawn;
}

Eigen::VectorXd Magnitudes(const Eigen::VectorXd& values, const std::vector<std::string>& names) {
  std::map<std::string, double> largest;
  for (Eigen::Index k = 0; k < values.size(); ++k) {
    double& most = largest[ParameterKind(names[static_cast<std::size_t>(k)])];
    most = std::max(most, std::abs(values[k]));
  }
  Eigen::VectorXd magnitudes = values.cwiseAbs();
  for (Eigen::Index k = 0; k < values.size(); ++k) {
    const double most = largest[ParameterKind(names[static_cast<std::size_t>(k)])];
    if (magnitudes[k] <= kRounding * most) magnitudes[k] = most;
  }
  return magnitudes;
}

}  // namespace idbench
