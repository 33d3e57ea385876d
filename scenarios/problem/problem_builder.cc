#include "scenarios/problem/problem_builder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <utility>

#include "robots/physical_inertia.h"
#include "scenarios/problem/drawn_set.h"
#include "scenarios/problem/parameter_bounds.h"
#include "scenarios/problem/parametrisations.h"
#include "scenarios/problem/prior_entries.h"
#include "scenarios/problem/prior_known.h"

namespace idbench {
namespace {

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

/// @throws ConfigError for entries of `std` that speak of no unknown, or unknowns of no entry.
void CheckPriorStd(const PriorInput& input, const std::string& source) {
  if (input.options.std.empty()) return;
  std::vector<Issue> issues = CheckStd(input);
  if (!issues.empty()) throw ConfigError(source, std::move(issues));
}

/// @param mean  of the prior.
Parametrisation::Prior MakePrior(const Robot& robot, const ProblemOptions& options,
                                 const Eigen::VectorXd& pi, const Eigen::VectorXd& mean,
                                 const Parametrisation& parameters) {
  Parametrisation::Prior prior{mean, std::nullopt};
  const ParametrisationKind& kind = KindNamed(options.parametrisation.type);
  if (kind.prior_mean != nullptr) prior.mean = kind.prior_mean(options.parametrisation, parameters);
  if (options.prior->std_of_bounds) {
    const Eigen::VectorXd sigma =
        SigmaWithinBounds(parameters, prior.mean, *options.prior->std_of_bounds);
    prior.covariance = Eigen::MatrixXd(sigma.array().square().matrix().asDiagonal());
    return prior;
  }
  if (!options.prior->has_covariance()) return prior;
  StateKnowledge({robot.model, *options.prior, pi, prior.mean, parameters}, prior);
  return prior;
}

/// The bodies of `pi` with the centres of mass of `centres`.
Eigen::VectorXd WithCentres(Eigen::VectorXd pi, const Eigen::VectorXd& centres,
                            const RobotModel& model) {
  const ParameterLayout layout(model);
  for (int body = -1; body < model.body_end(); ++body) {
    auto parameters = pi.segment<kInertialCount>(layout.Body(body));
    if (parameters[0] == 0.0) continue;
    CentralInertia inertia = FromStandard(parameters);
    inertia.com = FromStandard(centres.segment<kInertialCount>(layout.Body(body))).com;
    parameters = ToStandard(inertia);
  }
  return pi;
}

/// Gains and offsets of sensors that are not asked for are known, and part of π₀.
/// @param pi  of the prior's set, or of the nominal one without a prior.
void SetKnownTerms(const Robot& robot, const ProblemOptions& options, const Eigen::VectorXd& pi,
                   Parametrisation& parameters) {
  const std::vector<int> asked = AskedParameters(robot, options);
  const auto& terms = robot.model.terms();
  auto index = static_cast<int>(pi.size() - std::ssize(terms));
  for (const Term& term : terms) {
    const bool known =
        term.rows != TermRows::kJoints && std::ranges::find(asked, index) == asked.end();
    if (known) parameters.SetKnown(index, pi.segment<1>(index));
    ++index;
  }
}

/// What the prior declares known is held at its mean, as a part of π₀.
/// @param pi  of the prior; empty without one.
void SetKnownOfPrior(const Robot& robot, const ProblemOptions& options, const Eigen::VectorXd& pi,
                     Parametrisation& parameters) {
  if (!options.prior) return;
  for (const int k : KnownOf(options, robot.model, AskedOrKnown(robot, options))) {
    parameters.SetKnown(k, pi.segment<1>(k));
  }
}

/// What is attached and known is part of π₀. All sets assume the same of it.
void SetKnownBodies(const Robot& robot, Parametrisation& parameters) {
  const ParameterLayout layout(robot.model);
  const auto& attached = robot.model.attached();
  for (std::size_t k = 0; k < attached.size(); ++k) {
    if (!attached[k].known) continue;
    const int first = layout.Body(robot.model.dofs() + static_cast<int>(k));
    parameters.SetKnown(first, robot.FindSet("")->pi.segment<kInertialCount>(first));
  }
}

/// An equation of the robot, without σ.
void SetPrior(const Robot& robot, const ProblemOptions& options, const Eigen::VectorXd& pi,
              const Eigen::VectorXd& factors, Parametrisation& parameters) {
  Eigen::VectorXd mean =
      UnknownScale(*options.prior, parameters.size()).cwiseProduct(parameters.FromPi(pi));
  if (factors.size() > 0) mean = mean.cwiseProduct(factors).eval();
  SetBounds(robot.model, options.parametrisation, pi, mean, parameters);
  parameters.prior = MakePrior(robot, options, pi, mean, parameters);
}

EquationRows RowsOfEquation(const EquationOptions& options, const Robot& robot) {
  EquationRows rows{.equation = options.type, .channel = options.channel, .mount = options.mount};
  std::vector<Issue> ignored;  // CheckProblem() told them
  if (auto placed = PlacedEquationOf(options, robot.model, "", ignored)) {
    rows.cut = placed->cut;
    rows.chosen = std::move(placed->rows);
  }
  if (options.type == Equation::kCut && options.channel.empty()) {
    rows.channel = NameAt(kWrenchAtCut, options.mount);
  }
  if (options.has_dead_zone()) {
    rows.dead_zone = Eigen::VectorXd::NullaryExpr(robot.model.dofs(), [&](Eigen::Index joint) {
      return options.dead_zone_rad_s[static_cast<std::size_t>(joint)];
    });
    rows.dead_zone_of = options.dead_zone_of;
  }
  return rows;
}

}  // namespace

Problem BuildProblem(const Robot& robot, const ProblemOptions& options, const std::string& source) {
  const FrictionShape friction = options.parametrisation.friction_shape();
  Eigen::VectorXd prior;
  if (options.prior) prior = PriorSet(robot, *options.prior);
  try {
    Problem problem{robot.model,
                    friction,
                    KindNamed(options.parametrisation.type).make({robot, options, friction, prior}),
                    {},
                    options.alignment};
    for (const EquationOptions& each : options.equations) {
      problem.rows.push_back(RowsOfEquation(each, robot));
    }
    problem.rows = problem.rows_in_order();
    SetKnownBodies(robot, problem.parameters);
    SetKnownTerms(robot, options, options.prior ? prior : robot.FindSet("")->pi,
                  problem.parameters);
    SetKnownOfPrior(robot, options, prior, problem.parameters);
    if (options.prior) {
      CheckUnknownScale(*options.prior, problem.parameters, source);
      CheckPriorStd({robot.model, *options.prior, prior, problem.parameters.FromPi(prior),
                     problem.parameters},
                    source);
      SetPrior(robot, options, prior, {}, problem.parameters);
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
                  const Eigen::VectorXd& prior_pi, const Eigen::VectorXd& factors) {
  const ParametrisationKind& kind = KindNamed(options.parametrisation.type);
  Problem drawn = problem;
  if (options.prior->draws_com() &&
      !problem.parameters.representative) {  // base ones know no centre
    // The axes are those of the set without errors, which may change the order of the moments.
    const Eigen::VectorXd known =
        WithCentres(PriorSet(robot, *options.prior), prior_pi, robot.model);
    drawn.parameters = kind.make({robot, options, problem.friction, known});
    SetKnownBodies(robot, drawn.parameters);
    SetKnownTerms(robot, options, known, drawn.parameters);
  }
  const Eigen::VectorXd pi = kind.physical ? MakePhysical(robot.model, prior_pi).pi : prior_pi;
  SetKnownOfPrior(robot, options, pi, drawn.parameters);
  SetPrior(robot, options, pi, factors, drawn.parameters);
  return drawn;
}

}  // namespace idbench
