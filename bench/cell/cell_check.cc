#include "bench/cell/cell_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "bench/trial/labelled_estimators.h"
#include "bench/trial/labelled_observers.h"
#include "bench/trial/prior_knowledge.h"
#include "bench/trial/trial_data.h"
#include "estimators/interface/estimator.h"
#include "estimators/interface/recorded_time.h"
#include "robots/recording/data_window.h"
#include "scenarios/problem/drawn_set.h"
#include "scenarios/problem/parameter_kind.h"
#include "scenarios/problem/parametrisations.h"
#include "scenarios/problem/problem_builder.h"

namespace idbench {
namespace {

/// Identification time [s]: N samples stand for N periods, from the first on.
double IdentificationPeriods(const std::vector<Dataset>& datasets) {
  double recorded_s = 0.0;
  for (const Dataset& dataset : datasets) {
    if (dataset.role() != Role::kIdentification || dataset.channels().empty()) continue;
    const Eigen::VectorXd& time_s = dataset.channels().front().time_s;
    const Eigen::Index periods = time_s.size() - 1;
    const double period_s =
        periods < 1 ? 0.0 : (time_s[periods] - time_s[0]) / static_cast<double>(periods);
    const RecordedTime clock = RecordedTimeOf(dataset);
    // Where within its period a sample lies: half a step of the plant or half a hold of control.
    const double phase_s = std::fmod(time_s[0] - clock.start_s + kCheckpointTolerance, period_s) -
                           kCheckpointTolerance;
    recorded_s += clock.duration_s + period_s - (periods < 1 ? 0.0 : std::max(phase_s, 0.0));
  }
  return recorded_s;
}

/// Recorded time of the first sample that estimators get [s].
double FirstSampleAt(const std::vector<Dataset>& datasets) {
  double recorded_s = 0.0;
  for (const Dataset& dataset : datasets) {
    if (dataset.role() != Role::kIdentification) continue;
    const RecordedTime clock = RecordedTimeOf(dataset);
    const double first_s = SpanOf(dataset, {}).from_s;
    if (std::isfinite(first_s)) return recorded_s + (first_s - clock.start_s);
    recorded_s += clock.duration_s;
  }
  return 0.0;
}

/// Where identification time begins and ends for estimators [s].
struct DataTime {
  double first_s, end_s;
};

/// Refuses an instant from which no sample, or behind which no time, is left.
void CheckInstant(const LoadedScenario& loaded, const Cell& cell, const std::string& where,
                  double instant_s, const DataTime& time) {
  if (!IsRecorded(instant_s, time.end_s)) {
    RefuseCell(loaded, cell,
               {{where,
                 fmt::format("{} s lies beyond the end of the identification data, {:.6g} s",
                             instant_s, time.end_s),
                 {}}});
  }
  if (!IsRecorded(time.first_s, instant_s)) {
    RefuseCell(loaded, cell,
               {{where,
                 fmt::format("{} s lies before the first sample that estimators get, {:.6g} s",
                             instant_s, time.first_s),
                 {"time counts from the experiment's beginning, whatever processing and delayed "
                  "sensors drop there"}}});
  }
}

void CheckCheckpoints(const LoadedScenario& loaded, const Cell& cell, const DataTime& time) {
  const std::vector<double>& evaluate_at_s = cell.scenario.evaluate_at_s;
  if (evaluate_at_s.empty()) return;
  CheckInstant(loaded, cell, "/evaluate_at_s", evaluate_at_s.front(), time);
  CheckInstant(loaded, cell, "/evaluate_at_s", evaluate_at_s.back(), time);
}

void CheckWindows(const LoadedScenario& loaded, const Cell& cell,
                  const std::vector<std::string>& names, const DataTime& time) {
  for (const auto& [label, window] : cell.scenario.windows) {
    const std::string where = PointerTo("/windows", label);
    CheckInstant(loaded, cell, where + "/until_s", window.until_s, time);
    for (std::size_t i = 0; i < window.unknowns.size(); ++i) {
      if (std::ranges::find(names, window.unknowns[i]) != names.end()) continue;
      RefuseCell(loaded, cell,
                 {{fmt::format("{}/unknowns/{}", where, i),
                   fmt::format("no such unknown: \"{}\"", window.unknowns[i]),
                   AcceptedNames(window.unknowns[i], names)}});
    }
  }
}

void CheckChannels(const LoadedScenario& loaded, const Cell& cell, const Problem& problem,
                   const std::vector<Dataset>& datasets) {
  const LabelledEstimators estimators = MakeEstimators(cell.scenario);
  for (const Dataset& dataset : datasets) {
    if (dataset.role() != Role::kIdentification) continue;
    std::vector<std::string> available;
    for (const Channel& channel : dataset.channels()) available.push_back(channel.name);
    std::vector<Issue> issues;
    for (const auto& [label, estimator] : estimators) {
      const std::vector<std::string> unmet = UnmetNeeds(estimator->needs(), problem, available);
      if (unmet.empty()) continue;
      issues.push_back({PointerTo("/estimators", label),
                        fmt::format("{}; the experiment '{}' has {}", unmet.front(),
                                    dataset.label(), fmt::join(available, ", ")),
                        {}});
    }
    if (!issues.empty()) RefuseCell(loaded, cell, std::move(issues));
  }
}

/// As CheckChannels(), of what observers watch.
void CheckWatchedChannels(const LoadedScenario& loaded, const Cell& cell, const Problem& problem,
                          const std::vector<Dataset>& datasets) {
  std::vector<Issue> issues;
  for (const LabelledObserver& observer : MakeObservers(cell.scenario)) {
    for (const Dataset& dataset : datasets) {
      if (std::ranges::find(observer.watched, dataset.label()) == observer.watched.end()) continue;
      std::vector<std::string> available;
      for (const Channel& channel : dataset.channels()) available.push_back(channel.name);
      const std::vector<std::string> unmet =
          UnmetNeeds(observer.observer->needs(), problem, available);
      if (unmet.empty()) continue;
      issues.push_back({PointerTo("/observers", observer.label),
                        fmt::format("{}; the experiment '{}' has {}", unmet.front(),
                                    dataset.label(), fmt::join(available, ", ")),
                        {}});
    }
  }
  if (!issues.empty()) RefuseCell(loaded, cell, std::move(issues));
}

/// Returns the samples that a method reads for the equations.
AlignedView ReadFor(const EstimatorNeeds& needs, const Problem& problem, const Dataset& dataset) {
  std::vector<std::string_view> channels = needs.channels;
  for (const std::string_view channel : problem.measured_channels()) channels.push_back(channel);
  return Align(dataset, channels, problem.alignment);
}

/// Returns true if the scenario states that the estimator fails.
bool IsExpectedToFail(const Scenario& scenario, const std::string& label) {
  return std::ranges::any_of(scenario.expected_failures,
                             [&](const auto& entry) { return entry.first == label; });
}

/// Data of which every estimator that reads equations would refuse the channels: they lose samples
/// each on its own, or have stamps of their own.
void CheckAligned(const LoadedScenario& loaded, const Cell& cell, const Problem& problem,
                  const std::vector<Dataset>& datasets) {
  const LabelledEstimators estimators = MakeEstimators(cell.scenario);
  for (const Dataset& dataset : datasets) {
    if (dataset.role() != Role::kIdentification) continue;
    for (const auto& [label, estimator] : estimators) {
      const EstimatorNeeds needs = estimator->needs();
      if (!needs.measurements || !needs.problem.Has(Capability::kStandardUnknowns)) continue;
      const AlignedView view = ReadFor(needs, problem, dataset);
      if (view.outcome() != AlignmentOutcome::kTimesDiffer) continue;
      RefuseCell(loaded, cell,
                 {{"/problem/alignment/policy",
                   fmt::format("is \"refuse\", so that {} would refuse every trial: {}", label,
                               view.reason()),
                   {"set it to \"resample\", or /processing/resample_rate_hz; or let sensors hold "
                    "what they lose (dropout \"hold\")"}}});
    }
  }
}

/// Refuses low-passes of estimators and observers that the rate of their data does not bear.
void CheckRates(const LoadedScenario& loaded, const Cell& cell, const Problem& problem,
                const std::vector<Dataset>& datasets) {
  if (loaded.of_manifest) return;  // its records tell the failures
  std::vector<Issue> issues;
  const auto check = [&](const std::string& where, const EstimatorNeeds& needs,
                         const Dataset& dataset) {
    if (!needs.cutoff_hz) return;
    const AlignedView view = ReadFor(needs, problem, dataset);
    if (view.outcome() != AlignmentOutcome::kOk || view.size() < 2) return;
    const double rate_hz = view.nominal_rate_hz();
    if (*needs.cutoff_hz < 0.5 * rate_hz) return;
    issues.push_back({where,
                      fmt::format("its low-pass of {:.6g} Hz is not below half the rate of the "
                                  "experiment '{}', {:.6g} Hz",
                                  *needs.cutoff_hz, dataset.label(), rate_hz),
                      {"give a lower cutoff_hz, leave the low-pass out, or sample faster"}});
  };
  for (const auto& [label, estimator] : MakeEstimators(cell.scenario)) {
    if (IsExpectedToFail(cell.scenario, label)) continue;
    for (const Dataset& dataset : datasets) {
      if (dataset.role() != Role::kIdentification) continue;
      check(PointerTo("/estimators", label), estimator->needs(), dataset);
    }
  }
  for (const LabelledObserver& observer : MakeObservers(cell.scenario)) {
    for (const Dataset& dataset : datasets) {
      if (std::ranges::find(observer.watched, dataset.label()) == observer.watched.end()) continue;
      check(PointerTo("/observers", observer.label), observer.observer->needs(), dataset);
    }
  }
  if (!issues.empty()) RefuseCell(loaded, cell, std::move(issues));
}

/// Refuses what begins when the data have ended: payload events, touches, and all touches of which
/// the first cannot be earlier.
/// @param where  JSON pointer of the list. @param data_end_s  of the samples that are left.
template <class Events>
void CheckBegins(const LoadedScenario& loaded, const Cell& cell, const Events& events,
                 const std::string& where, double data_end_s) {
  const auto begins = [](const auto& event) {
    if constexpr (requires { event.from_s; }) {
      return std::pair("/from_s", event.from_s);
    } else if constexpr (requires { event.gap_s; }) {
      return std::pair("/gap_s", event.gap_s.front());
    } else {
      return std::pair("/at_s", event.at_s);
    }
  };
  for (std::size_t i = 0; i < events.size(); ++i) {
    const auto [key, at_s] = std::visit(begins, events[i]);
    if (at_s <= data_end_s) continue;
    RefuseCell(loaded, cell,
               {{fmt::format("{}/{}{}", where, i, key),
                 fmt::format("{} s is behind the end of the experiment's data, {:.6g} s", at_s,
                             data_end_s),
                 {"nothing would happen; remove the event, or make the experiment longer"}}});
  }
}

}  // namespace

void RefuseCell(const LoadedScenario& loaded, const Cell& cell, std::vector<Issue> issues) {
  if (loaded.cells.size() > 1) {
    for (Issue& issue : issues) {
      issue.details.push_back("in the sweep's " + cell.coordinates.Label());
    }
  }
  throw ConfigError(loaded.source, std::move(issues));
}

void CheckMeasured(const LoadedScenario& loaded, const Cell& cell, const Problem& problem,
                   const DataSource& source) {
  const LabelledEstimators estimators = MakeEstimators(cell.scenario);
  if (std::ranges::none_of(
          estimators, [](const auto& labelled) { return labelled.second->needs().measurements; })) {
    return;
  }
  std::vector<Issue> issues;
  for (const EquationRows& rows : problem.rows) {
    const std::string_view channel = rows.measured();
    if (source.Measures(channel)) continue;
    issues.push_back({"/problem/equations",
                      fmt::format("{} needs the channel '{}', which nobody measures",
                                  ToString(rows.equation), channel),
                      {cell.scenario.simulated()
                           ? fmt::format("set /sensors/{}/origin to \"measured\"", channel)
                           : fmt::format("name its columns in /recording/columns/{}", channel)}});
  }
  if (!issues.empty()) RefuseCell(loaded, cell, std::move(issues));
}

void CheckNeeds(const LoadedScenario& loaded, const Cell& cell, const Problem& problem) {
  std::vector<Issue> issues;
  for (const auto& [label, estimator] : MakeEstimators(cell.scenario)) {
    const std::vector<std::string> unmet = UnmetNeeds(estimator->needs(), problem);
    if (!unmet.empty()) issues.push_back({PointerTo("/estimators", label), unmet.front(), {}});
  }
  if (!issues.empty()) RefuseCell(loaded, cell, std::move(issues));
}

namespace {

/// Returns true if the prior has a body that cannot exist.
bool HoldsImpossibleBody(const Problem& problem) {
  const Parametrisation& parameters = problem.parameters;
  if (!parameters.prior || parameters.representative) return false;
  const Eigen::VectorXd pi = parameters.Pi(parameters.prior->mean);
  const ParameterLayout layout(problem.model);
  for (int body = 0; body < problem.model.body_end(); ++body) {
    if (PhysicalConsistency(pi.segment<kInertialCount>(layout.Body(body))) !=
        Consistency::kConsistent) {
      return true;
    }
  }
  return false;
}

/// What to do about draws of which bodies cannot exist; nothing where that is not it.
std::vector<std::string> CureOfDraws(const Scenario& scenario, const Problem& problem) {
  const auto& prior = scenario.problem.prior;
  const bool alone =
      prior && prior->mean_error && std::ranges::any_of(prior->std, [](const auto& entry) {
        return entry.second && IsInertialKind(ParameterKind(entry.first));
      });
  if (!alone || !HoldsImpossibleBody(problem)) return {};
  return {
      "mean_error draws each parameter that has a σ on its own, so that a drawn body need not "
      "exist: give σ of \"body\" in their place (/problem/prior/std), or leave the method out"};
}

}  // namespace

std::vector<std::string> CheckRefusals(const LoadedScenario& loaded, const Cell& cell,
                                       const Problem& problem) {
  std::vector<Issue> issues;
  std::vector<std::string> told;
  for (const auto& [label, estimator] : MakeEstimators(cell.scenario)) {
    if (IsExpectedToFail(cell.scenario, label)) continue;
    const std::string why = estimator->WhyRefused(problem);
    if (why.empty()) continue;
    issues.push_back({PointerTo("/estimators", label), why, CureOfDraws(cell.scenario, problem)});
    told.push_back(fmt::format("{} fails in every trial: {}", label, why));
  }
  for (const LabelledObserver& observer : MakeObservers(cell.scenario)) {
    const std::string why = observer.observer->WhyRefused(problem);
    if (why.empty()) continue;
    issues.push_back({PointerTo("/observers", observer.label), why, {}});
    told.push_back(fmt::format("{} observes nothing in every trial: {}", observer.label, why));
  }
  if (!issues.empty() && !loaded.of_manifest) RefuseCell(loaded, cell, std::move(issues));
  return told;
}

namespace {

/// Of trials whose drawn prior is refused: their number, the first one, and why there.
struct RefusedDraws {
  std::int64_t count = 0;
  std::int64_t first = 0;
  std::string why;

  void Add(std::int64_t trial, const std::string& sentence) {
    if (count++ > 0) return;
    first = trial;
    why = sentence;
  }
  std::string Describe(std::int64_t trials) const {
    return fmt::format("in {} of {} trials, trial {} first: {}", count, trials, first, why);
  }
};

}  // namespace

std::vector<std::string> CheckDrawnPriors(const LoadedScenario& loaded, const Cell& cell,
                                          const Problem& problem, const DataSource& source) {
  const Scenario& scenario = cell.scenario;
  const auto& prior = scenario.problem.prior;
  if (!prior || !DrawnPerTrial(*prior)) return {};
  LabelledEstimators estimators = MakeEstimators(scenario);
  std::erase_if(estimators, [&](const auto& labelled) {
    return !labelled.second->needs().problem.Has(Capability::kTwoBounds) ||
           IsExpectedToFail(scenario, labelled.first) ||
           !labelled.second->WhyRefused(problem).empty();  // CheckRefusals() tells it
  });
  if (estimators.empty() && !prior->std_of_bounds) return {};
  std::map<std::string, RefusedDraws> refused;  // by place
  // Whether a mean is inside its bounds does not depend on its covariance, which costs more than
  // all the rest: that of no trial stands for it.
  ProblemOptions of_means = scenario.problem;
  if (!prior->std_of_bounds) {
    of_means.prior->std.clear();
    of_means.prior->relative_std.reset();
  }
  const Seeds seeds = loaded.scenario.seeds();
  for (std::int64_t trial = 0; trial < scenario.trial_count(); ++trial) {
    TrialData data;
    data.trial = trial;
    if (DrawsAboutTruth(*prior)) source.AddTruth(data);
    const Eigen::VectorXd pi =
        DrawPrior(cell.robot, scenario, data.true_pi(), seeds.all, seeds.DrawOf(trial));
    try {
      Problem drawn = WithDrawnPrior(problem, cell.robot, of_means, pi, data.true_pi(), seeds.all,
                                     seeds.DrawOf(trial));
      if (!prior->std_of_bounds) {
        drawn.parameters.prior->covariance = problem.parameters.prior->covariance;
      }
      for (const auto& [label, estimator] : estimators) {
        const std::string why = estimator->WhyRefused(drawn);
        if (!why.empty()) refused[PointerTo("/estimators", label)].Add(trial, why);
      }
    } catch (const std::invalid_argument& error) {
      refused["/problem/prior"].Add(trial, error.what());
    }
  }
  std::vector<Issue> issues;
  std::vector<std::string> told;
  for (const auto& [where, draws] : refused) {
    const std::string what = draws.Describe(scenario.trial_count());
    issues.push_back({where, what, {}});
    told.push_back(fmt::format("{} fails {}", where, what));
  }
  if (!issues.empty() && !loaded.of_manifest) RefuseCell(loaded, cell, std::move(issues));
  return told;
}

std::vector<std::string> CheckPriorSigma(const LoadedScenario& loaded, const Cell& cell,
                                         const Problem& problem) {
  const auto& prior = cell.scenario.problem.prior;
  const Parametrisation& parameters = problem.parameters;
  if (!prior || !parameters.prior) return {};
  std::optional<Issue> issue = SigmaIssue(
      {cell.robot.model, *prior, PriorSet(cell.robot, *prior), parameters.prior->mean, parameters});
  if (!issue) return {};
  if (!loaded.of_manifest) RefuseCell(loaded, cell, {*std::move(issue)});
  return {fmt::format("{} {}", issue->where, issue->what)};
}

void CheckAgainstData(const LoadedScenario& loaded, const Cell& cell, const Problem& problem,
                      const std::vector<Dataset>& datasets) {
  const DataTime time{FirstSampleAt(datasets), IdentificationPeriods(datasets)};
  CheckCheckpoints(loaded, cell, time);
  CheckWindows(loaded, cell, problem.parameters.names, time);
  CheckChannels(loaded, cell, problem, datasets);
  CheckWatchedChannels(loaded, cell, problem, datasets);
  CheckAligned(loaded, cell, problem, datasets);
  CheckRates(loaded, cell, problem, datasets);
  CheckEvents(loaded, cell, datasets);
}

void CheckEvents(const LoadedScenario& loaded, const Cell& cell,
                 const std::vector<Dataset>& datasets) {
  for (const Dataset& dataset : datasets) {
    const auto experiment = std::ranges::find(cell.scenario.experiments, dataset.label(),
                                              &Labelled<ExperimentOptions>::value_type::first);
    if (experiment == cell.scenario.experiments.end()) continue;
    const double end_s = SpanOf(dataset, {}).until_s;
    const std::string where = PointerTo("/experiments", dataset.label());
    CheckBegins(loaded, cell, experiment->second.events, where + "/events", end_s);
    if (!experiment->second.environment) continue;
    CheckBegins(loaded, cell, experiment->second.environment->touches,
                where + "/environment/touches", end_s);
  }
}

}  // namespace idbench
