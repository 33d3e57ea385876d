#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bench/gate/record_source.h"
#include "bench/nightly/nightly_result.h"
#include "reports/history/history.h"

namespace idbench {

/// What a night's run of a scenario is compared with.
struct NightlyBaselines {
  struct Baseline {
    BaselineRole role = BaselineRole::kAccepted;
    std::filesystem::path folder;
  };
  std::vector<Baseline> runs;  ///< Each once: a run that is accepted and pinned is kAccepted.
  std::string gone;            ///< Says that the pinned run is not there any more; "" if not so.
};

/// Returns the run of a scenario that was accepted last and the one that was pinned last: of those
/// with the same trials as the night's, whatever their number, estimators and gate, else of another
/// version of the scenario, with which it cannot be compared, as will be said.
///
/// Where none was pinned, the one accepted first counts as pinned. Of accepted runs whose folders
/// are gone it takes an earlier one; the pinned one has to be there, because it alone shows a drift
/// whose every step passes.
/// @param night  the night's run folder.
NightlyBaselines BaselinesIn(const History& history, const std::string& scenario,
                             const std::filesystem::path& night);

/// Verdict on a night's run.
struct NightlyDecision {
  NightlyVerdict verdict = NightlyVerdict::kFailed;
  std::string sentence;
  std::vector<NightlyComparison> comparisons;
};

/// Gates a run against each of its baselines. The worst verdict counts; a run without baselines is
/// the first one.
///
/// `gate.json` in the run folder, and so the report, is that of the worst verdict; that of another
/// role is kept beside it as `gate_<role>.json`.
/// @param records  makes the records of reserve trials.
NightlyDecision JudgeNight(const std::filesystem::path& run, const NightlyBaselines& baselines,
                           const RecordSource& records, const GateChoices& choices = {});

/// Returns what the history keeps of a decision: a run that passes is accepted, the first one is
/// pinned too.
Judgement JudgementOf(const NightlyDecision& decision);

}  // namespace idbench
