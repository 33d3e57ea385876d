#include "bench/gate/gate_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "bench/gate/baseline.h"
#include "bench/run/exit_code.h"
#include "bench/run/provenance.h"
#include "reports/files/atomic_file.h"
#include "reports/gate/gate_report.h"
#include "reports/gate/matched_runs.h"
#include "reports/statistics/bootstrap.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

std::filesystem::path ManifestFile(const std::filesystem::path& folder) {
  return folder / "manifest.json";
}

bool HasMetric(const RunFolder& folder, const std::string& metric) {
  return std::ranges::any_of(folder.manifest().metrics,
                             [&](const RunMetric& listed) { return listed.name == metric; });
}

bool HasReserve(const std::filesystem::path& baseline) {
  return std::filesystem::exists(ManifestFile(baseline / kReserveFolder));
}

bool IsRecording(const RunFolder& folder) {
  return folder.manifest().scenario->value("recording", Json()).is_object();
}

std::vector<GateSubject> SubjectsOf(const std::vector<MatchedSamples>& matched, Better better) {
  std::vector<GateSubject> subjects;
  for (const MatchedSamples& samples : matched) {
    subjects.push_back({static_cast<std::size_t>(samples.cell.index), samples.cell.axes,
                        samples.b_label, samples.MakePairs(better)});
  }
  return subjects;
}

/// The reserve trials of a run's subjects: those of the baseline against the same ones run anew.
class Reserve {
 public:
  Reserve(const RunFolder& run, const std::filesystem::path& baseline, const GateOptions& options,
          const RecordSource& records)
      : run_(run), folder_(baseline / kReserveFolder), options_(options), records_(records) {}

  std::vector<Pairs> Run(const std::vector<GateSubject>& subjects,
                         const std::vector<std::size_t>& wanted) const {
    const std::vector<Override> overrides = {
        {"/seed", folder_.manifest().scenario->at("seed").dump()},
        {"/trials", std::to_string(folder_.manifest().trials)},
        {"/timing_trials", "0"},
        {"/keep_series", "[]"}};
    const LoadedScenario loaded = LoadScenarioOf(run_.directory(), overrides);
    std::set<std::size_t> cells;
    for (const std::size_t i : wanted) cells.insert(subjects[i].cell);
    const auto fresh = SamplesOf(loaded, cells, options_.metric, records_);
    const std::vector<MatchedSamples> kept = MatchRuns(folder_, folder_, options_.metric);
    std::vector<Pairs> pairs;
    for (const std::size_t i : wanted) {
      pairs.push_back(PairOf(subjects[i], loaded, kept,
                             fresh[static_cast<std::size_t>(
                                 std::distance(cells.begin(), cells.find(subjects[i].cell)))]));
    }
    return pairs;
  }

 private:
  Pairs PairOf(const GateSubject& subject, const LoadedScenario& loaded,
               const std::vector<MatchedSamples>& kept,
               const std::vector<MetricSamples>& fresh) const {
    const auto before = std::ranges::find_if(kept, [&](const MatchedSamples& samples) {
      return samples.a_label == subject.estimator && samples.cell.axes == subject.axes;
    });
    if (before == kept.end()) {
      throw ConfigError((folder_.directory() / "records.jsonl").string(), "",
                        fmt::format("no reserve trials of {}", subject.estimator),
                        {"make the baseline again with --write-baseline"});
    }
    const auto label = std::ranges::find(loaded.scenario.estimators, subject.estimator,
                                         [](const auto& entry) { return entry.first; });
    const auto index = static_cast<std::size_t>(label - loaded.scenario.estimators.begin());
    return MakePairs(before->a.overall, fresh[index].overall, before->a.rollouts, *options_.better);
  }

  const RunFolder& run_;
  RunFolder folder_;
  const GateOptions& options_;
  const RecordSource& records_;
};

/// Judges, with the reserve that there is.
GateReport Judge(std::vector<GateSubject> subjects, const RunFolder& run,
                 const std::filesystem::path& baseline, const GateOptions& options,
                 const RecordSource& records) {
  if (IsRecording(run)) return DecideFixedGate(subjects, options);
  if (HasReserve(baseline)) {
    return DecideGate(subjects, options, [&](const std::vector<std::size_t>& wanted) {
      return Reserve(run, baseline, options, records).Run(subjects, wanted);
    });
  }
  std::vector<Pairs> kept_back;
  for (GateSubject& subject : subjects) {
    kept_back.push_back(EverySecond(subject.pairs, 1));
    subject.pairs = EverySecond(subject.pairs, 0);
  }
  GateReport report =
      DecideGate(subjects, options, [&kept_back](const std::vector<std::size_t>& wanted) {
        std::vector<Pairs> pairs;
        for (const std::size_t i : wanted) pairs.push_back(kept_back[i]);
        return pairs;
      });
  report.sentences.emplace_back(
      "the baseline has no reserve trials (see --write-baseline): every second trial was kept back "
      "to confirm what the others flag");
  return report;
}

/// What the reader has to know about a gate as a whole.
void AddSentences(const RunFolder& run, const RunFolder& baseline, const Json& run_manifest,
                  const Json& baseline_manifest, GateReport& report) {
  std::vector<std::string>& sentences = report.sentences;
  for (std::string& sentence : Unmatched(baseline, run)) sentences.push_back(std::move(sentence));
  if (run_manifest.value("fingerprint", "") != baseline_manifest.value("fingerprint", "")) {
    sentences.emplace_back(
        "the baseline was made with another floating-point arithmetic: values are compared in "
        "pairs, and none need be identical");
  }
  const bool confirmed = std::ranges::any_of(
      report.members, [](const GateMember& member) { return member.reserve.has_value(); });
  if (confirmed && run.manifest().commit != Commit()) {
    sentences.push_back(
        fmt::format("the run is of commit {}, the reserve trials that confirm it were run by {}",
                    run.manifest().commit, Commit()));
  }
  for (const RunCell& cell : run.manifest().cells) {
    const auto index = static_cast<std::size_t>(cell.index);
    if (IsRecording(run) || run.tally(index).rollouts != 1) continue;
    sentences.emplace_back("trials share one motion: what is said holds for that motion");
    break;
  }
}

}  // namespace

int ExitCodeOf(GateVerdict verdict) {
  switch (verdict) {
    case GateVerdict::kPass:
      return kExitFine;
    case GateVerdict::kRegression:
      return kExitRegression;
    case GateVerdict::kInconclusive:
      return kExitInconclusive;
    case GateVerdict::kIncomparable:
      break;
  }
  return kExitIncomparable;
}

GateReport GateRun(const std::filesystem::path& run_path, const std::filesystem::path& baseline,
                   const RecordSource& records) {
  const RunFolder run(run_path);
  const RunFolder before(baseline);
  const Json run_manifest = ReadJsonFile(ManifestFile(run_path));
  const Json baseline_manifest = ReadJsonFile(ManifestFile(baseline));
  const GateOptions options = GateOptionsOf(run.manifest(), ManifestFile(run_path).string());
  GateReport report;
  if (std::string why = WhyIncomparable(baseline_manifest, run_manifest); !why.empty()) {
    report = Incomparable(std::move(why));
  } else if (!HasMetric(before, options.metric)) {
    report = Incomparable(fmt::format("the baseline has no {}", options.metric));
  } else {
    const auto matched = MatchRuns(before, run, options.metric);
    report = matched.empty()
                 ? Incomparable("run and baseline have no cell and estimator in common")
                 : Judge(SubjectsOf(matched, *options.better), run, baseline, options, records);
    AddSentences(run, before, run_manifest, baseline_manifest, report);
  }
  report.baseline = baseline.string();
  report.alpha = options.alpha;
  report.tolerance = options.tolerance;
  WriteAtomically(run_path / "gate.json", ToJson(report).dump(1) + '\n');
  return report;
}

AaReport GateAgainstItself(const std::filesystem::path& run_path,
                           const std::filesystem::path& baseline, int gates) {
  const RunFolder run(run_path);
  const GateOptions options = GateOptionsOf(run.manifest(), ManifestFile(run_path).string());
  std::filesystem::path other = baseline;
  if (HasReserve(baseline)) other /= kReserveFolder;
  const RunFolder before(other);
  if (before.manifest().seed == run.manifest().seed) {
    throw UsageError(
        "--aa: the baseline has the run's seed and no reserve trials: nothing differs by chance\n"
        "  give a baseline from --write-baseline, or a run of the scenario with another --seed");
  }
  const std::vector<GateSubject> subjects =
      SubjectsOf(MatchRuns(before, run, options.metric), *options.better);
  return {.subjects = subjects.size(),
          .baseline_seed = before.manifest().seed,
          .run_seed = run.manifest().seed,
          .alpha = options.alpha,
          .result = RunPseudoGates(subjects, options, static_cast<std::size_t>(gates))};
}

std::string RenderAa(const AaReport& report) {
  const auto rate = [gates = report.result.gates](std::size_t count) {
    const ConfidenceInterval interval =
        WilsonInterval(static_cast<double>(count), static_cast<double>(gates), 0.95);
    return fmt::format("{} of {} = {:.2f} % [{:.2f}, {:.2f}]", count, gates,
                       100.0 * static_cast<double>(count) / static_cast<double>(gates),
                       100 * interval.lower, 100 * interval.upper);
  };
  return fmt::format(
      "A/A: {} cells and estimators, seeds {} and {}, labels exchanged at random\n"
      "  false alarms:                         {}\n"
      "  flagged before the reserve trials:    {}\n"
      "  95 % Wilson intervals; alarms are bounded by α = {:.0f} %\n",
      report.subjects, report.baseline_seed, report.run_seed, rate(report.result.alarms),
      rate(report.result.flagged), 100 * report.alpha);
}

}  // namespace idbench
