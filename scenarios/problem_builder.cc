#include "scenarios/problem_builder.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "scenarios/drawn_set.h"

namespace idbench {
namespace {

/// A value below this part of the largest of its kind is 0 but for rounding.
constexpr double kRounding = 1e-12;

/// @param known  the set that centres of mass and principal axes are taken from.
Parametrisation MakeParametrisation(const Robot& robot, const ProblemOptions& options,
                                    const FrictionShape& friction, const Eigen::VectorXd& known) {
  const std::vector<int> asked = AskedParameters(robot, options);
  const std::string& type = options.parametrisation.type;
  if (type == "standard") return StandardParametrisation(robot.model, asked);
  if (type == "masses_and_moments") return MassesAndMoments(robot.model, asked, known);
  return BaseParametrisation(
      robot.model, FindBaseParameters(robot.model, EquationsOf(options), asked, friction));
}

Parametrisation::Prior MakePrior(const Robot& robot, const ProblemOptions& options,
                                 const Eigen::VectorXd& pi, const Parametrisation& parameters) {
  Parametrisation::Prior prior{parameters.FromPi(pi), std::nullopt};
  if (!options.prior->relative_std) return prior;
  if (parameters.type() == "base") {
    // What is known of each standard parameter, carried over: B·diag(σ²)·Bᵀ.
    const Eigen::VectorXd sigma =
        *options.prior->relative_std * Magnitudes(pi, ParameterNames(robot.model));
    Eigen::MatrixXd B(parameters.size(), pi.size());
    for (Eigen::Index k = 0; k < pi.size(); ++k) {
      B.col(k) = parameters.FromPi(Eigen::VectorXd::Unit(pi.size(), k));
    }
    prior.covariance = B * sigma.array().square().matrix().asDiagonal() * B.transpose();
  } else {
    const Eigen::VectorXd sigma =
        *options.prior->relative_std * Magnitudes(prior.mean, parameters.names);
    prior.covariance = Eigen::MatrixXd(sigma.array().square().matrix().asDiagonal());
  }
  return prior;
}

void SetBounds(const ParametrisationOptions& options, Parametrisation& parameters) {
  const Eigen::VectorXd& mean = parameters.prior->mean;
  const auto bound = [&mean](double factor, double other, bool upper) {
    const Eigen::ArrayXd one = factor * mean.array();
    const Eigen::ArrayXd two = other * mean.array();
    return upper ? Eigen::VectorXd(one.max(two)) : Eigen::VectorXd(one.min(two));
  };
  const auto& lower = options.lower_prior_factor;
  const auto& upper = options.upper_prior_factor;
  if (lower) parameters.lower = bound(*lower, upper.value_or(*lower), false);
  if (upper) parameters.upper = bound(*upper, lower.value_or(*upper), true);
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
  parameters.prior = MakePrior(robot, options, pi, parameters);
  SetBounds(options.parametrisation, parameters);
}

}  // namespace

std::vector<int> AskedParameters(const Robot& robot, const ProblemOptions& options) {
  std::vector<JointParameter> joint_parameters;
  const std::vector<std::string>& friction = options.parametrisation.friction;
  const auto add = [&](const char* name, JointParameter which) {
    if (std::ranges::find(friction, name) != friction.end()) joint_parameters.push_back(which);
  };
  add("viscous", JointParameter::kViscous);
  add("coulomb", JointParameter::kCoulomb);
  add("offset", JointParameter::kOffset);
  if (options.parametrisation.rotor_inertia) {
    joint_parameters.push_back(JointParameter::kRotorInertia);
  }
  return ConsideredParameters(robot.model, EquationsOf(options), joint_parameters);
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
    if (options.prior) SetPrior(robot, options, prior, problem.parameters);
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
  SetPrior(robot, options, prior_pi, drawn.parameters);
  return drawn;
}

std::string KindOf(const std::string& name) {
  const std::string kind = name.substr(name.rfind('.') + 1);
  return kind.substr(0, kind.find("_R"));
}

Eigen::VectorXd Magnitudes(const Eigen::VectorXd& values, const std::vector<std::string>& names) {
  std::map<std::string, double> largest;
  for (Eigen::Index k = 0; k < values.size(); ++k) {
    double& most = largest[KindOf(names[static_cast<std::size_t>(k)])];
    most = std::max(most, std::abs(values[k]));
  }
  Eigen::VectorXd magnitudes = values.cwiseAbs();
  for (Eigen::Index k = 0; k < values.size(); ++k) {
    const double most = largest[KindOf(names[static_cast<std::size_t>(k)])];
    if (magnitudes[k] <= kRounding * most) magnitudes[k] = most;
  }
  return magnitudes;
}

bool DrawnAsDeclared(const Scenario& scenario) {
  if (!scenario.simulated() || !scenario.problem.prior) return false;
  const PriorOptions& prior = *scenario.problem.prior;
  const TruthOptions& truth = *scenario.robot.truth;
  const ParametrisationOptions& unknowns = scenario.problem.parametrisation;
  const auto declared = [](const std::optional<ErrorLaw>& law) {
    return law && std::holds_alternative<DeclaredError>(*law);
  };
  return DrawnPerTrial(prior) && declared(prior.mass_error) && declared(prior.inertia_error) &&
         !prior.com_error && prior.set == truth.set && prior.mass_scale == truth.mass_scale &&
         prior.inertia_scale == truth.inertia_scale && !truth.mass_error && !truth.com_error &&
         !truth.inertia_error && unknowns.type == "masses_and_moments" &&
         unknowns.friction.empty() && !unknowns.rotor_inertia &&
         BeyondModel(truth.joints).empty() &&
         std::ranges::all_of(scenario.experiments, [](const auto& experiment) {
           return experiment.second.events.empty();
         });
}

}  // namespace idbench
