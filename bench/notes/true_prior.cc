#include "bench/notes/true_prior.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "robots/dynamics/parameters.h"
#include "scenarios/problem/drawn_mean.h"
#include "scenarios/problem/parameter_kind.h"
#include "scenarios/problem/parametrisations.h"
#include "scenarios/problem/prior_known.h"

namespace idbench {
namespace {

/// Round-off between π and the unknowns, as a part of the largest of them.
constexpr double kRoundOff = 1e-13;

/// What draws errors of bodies, for the command line: of their centres of mass too where unknowns
/// are first moments, which stay 0 otherwise where they are.
std::string DrawnBodies(const std::vector<std::string>& unknowns) {
  std::vector<const char*> errors = {"mass_error", "inertia_error"};
  const bool moments = std::ranges::any_of(
      unknowns, [](const std::string& name) { return ParameterKind(name).starts_with("mc"); });
  if (moments) errors.push_back("com_error");
  std::string text = R"(--set '/problem/prior/draw="trial"')";
  for (const char* const error : errors) {
    text += fmt::format(R"( --set '/problem/prior/{}={{"type": "gaussian", "std": 0.1}}')", error);
  }
  return text;
}

/// For the command line, what draws the means of all that the prior states a σ of; "" where they
/// cannot be drawn so.
std::string DrawnMeans(const Scenario& scenario, const RobotModel& model) {
  ProblemOptions drawn = scenario.problem;
  PriorOptions& prior = *drawn.prior;
  if (prior.std.empty() || prior.relative_std || !prior.unknown_scale.empty()) return "";
  prior.mean_error = MeanError::kDeclared;
  prior.draw = Draw::kTrial;
  if (!CheckMeanError(drawn, &*scenario.robot.truth, model).empty()) return "";
  return R"(--set '/problem/prior/draw="trial"' --set '/problem/prior/mean_error="declared"')";
}

/// Whether the prior states a finite σ, other than 0, of each of these unknowns.
bool StatesSigma(const Parametrisation::Prior& prior, const std::vector<Eigen::Index>& unknowns) {
  return prior.covariance && std::ranges::all_of(unknowns, [&prior](Eigen::Index k) {
           return (*prior.covariance)(k, k) > 0.0;
         });
}

}  // namespace

std::string TruePriorNote(const Scenario& scenario, const TrialData& first) {
  const Parametrisation& parameters = first.problem().parameters;
  if (first.truth == nullptr || !parameters.prior ||
      KindNamed(scenario.problem.parametrisation.type).truth != TrueValues::kOfRobot) {
    return "";
  }
  const Eigen::VectorXd& mean = parameters.prior->mean;
  const Eigen::VectorXd truth = parameters.FromPi(*first.true_pi());
  const double round_off = kRoundOff * truth.cwiseAbs().maxCoeff();
  std::vector<std::string> exact, bodies, others;
  std::vector<Eigen::Index> indices;
  for (Eigen::Index k = 0; k < mean.size(); ++k) {
    if (!(std::abs(mean[k] - truth[k]) <= round_off)) continue;
    const std::string& name = parameters.names[static_cast<std::size_t>(k)];
    exact.push_back(name);
    indices.push_back(k);
    (IsBodyKind(ParameterKind(name)) ? bodies : others).push_back(name);
  }
  if (exact.empty()) return "";
  std::string cure;
  const std::string means =
      StatesSigma(*parameters.prior, indices) ? DrawnMeans(scenario, first.problem().model) : "";
  if (!means.empty()) {
    cure = fmt::format("; errors as std states them are drawn by {}", means);
  } else if (!bodies.empty()) {
    cure = fmt::format("; errors of bodies are drawn by {}", DrawnBodies(bodies));
  }
  if (means.empty() && !others.empty() && parameters.lagrangian() == nullptr) {
    cure += fmt::format("; give {} other means in /problem/prior/mean", ListSome(others));
  }
  return fmt::format(
      "the prior is the truth: of {} of {} unknowns its mean is the true value ({}), and what "
      "takes "
      "it looks better than on a robot{}",
      exact.size(), mean.size(), ListSome(exact), cure);
}

std::string KnownNote(const Scenario& scenario, const Robot& robot, const TrialData& first) {
  const std::vector<int> known =
      KnownOf(scenario.problem, robot.model, AskedOrKnown(robot, scenario.problem));
  if (known.empty()) return "";
  const Eigen::VectorXd& pi = first.prior_pi();
  const std::vector<std::string> names = ParameterNames(robot.model);
  std::vector<std::string> held;
  std::size_t exact = 0;
  for (const int k : known) {
    held.push_back(names[static_cast<std::size_t>(k)]);
    if (first.truth == nullptr) continue;
    const double truth = (*first.true_pi())[k];
    if (std::abs(pi[k] - truth) <= kRoundOff * std::abs(truth)) ++exact;
  }
  return fmt::format(
      "known by declaration, so that every method holds them at the prior's mean: {} "
      "({} of {} parameters{})",
      ListSome(held), known.size(), AskedOrKnown(robot, scenario.problem).size(),
      first.truth == nullptr
          ? ""
          : fmt::format(", {} with {} true value", exact, exact == 1 ? "its" : "their"));
}

}  // namespace idbench
