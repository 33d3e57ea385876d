#include "bench/gate/gate_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "bench/gate/baseline.h"
#include "bench/gate/trials_anew.h"
#include "bench/run/compared_manifest.h"
#include "bench/run/exit_code.h"
#include "bench/run/provenance.h"
#include "reports/files/atomic_file.h"
#include "reports/gate/gate_report.h"
#include "reports/gate/matched_runs.h"
#include "reports/run/run_identity.h"
#include "scenarios/options/json.h"
#include "scenarios/options/utf8.h"

namespace idbench {
namespace {

std::filesystem::path ManifestFile(const std::filesystem::path& folder) {
  return folder / "manifest.json";
}

bool HasMetric(const RunFolder& folder, const std::string& metric) {
  return std::ranges::any_of(folder.manifest().metrics,
                             [&](const RunMetric& listed) { return listed.name == metric; });
}

/// The reserve trials that a baseline keeps, against the same ones run anew when they are asked
/// for.
GateReserve KeptReserve(const std::vector<GateSubject>& subjects, const std::filesystem::path& run,
                        const std::filesystem::path& baseline, const RecordSource& records) {
  const std::filesystem::path kept = baseline / kReserveFolder;
  const RunManifest manifest = ReadManifest(ManifestFile(kept));
  return {.pairs =
              [=, &subjects](const std::vector<std::size_t>& wanted) {
                std::vector<GateSubject> asked;
                for (const std::size_t i : wanted) asked.push_back(subjects[i]);
                const TrialsAnew anew(run, TrialsOfReserve(manifest), kept, records);
                return anew.PairsOf(asked);
              },
          .units = static_cast<std::size_t>(manifest.trials)};
}

/// Judges, with the reserve that there is.
GateReport Judge(std::vector<GateSubject> subjects, const RunFolder& run,
                 const std::filesystem::path& baseline, const GateRules& rules,
                 const RecordSource& records) {
  if (IsRecording(*run.manifest().scenario)) return DecideFixedGate(subjects, rules);
  if (HasReserve(baseline)) {
    return DecideGate(subjects, rules, KeptReserve(subjects, run.directory(), baseline, records));
  }
  const GateReserve halved = HalvedReserve(subjects);
  GateReport report = DecideGate(subjects, rules, halved);
  if (report.needed) {
    report.needed = GateNeeds{2 * std::max(report.needed->first, report.needed->reserve), 0};
  }
  report.sentences.emplace_back(
      "the baseline has no reserve trials (see --write-baseline): every second trial was kept back "
      "to confirm what the others flag");
  return report;
}

std::vector<std::string> NamesOf(const GateRules& rules) {
  std::vector<std::string> names;
  for (const GateMetric& metric : rules.metrics) names.push_back(metric.name);
  return names;
}

/// Why nothing can be judged, "" if it can.
std::string WhyNoGate(const RunFolder& run, const RunFolder& before, const GateRules& rules,
                      const GateChoices& choices) {
  if (std::string why = WhyIncomparable(ReadManifestToCompare(before.directory()),
                                        ReadManifestToCompare(run.directory()));
      !why.empty()) {
    return why;
  }
  if (std::string why = WhyOtherRules(run.manifest(), before.manifest(), choices); !why.empty()) {
    return why +
           "; a change does not choose its own gate: undo it, make the baseline anew, or say on "
           "the command line what counts";
  }
  for (const GateMetric& metric : rules.metrics) {
    if (!HasMetric(before, metric.name)) {
      return fmt::format("the baseline has no {}; make it anew with --write-baseline", metric.name);
    }
  }
  const std::vector<std::string> missing = MissingFrom(before, run, NamesOf(rules));
  if (missing.empty() || choices.allow_missing) return "";
  return fmt::format("{} of the baseline is not in the run; --allow-missing gates the rest",
                     ListSome(missing));
}

/// The outcome of most failures of the estimator in a cell of the run, and its first reason; "" if
/// there are none.
std::string WhyFailed(const RunFolder& run, const MatchedSamples& samples) {
  const std::vector<std::string>& labels = run.manifest().estimators;
  const auto at = std::ranges::find(labels, samples.b_label) - labels.begin();
  const EstimateTally& tally = run.tally(static_cast<std::size_t>(samples.cell.index))
                                   .estimators[static_cast<std::size_t>(at)];
  if (tally.reasons.empty()) return "";
  const auto most =
      std::ranges::max_element(tally.reasons, {}, [](const auto& reason) { return reason.second; });
  return fmt::format("{}: {}", most->first, tally.sentences.at(most->first));
}

/// What trials without a single failure do not exclude: the increase with (1 − δ)^n = α.
std::string UnseenFailures(const GateReport& report, const std::vector<GateSubject>& subjects,
                           const GateRules& rules) {
  double unseen = 0;
  for (const GateSubject& subject : subjects) {
    const Pairs& pairs = subject.pairs;
    const std::vector<double> failures = pairs.FailureChange();
    if (subject.lost || pairs.identical || pairs.size() == 0) continue;
    if (std::ranges::any_of(failures, [](double change) { return change != 0; })) continue;
    unseen = std::max(unseen, 1 - std::pow(rules.alpha, 1 / static_cast<double>(pairs.size())));
  }
  if (unseen <= rules.failure_tolerance || report.verdict == GateVerdict::kRegression) return "";
  return fmt::format(
      "no new failure was seen: so few trials exclude an increase of the failure rate above {:.2g} "
      "%, not of {:.2g} %",
      100 * unseen, 100 * rules.failure_tolerance);
}

/// What the call asks for in place of the scenario, "" if nothing.
std::string AskedOtherwise(const GateChoices& choices) {
  std::vector<std::string> said;
  if (choices.metric) said.push_back(fmt::format("metric {}", *choices.metric));
  if (choices.better)
    said.push_back(fmt::format("{} values are better", ToString(*choices.better)));
  if (choices.tolerance) said.push_back(fmt::format("tolerance {:g}", *choices.tolerance));
  if (choices.alpha) said.push_back(fmt::format("alpha {:g}", *choices.alpha));
  if (choices.allow_missing) said.emplace_back("estimators may be missing");
  return said.empty() ? "" : fmt::format("in place of the scenario's: {}", fmt::join(said, ", "));
}

/// Metrics whose changes are differences, which have a greatest value.
std::string WhichAreDifferences(const std::vector<GateSubject>& subjects) {
  std::vector<std::string> names;
  for (const GateSubject& subject : subjects) {
    const std::string& name = subject.metric.name;
    if (subject.lost || subject.pairs.identical || subject.pairs.ratios) continue;
    if (subject.metric.absolute) continue;  // its tolerance is one of differences
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  if (names.empty()) return "";
  return fmt::format(
      "{}: not all values are positive, so a change is their difference over the mean of both "
      "sides, at most 200 %",
      fmt::join(names, ", "));
}

/// What a reserve of an older idbench is, "" for one of the run's further trials.
std::string WhatReserveDraws(const RunFolder& baseline) {
  if (!HasReserve(baseline.directory())) return "";
  const RunManifest reserve = ReadManifest(ManifestFile(baseline.directory() / kReserveFolder));
  if (reserve.seed == baseline.manifest().seed) return "";
  return fmt::format(
      "the reserve is of another seed, {}, not {}, as older versions made it: what it confirms has "
      "other robots, priors and motions where cells draw them; make the baseline anew with "
      "--write-baseline",
      reserve.seed, baseline.manifest().seed);
}

/// What the reader has to know about a gate as a whole.
void AddSentences(const RunFolder& run, const RunFolder& baseline, const GateRules& rules,
                  GateReport& report) {
  std::vector<std::string>& sentences = report.sentences;
  for (std::string& sentence : Unmatched(baseline, run, NamesOf(rules))) {
    sentences.push_back(std::move(sentence));
  }
  const Json now = ReadManifestToCompare(run.directory());
  const Json before = ReadManifestToCompare(baseline.directory());
  const auto tell = [&sentences](std::vector<std::string> more) {
    sentences.insert(sentences.end(), more.begin(), more.end());
  };
  tell(ReplacedEstimators(before, "the baseline", now, "the run"));
  tell(ProgramDifferences(before, "the baseline", now, "the run"));
  if (HasReserve(baseline.directory())) {
    tell(ProgramDifferences(before, "the baseline",
                            ReadManifestToCompare(baseline.directory() / kReserveFolder),
                            "its reserve"));
  }
  if (run.manifest().trials != baseline.manifest().trials) {
    sentences.push_back(fmt::format(
        "trials of the run: {}, of the baseline: {}; only the first {} are judged; for more, make "
        "both anew",
        run.manifest().trials, baseline.manifest().trials,
        std::min(run.manifest().trials, baseline.manifest().trials)));
  }
  if (run.manifest().fingerprint != baseline.manifest().fingerprint) {
    sentences.emplace_back(
        "the baseline was made with another floating-point arithmetic: values are compared in "
        "pairs, and none need be identical");
  }
  const bool confirmed = std::ranges::any_of(
      report.members, [](const GateMember& member) { return member.reserve.has_value(); });
  if (confirmed) {
    Json here = ProgramIdentity();
    if (now.contains("inputs")) here["inputs"] = now["inputs"];
    tell(ProgramDifferences(now, "the run", here, "this program, which ran the reserve trials"));
  }
  for (const RunCell& cell : run.manifest().cells) {
    const auto index = static_cast<std::size_t>(cell.index);
    if (IsRecording(*run.manifest().scenario) || run.tally(index).motions != 1) continue;
    sentences.emplace_back("trials share one motion: what is said holds for that motion");
    break;
  }
}

GateReport Write(GateReport report, const std::filesystem::path& run,
                 const std::filesystem::path& baseline) {
  report.baseline = baseline.string();
  WriteAtomically(run / "gate.json", JsonText(ToJson(report), 1) + '\n');
  return report;
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

bool HasReserve(const std::filesystem::path& baseline) {
  return std::filesystem::exists(ManifestFile(baseline / kReserveFolder));
}

std::vector<GateSubject> SubjectsOf(const RunFolder& baseline, const RunFolder& run,
                                    const GateRules& rules) {
  std::vector<GateSubject> subjects;
  for (const GateMetric& metric : rules.metrics) {
    for (const MatchedSamples& samples : MatchRuns(baseline, run, metric.name)) {
      GateSubject subject{.cell = static_cast<std::size_t>(samples.cell.index),
                          .axes = samples.cell.axes,
                          .estimator = samples.b_label,
                          .metric = metric,
                          .pairs = samples.MakePairs(metric.better),
                          .why_failed = WhyFailed(run, samples)};
      for (const SamplesBeside& beside : samples.beside) {
        if (const auto other = samples.By(beside)) {
          subject.beside.push_back({beside.metric, other->MakePairs(metric.better)});
        } else {
          subject.not_beside.push_back(beside.metric);
        }
      }
      subjects.push_back(std::move(subject));
    }
    if (!HasMetric(run, metric.name)) continue;
    for (const auto& [cell, label] : LostIn(baseline, run, metric.name)) {
      subjects.push_back({.cell = static_cast<std::size_t>(cell.index),
                          .axes = cell.axes,
                          .estimator = label,
                          .metric = metric,
                          .pairs = {},
                          .lost = true});
    }
  }
  return subjects;
}

GateReserve HalvedReserve(std::vector<GateSubject>& subjects) {
  auto kept_back = std::make_shared<std::vector<Pairs>>();
  std::size_t units = 0;
  for (GateSubject& subject : subjects) {
    kept_back->push_back(EverySecond(subject.pairs, 1));
    subject.pairs = EverySecond(subject.pairs, 0);
    units = std::max(units, Units(kept_back->back().rollouts).size());
  }
  return {.pairs =
              [kept_back](const std::vector<std::size_t>& wanted) {
                std::vector<Pairs> pairs;
                for (const std::size_t i : wanted) pairs.push_back(kept_back->at(i));
                return pairs;
              },
          .units = units};
}

GateReport GateRun(const std::filesystem::path& run_path, const std::filesystem::path& baseline,
                   const RecordSource& records, const GateChoices& choices) {
  const RunFolder run(run_path);
  std::filesystem::remove(run_path / "gate.json");  // that of another call: this one may refuse
  const RunFolder before(baseline);
  const std::string source = ManifestFile(run_path).string();
  GateReport report;
  for (const std::string& metric : MissingGateMetrics(run.manifest(), source, choices)) {
    if (!HasMetric(before, metric)) continue;
    report = Incomparable(
        fmt::format("the run has no {} any more, which the baseline is gated by", metric));
    return Write(std::move(report), run_path, baseline);
  }
  const GateRules rules = GateRulesOf(run.manifest(), source, choices);
  if (std::string why = WhyNoGate(run, before, rules, choices); !why.empty()) {
    report = Incomparable(std::move(why));
  } else if (const auto subjects = SubjectsOf(before, run, rules); subjects.empty()) {
    report = Incomparable("run and baseline have no cell and estimator in common");
  } else {
    report = Judge(subjects, run, baseline, rules, records);
    std::string unseen =
        IsRecording(*run.manifest().scenario) ? "" : UnseenFailures(report, subjects, rules);
    for (std::string sentence :
         {std::move(unseen), WhichAreDifferences(subjects), AskedOtherwise(choices),
          IsRecording(*run.manifest().scenario) ? "" : WhatReserveDraws(before)}) {
      if (!sentence.empty()) report.sentences.push_back(std::move(sentence));
    }
    AddSentences(run, before, rules, report);
  }
  report.alpha = rules.alpha;
  report.tolerance = rules.metrics.front().tolerance;
  return Write(std::move(report), run_path, baseline);
}

}  // namespace idbench
