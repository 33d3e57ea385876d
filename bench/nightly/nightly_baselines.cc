#include "bench/nightly/nightly_baselines.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "bench/gate/gate_run.h"
#include "bench/run/compared_manifest.h"
#include "reports/gate/gate_report.h"
#include "reports/gate/matched_runs.h"
#include "scenarios/options/config_error.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

namespace fs = std::filesystem;

constexpr const char* kGateFile = "gate.json";

bool IsThere(const HistoryRun& run) { return fs::exists(fs::path(run.folder) / "records.jsonl"); }

bool IsPinned(const HistoryRun& run) { return run.judgement && run.judgement->pinned; }

/// Whether the folder of a run tells that its trials are those of `now`, a manifest.
bool HasSameTrials(const HistoryRun& run, const Json& now) {
  try {
    return WhyIncomparable(ReadManifestToCompare(run.folder), now).empty();
  } catch (const ConfigError&) {  // it is gone or damaged
    return false;
  }
}

/// The runs with the same trials as the night's; all, if there is none. Of runs that are gone the
/// hash tells: it is that of the night's scenario, or of a run that is there.
std::vector<HistoryRun> OfSameTrials(std::vector<HistoryRun> runs, const fs::path& night) {
  const Json now = ReadManifestToCompare(night);
  std::set<std::string> hashes = {ScenarioHash(*ReadManifest(night / "manifest.json").scenario)};
  for (const HistoryRun& run : runs) {
    if (!hashes.contains(run.scenario_hash) && HasSameTrials(run, now)) {
      hashes.insert(run.scenario_hash);
    }
  }
  const auto is_same = [&](const HistoryRun& run) { return hashes.contains(run.scenario_hash); };
  if (std::ranges::any_of(runs, is_same)) std::erase_if(runs, std::not_fn(is_same));
  return runs;
}

/// Why a gate decided as it did, if it did not pass, and the tally of its members.
std::string WhyOf(const GateReport& report) {
  std::string tally = PrintTally(report);
  const std::string reason = ReasonOf(report);
  if (report.verdict == GateVerdict::kPass || reason.empty()) return tally;
  return tally.empty() ? reason : fmt::format("{} ({})", reason, tally);
}

fs::path GateFileOf(const fs::path& run, BaselineRole role) {
  return run / fmt::format("gate_{}.json", ToString(role));
}

NightlyComparison Compare(const fs::path& run, const NightlyBaselines::Baseline& baseline,
                          const RecordSource& records, const GateChoices& choices) {
  NightlyComparison comparison;
  comparison.against = baseline.role;
  comparison.folder = baseline.folder.string();
  try {
    const GateReport report = GateRun(run, baseline.folder, records, choices);
    comparison.verdict = NightlyVerdictOf(report.verdict);
    comparison.sentence = WhyOf(report);
    fs::rename(run / kGateFile, GateFileOf(run, baseline.role));
  } catch (const ConfigError& error) {  // a baseline is damaged: the others are judged against
    comparison.verdict = NightlyVerdict::kRefused;
    comparison.sentence = error.what();
  }
  return comparison;
}

/// Makes the worst gate that was decided the run's own.
void ShowWorst(const fs::path& run, std::vector<NightlyComparison> comparisons) {
  std::erase_if(comparisons, [&run](const NightlyComparison& comparison) {
    return !fs::exists(GateFileOf(run, comparison.against));
  });
  if (const NightlyComparison* const worst = WorstOf(comparisons)) {
    fs::rename(GateFileOf(run, worst->against), run / kGateFile);
  }
}

/// "regression against the pinned run 20260301T020000Z: …".
std::string Told(const NightlyComparison& comparison) {
  return fmt::format("{} against the {} run {}: {}", ToString(comparison.verdict),
                     ToString(comparison.against), fs::path(comparison.folder).filename().string(),
                     comparison.sentence);
}

/// The worst comparison's reason; where several do not agree, each with its baseline, the worst
/// first.
std::string SentenceOf(std::vector<NightlyComparison> comparisons) {
  std::ranges::stable_sort(comparisons, [](const NightlyComparison& a, const NightlyComparison& b) {
    return IsWorse(a.verdict, b.verdict);
  });
  if (comparisons.size() == 1 || comparisons[0].verdict == NightlyVerdict::kPass) {
    return comparisons[0].sentence;
  }
  std::string text;
  for (const NightlyComparison& comparison : comparisons) {
    text += (text.empty() ? "" : "; ") + Told(comparison);
  }
  return text;
}

}  // namespace

NightlyBaselines BaselinesIn(const History& history, const std::string& scenario,
                             const fs::path& night) {
  const std::vector<HistoryRun> accepted = OfSameTrials(history.Accepted(scenario), night);
  NightlyBaselines baselines;
  if (accepted.empty()) return baselines;
  const auto last = std::ranges::find_if(accepted, IsThere);
  if (last != accepted.end()) baselines.runs.push_back({BaselineRole::kAccepted, last->folder});
  auto pinned = std::ranges::find_if(accepted, IsPinned);
  if (pinned == accepted.end()) --pinned;
  if (!IsThere(*pinned)) {
    baselines.gone = fmt::format(
        "the pinned run {} is not in {} any more: bring it back, or choose another one with "
        "`idbench history accept RUN`",
        pinned->id, pinned->folder);
  } else if (pinned != last) {
    baselines.runs.push_back({BaselineRole::kPinned, pinned->folder});
  }
  return baselines;
}

NightlyDecision JudgeNight(const fs::path& run, const NightlyBaselines& baselines,
                           const RecordSource& records, const GateChoices& choices) {
  if (baselines.runs.empty() && baselines.gone.empty()) {
    return {NightlyVerdict::kFirstRun,
            "the history holds no accepted run to compare it with: this one is pinned",
            {}};
  }
  NightlyDecision decision{NightlyVerdict::kIncomparable, baselines.gone, {}};
  for (const NightlyBaselines::Baseline& baseline : baselines.runs) {
    decision.comparisons.push_back(Compare(run, baseline, records, choices));
  }
  ShowWorst(run, decision.comparisons);
  const NightlyComparison* const worst = WorstOf(decision.comparisons);
  const bool is_enough =
      worst != nullptr && (baselines.gone.empty() || !IsWorse(decision.verdict, worst->verdict));
  if (is_enough) {
    decision.verdict = worst->verdict;
    decision.sentence = SentenceOf(decision.comparisons);
    if (!baselines.gone.empty()) decision.sentence += "; " + baselines.gone;
  }
  return decision;
}

Judgement JudgementOf(const NightlyDecision& decision) {
  Judgement judgement;
  judgement.verdict = ToString(decision.verdict);
  judgement.reason = decision.sentence;
  for (const NightlyComparison& comparison : decision.comparisons) {
    judgement.baselines.push_back(comparison.folder);
  }
  judgement.accepted = InfoOf(decision.verdict).accepted;
  judgement.pinned = decision.verdict == NightlyVerdict::kFirstRun;
  return judgement;
}

}  // namespace idbench
