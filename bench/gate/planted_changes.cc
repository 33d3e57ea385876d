#include "bench/gate/planted_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/gate/baseline.h"
#include "bench/gate/gate_run.h"
#include "bench/gate/instructions.h"
#include "bench/gate/process.h"
#include "bench/metrics/metric_table.h"
#include "bench/run/exit_code.h"
#include "bench/run/runner.h"
#include "reports/files/atomic_file.h"
#include "reports/run/metric_name.h"
#include "reports/statistics/paired_rates.h"
#include "robots/random/random_stream.h"
#include "scenarios/metric_list.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// Trials that no gate is run with, whatever it asks for.
constexpr std::size_t kMostTrials = 2000;
constexpr double kLossOverMustFind = 1.5;

/// The first estimator that does not fail always; tells those before it, in which nothing can be
/// planted.
std::string FirstThatSucceeds(const RunFolder& folder) {
  const std::vector<std::string>& labels = folder.manifest().estimators;
  for (std::size_t e = 0; e < folder.manifest().EstimatorCount(); ++e) {
    std::string why;
    for (std::size_t cell = 0; cell < folder.manifest().cells.size(); ++cell) {
      const EstimateTally& tally = folder.tally(cell).estimators[e];
      if (tally.failed < tally.trials) return labels[e];
      if (why.empty()) why = tally.WhyFailed();
    }
    fmt::print("---  {}: nothing is planted, for all its estimates fail: {}\n", labels[e], why);
  }
  throw UsageError("--self-test: every estimate of the run failed, so nothing can be planted");
}

/// Runs of a scenario, clean and with something planted.
class Planter {
 public:
  Planter(const std::filesystem::path& run, int jobs) : run_(run), jobs_(jobs) {
    const RunFolder folder(run);
    rules_ = GateRulesOf(folder.manifest(), (run / "manifest.json").string());
    const MetricInfo* const info = FindMetric(AllMetrics(), MetricName(headline().name));
    if (info != nullptr && info->per_motion()) {
      throw UsageError(
          fmt::format("--self-test plants in estimates, and {} is of a motion: gate a metric of "
                      "estimators first",
                      headline().name));
    }
    estimator_ = FirstThatSucceeds(folder);
    members_ = MostMembers(rules_, folder.manifest());
    trials_ = static_cast<std::size_t>(folder.manifest().trials);
    if (folder.manifest().scenario->value("recording", Json()).is_object()) {
      throw UsageError("--self-test plants in simulations: a recording has no trials");
    }
  }

  const std::string& estimator() const { return estimator_; }
  const GateMetric& headline() const { return rules_.metrics.front(); }
  /// A loss of accuracy that the gate finds in nearly all cases.
  double loss() const { return kLossOverMustFind * headline().must_find; }
  std::size_t trials() const { return trials_; }

  /// Every n-th trial of the first estimator diverges: a tenth, or more where the trials are few.
  std::size_t FailureStride() const {
    const double level = rules_.alpha / (2.0 * static_cast<double>(members_));
    std::size_t failures = 1;
    while (failures < trials_ / 2 &&
           PairedRateTest({.only_b = failures, .trials = trials_}, rules_.failure_tolerance).upper >
               level) {
      ++failures;
    }
    return std::clamp<std::size_t>(trials_ / (failures + 2), 2, 10);
  }

  /// The gate's answer; with more trials as long as it asks for more.
  GateReport Gate(const RecordSource& records) {
    GateReport report = GateOnce(records);
    while (report.verdict == GateVerdict::kInconclusive && trials_ < kMostTrials && report.needed) {
      const std::size_t wanted = std::max(report.needed->first, report.needed->reserve);
      if (wanted <= trials_) break;
      fmt::print("  {} trials are inconclusive; the gate asks for {}\n", trials_, wanted);
      trials_ = std::min(wanted, kMostTrials);
      clean_ = false;
      report = GateOnce(records);
    }
    return report;
  }

 private:
  std::vector<Override> Overrides() const {
    return {{"/trials", std::to_string(trials_)},
            {"/gate/reserve_trials", "null"},
            {"/timing_trials", "0"},
            {"/keep_series", "[]"}};
  }

  void MakeClean() {
    if (clean_) return;
    for (const char* name : {"clean", "baseline"}) {
      std::filesystem::remove_all(scratch_.path() / name);
    }
    RunScenario(LoadScenarioOf(run_, Overrides()),
                {.folder = scratch_.path() / "clean", .jobs = jobs_});
    WriteBaseline(scratch_.path() / "clean", scratch_.path() / "baseline", jobs_);
    clean_ = true;
  }

  GateReport GateOnce(const RecordSource& source) {
    MakeClean();
    const std::filesystem::path changed = scratch_.path() / "changed";
    std::filesystem::remove_all(changed);
    std::filesystem::create_directories(changed);
    const LoadedScenario loaded = LoadScenarioOf(run_, Overrides());
    RolloutStore rollouts;
    std::string records;
    for (std::size_t cell = 0; cell < loaded.cells.size(); ++cell) {
      records += source(loaded, cell, rollouts);
    }
    WriteAtomically(changed / "records.jsonl", SlimRecords(records, rules_.metrics));
    // The manifest of the clean run: nobody tells the gate that something was planted.
    std::filesystem::copy_file(scratch_.path() / "baseline" / "manifest.json",
                               changed / "manifest.json");
    return GateRun(changed, scratch_.path() / "baseline", source);
  }

  std::filesystem::path run_;
  int jobs_;
  GateRules rules_;
  std::string estimator_;
  std::size_t members_ = 0;
  std::size_t trials_ = 0;
  ScratchDirectory scratch_;
  bool clean_ = false;  ///< The clean run and its baseline are there, with trials_ trials.
};

std::function<void(Json&)> LessAccurate(const std::string& estimator, const GateMetric& headline,
                                        double loss) {
  const double factor = headline.better == Better::kLower ? 1 + loss : 1 / (1 + loss);
  return [=](Json& record) {
    if (record.value("estimator", "") != estimator) return;
    const auto metric = record.at("metrics").find(headline.name);
    if (metric == record.at("metrics").end() || !metric->contains("value")) return;
    (*metric)["value"] = factor * metric->at("value").get<double>();
  };
}

std::function<void(Json&)> Diverging(const std::string& estimator, std::size_t stride) {
  return [=](Json& record) {
    if (record.value("estimator", "") != estimator ||
        record.at("trial").get<std::size_t>() % stride != 0) {
      return;
    }
    record["outcome"] = "diverged";
    record["reason"] = "planted";
    record["metrics"] = Json::object();
  };
}

/// The datasets without a fraction of their samples, of all channels alike; which ones, is drawn
/// for each trial.
std::vector<Dataset> LoseSamples(const std::vector<Dataset>& datasets, std::int64_t trial,
                                 double fraction) {
  std::vector<Dataset> changed;
  for (const Dataset& dataset : datasets) {
    const RandomStream stream(1, trial, "self-test/" + dataset.label());
    Dataset& left = changed.emplace_back(dataset.WithoutChannels());
    left.lowpass_cutoff_hz = dataset.lowpass_cutoff_hz;
    for (Channel channel : dataset.channels()) {
      std::vector<Eigen::Index> kept;
      for (Eigen::Index k = 0; k < channel.time_s.size(); ++k) {
        if (stream.Uniform(0, static_cast<std::uint64_t>(k)) >= fraction) kept.push_back(k);
      }
      const Eigen::VectorXd times = channel.time_s(kept);
      const Eigen::MatrixXd samples = channel.samples(kept, Eigen::all);
      channel.time_s = times;
      channel.samples = samples;
      left.Add(std::move(channel));
    }
  }
  return changed;
}

/// The trials of a source, without a fraction of the samples.
TrialSource LosingSamples(TrialSource source, double fraction) {
  return [source = std::move(source), fraction](const PreparedCell& context, std::int64_t trial) {
    Trial made = source(context, trial);
    made.given = LoseSamples(made.datasets(), trial, fraction);
    return made;
  };
}

/// A verdict as the self-test prints it.
std::string_view LightOf(GateVerdict verdict) {
  if (verdict == GateVerdict::kPass) return "green";
  return verdict == GateVerdict::kRegression ? "red" : ToString(verdict);
}

/// Prints one line of the result.
/// @param suffers  the kind of members which have to show what was planted; nothing if none has.
/// @return true if the gate said what it should have.
bool Tell(const std::string& what, const GateReport& report,
          std::optional<GateMemberKind> suffers) {
  const bool told = suffers ? Finds(report, *suffers) : report.verdict == GateVerdict::kPass;
  const auto worst = std::ranges::find_if(report.members, [&](const GateMember& member) {
    return !suffers || member.kind == *suffers;
  });
  std::string why = worst == report.members.end() ? "" : worst->sentence;
  if (why.empty() && !told && worst != report.members.end()) {
    why = fmt::format("the worst effect is {:+.2f} %", 100 * worst->effect);
  }
  fmt::print("{} {}: {}{}{}\n", told ? "ok  " : "FAIL", what, LightOf(report.verdict),
             why.empty() ? "" : ": ", why);
  return told;
}

/// The greatest loss of accuracy.
double WorstEffect(const GateReport& report) {
  double worst = 0;
  for (const GateMember& member : report.members) {
    if (member.kind == GateMemberKind::kAccuracy) worst = std::max(worst, member.effect);
  }
  return worst;
}

}  // namespace

RecordSource ChangedRecords(RecordSource source, std::function<void(Json& record)> change) {
  return [source = std::move(source), change = std::move(change)](
             const LoadedScenario& loaded, std::size_t cell, RolloutStore& rollouts) {
    std::string changed;
    std::istringstream lines(source(loaded, cell, rollouts));
    for (std::string line; std::getline(lines, line);) {
      Json record = Json::parse(line);
      change(record);
      changed += record.dump() + '\n';
    }
    return changed;
  };
}

bool Finds(const GateReport& report, GateMemberKind kind) {
  return std::ranges::any_of(report.members, [kind](const GateMember& member) {
    return member.kind == kind && member.verdict == MemberVerdict::kRegression;
  });
}

bool TellsPlantedRecords(const std::filesystem::path& run, int jobs) {
  Planter planter(run, jobs);
  const std::string& estimator = planter.estimator();
  const RecordSource plain = RecordsRunHere(jobs);
  bool told = Tell("nothing", planter.Gate(plain), std::nullopt);
  const RecordSource less_accurate =
      ChangedRecords(plain, LessAccurate(estimator, planter.headline(), planter.loss()));
  told &= Tell(fmt::format("{:.3g} % less accuracy", 100 * planter.loss()),
               planter.Gate(less_accurate), GateMemberKind::kAccuracy);
  const RecordSource diverging =
      ChangedRecords(plain, Diverging(estimator, planter.FailureStride()));
  told &= Tell("failures", planter.Gate(diverging), GateMemberKind::kFailureRate);
  // Errors of estimates that average noise grow with 1/√n.
  const double fraction = 1 - 1 / ((1 + planter.loss()) * (1 + planter.loss()));
  const RecordSource lost = RecordsRunHere(jobs, LosingSamples(TrialOfCell, fraction));
  const std::string what = fmt::format("{:.2g} % lost samples", 100 * fraction);
  const GateReport with_less = planter.Gate(lost);
  if (WorstEffect(with_less) < planter.headline().must_find) {
    // A coverage or a bias, say, need not suffer: then there is nothing that must be found.
    fmt::print("---  {}: {} changes by {:+.2f} % at worst, which need not be found\n", what,
               planter.headline().name, 100 * WorstEffect(with_less));
    return told;
  }
  return Tell(what, with_less, GateMemberKind::kAccuracy) && told;
}

std::optional<bool> TellsPlantedSlowdown() {
  constexpr const char* kWhat = "10 % more work in one kernel";
  try {
    const Json baseline = ToJson(CountInstructions());
    const GateReport report =
        JudgeInstructions(baseline, "self-test", CountInstructions(WorkloadMode::kSlowed));
    return Tell(kWhat, report, GateMemberKind::kInstructionCount);
  } catch (const std::runtime_error& error) {
    fmt::print("---  {}: not planted: {}\n", kWhat, error.what());
    return std::nullopt;
  }
}

}  // namespace idbench
