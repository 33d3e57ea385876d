#include "reports/run/lost_estimators.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// Whether all estimates that a run of a simulation is to have are there.
bool IsCompleteSimulation(const Summary& summary, const RunManifest& manifest) {
  if (manifest.shard || IsRecording(*manifest.scenario)) return false;
  return std::ranges::all_of(summary.cells, [&](const CellSummary& cell) {
    return std::ranges::all_of(cell.estimators, [&](const EstimatorSummary& estimator) {
      return static_cast<std::int64_t>(estimator.tally.trials) >= manifest.trials;
    });
  });
}

/// The outcome that the scenario expects of an estimator; "" if it expects no failure.
std::string ExpectedOutcome(const Json& scenario, const std::string& label) {
  const auto expected = scenario.find("expected_failures");
  return expected == scenario.end() ? "" : expected->value(label, std::string());
}

/// Whether no trial succeeded, and not all failed as expected.
bool IsLost(const EstimateTally& tally, const std::string& expected) {
  if (tally.trials == 0 || tally.failed < tally.trials) return false;
  const auto as_expected = tally.reasons.find(expected);
  return as_expected == tally.reasons.end() || as_expected->second < tally.failed;
}

/// The outcome of all trials of an estimator in all cells; "" if they have several.
std::string OutcomeOf(const Summary& summary, std::size_t estimator) {
  std::string outcome;
  for (const CellSummary& cell : summary.cells) {
    for (const auto& [reason, count] : cell.estimators[estimator].tally.reasons) {
      if (!outcome.empty() && outcome != reason) return "";
      outcome = reason;
    }
  }
  return outcome;
}

}  // namespace

LostEstimators FindLostEstimators(const Summary& summary, const RunManifest& manifest) {
  LostEstimators lost;
  if (!IsCompleteSimulation(summary, manifest)) return lost;
  for (std::size_t e = 0; e < manifest.estimators.size(); ++e) {
    const std::string& label = manifest.estimators[e];
    const std::optional<RunObservation> observation = manifest.ObservationAt(e);
    if (std::ranges::find(manifest.untaught, label) != manifest.untaught.end()) continue;
    // What an estimator lost, no observer finds.
    const auto model = observation ? std::ranges::find(manifest.estimators, observation->model)
                                   : manifest.estimators.end();
    const auto lost_before = [&](const CellSummary& cell, const std::string& expected) {
      if (model == manifest.estimators.end()) return false;  // the prior or the truth
      const auto m = static_cast<std::size_t>(model - manifest.estimators.begin());
      return IsLost(cell.estimators[m].tally, expected);
    };
    const std::string expected =
        ExpectedOutcome(*manifest.scenario, observation ? observation->model : label);
    const CellSummary* first = nullptr;
    std::size_t cells = 0;
    for (const CellSummary& cell : summary.cells) {
      if (!IsLost(cell.estimators[e].tally, expected) || lost_before(cell, expected)) continue;
      if (first == nullptr) first = &cell;
      ++cells;
    }
    if (cells == 0) continue;
    const std::string why = first->estimators[e].tally.WhyFailed();
    if (cells == summary.cells.size()) {
      lost.everywhere.push_back(fmt::format("{} failed in every trial{}: {}", label,
                                            cells > 1 ? " of every cell" : "", why));
      std::string outcome = observation ? "" : OutcomeOf(summary, e);
      if (!outcome.empty()) {
        lost.outcomes.emplace_back(label, std::move(outcome));
      }
    } else {
      lost.in_cells.push_back(fmt::format("{} has no success in {} of {} cells, first {}: {}",
                                          label, cells, summary.cells.size(), first->cell.Label(),
                                          why));
    }
  }
  return lost;
}

}  // namespace idbench
