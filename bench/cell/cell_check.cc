#include "bench/cell/cell_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "bench/cell/labelled_estimators.h"
#include "estimators/interface/estimator.h"
#include "estimators/interface/recorded_time.h"

namespace idbench {
namespace {

/// Identification time of the data [s]: N samples stand for N periods.
double IdentificationPeriods(const std::vector<Dataset>& datasets) {
  double recorded_s = 0.0;
  for (const Dataset& dataset : datasets) {
    if (dataset.role() != Role::kIdentification || dataset.channels().empty()) continue;
    const Eigen::Index samples = dataset.channels().front().time_s.size();
    recorded_s += RecordedTimeOf(dataset).duration_s * static_cast<double>(samples) /
                  static_cast<double>(std::max<Eigen::Index>(samples - 1, 1));
  }
  return recorded_s;
}

void CheckCheckpoints(const LoadedScenario& loaded, const Cell& cell, double recorded_s) {
  const std::vector<double>& evaluate_at_s = cell.scenario.evaluate_at_s;
  if (evaluate_at_s.empty() || IsRecorded(evaluate_at_s.back(), recorded_s)) return;
  RefuseCell(loaded, cell,
             {{"/evaluate_at_s",
               fmt::format("{} s lies beyond the end of the identification data, {:.6g} s",
                           evaluate_at_s.back(), recorded_s),
               {}}});
}

void CheckWindows(const LoadedScenario& loaded, const Cell& cell,
                  const std::vector<std::string>& names, double recorded_s) {
  for (const auto& [label, window] : cell.scenario.windows) {
    const std::string where = PointerTo("/windows", label);
    if (!IsRecorded(window.until_s, recorded_s)) {
      RefuseCell(loaded, cell,
                 {{where + "/until_s",
                   fmt::format("{} s lies beyond the end of the identification data, {:.6g} s",
                               window.until_s, recorded_s),
                   {}}});
    }
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
      std::vector<std::string_view> channels = needs.channels;
      for (const std::string_view channel : problem.measured_channels())
        channels.push_back(channel);
      const AlignedView view = Align(dataset, channels, problem.alignment);
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

/// Events that the experiment does not reach: nothing happens, and the truth counts as changing.
void CheckEvents(const LoadedScenario& loaded, const Cell& cell,
                 const std::vector<Dataset>& datasets) {
  const auto begins = [](const auto& event) {
    if constexpr (requires { event.from_s; }) {
      return std::pair("/from_s", event.from_s);
    } else {
      return std::pair("/at_s", event.at_s);
    }
  };
  for (const Dataset& dataset : datasets) {
    const auto experiment = std::ranges::find(cell.scenario.experiments, dataset.label(),
                                              &Labelled<ExperimentOptions>::value_type::first);
    if (experiment == cell.scenario.experiments.end()) continue;
    const RecordedTime time = RecordedTimeOf(dataset);
    const std::vector<PayloadEventOptions>& events = experiment->second.events;
    for (std::size_t i = 0; i < events.size(); ++i) {
      const auto [key, at_s] = std::visit(begins, events[i]);
      if (at_s <= time.start_s + time.duration_s) continue;
      RefuseCell(
          loaded, cell,
          {{fmt::format("{}/events/{}{}", PointerTo("/experiments", dataset.label()), i, key),
            fmt::format("{} s is behind the end of the experiment's data, {:.6g} s", at_s,
                        time.start_s + time.duration_s),
            {"nothing would happen; remove the event, or make the experiment longer"}}});
    }
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

void CheckAgainstData(const LoadedScenario& loaded, const Cell& cell, const Problem& problem,
                      const std::vector<Dataset>& datasets) {
  const double recorded_s = IdentificationPeriods(datasets);
  CheckCheckpoints(loaded, cell, recorded_s);
  CheckWindows(loaded, cell, problem.parameters.names, recorded_s);
  CheckChannels(loaded, cell, problem, datasets);
  CheckAligned(loaded, cell, problem, datasets);
  CheckEvents(loaded, cell, datasets);
}

}  // namespace idbench
