#include "bench/cell/cell_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
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
  RefuseCell(loaded, cell, "/evaluate_at_s",
             fmt::format("{} s lies beyond the end of the identification data, {:.6g} s",
                         evaluate_at_s.back(), recorded_s));
}

void CheckWindows(const LoadedScenario& loaded, const Cell& cell,
                  const std::vector<std::string>& names, double recorded_s) {
  for (const auto& [label, window] : cell.scenario.windows) {
    const std::string where = PointerTo("/windows", label);
    if (!IsRecorded(window.until_s, recorded_s)) {
      RefuseCell(loaded, cell, where + "/until_s",
                 fmt::format("{} s lies beyond the end of the identification data, {:.6g} s",
                             window.until_s, recorded_s));
    }
    for (std::size_t i = 0; i < window.unknowns.size(); ++i) {
      if (std::ranges::find(names, window.unknowns[i]) != names.end()) continue;
      RefuseCell(loaded, cell, fmt::format("{}/unknowns/{}", where, i),
                 fmt::format("no such unknown: \"{}\"", window.unknowns[i]),
                 AcceptedNames(window.unknowns[i], names));
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
    for (const auto& [label, estimator] : estimators) {
      const std::vector<std::string> unmet = UnmetNeeds(estimator->needs(), problem, available);
      if (unmet.empty()) continue;
      RefuseCell(loaded, cell, PointerTo("/estimators", label),
                 fmt::format("{}; the experiment '{}' has {}", unmet.front(), dataset.label(),
                             fmt::join(available, ", ")));
    }
  }
}

}  // namespace

void RefuseCell(const LoadedScenario& loaded, const Cell& cell, const std::string& where,
                const std::string& what, std::vector<std::string> details) {
  if (loaded.cells.size() > 1) details.push_back("in the sweep's " + cell.coordinates.Label());
  throw ConfigError(loaded.source, where, what, details);
}

void CheckNeeds(const LoadedScenario& loaded, const Cell& cell, const Problem& problem) {
  for (const auto& [label, estimator] : MakeEstimators(cell.scenario)) {
    const std::vector<std::string> unmet = UnmetNeeds(estimator->needs(), problem);
    if (!unmet.empty()) RefuseCell(loaded, cell, PointerTo("/estimators", label), unmet.front());
  }
}

void CheckAgainstData(const LoadedScenario& loaded, const Cell& cell, const Problem& problem,
                      const std::vector<Dataset>& datasets) {
  const double recorded_s = IdentificationPeriods(datasets);
  CheckCheckpoints(loaded, cell, recorded_s);
  CheckWindows(loaded, cell, problem.parameters.names, recorded_s);
  CheckChannels(loaded, cell, problem, datasets);
}

}  // namespace idbench
