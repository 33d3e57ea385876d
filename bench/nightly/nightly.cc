#include "bench/nightly/nightly.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <ctime>
#include <iterator>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "bench/gate/gate_run.h"
#include "bench/metrics/metrics.h"
#include "bench/run/exit_code.h"
#include "bench/run/runner.h"
#include "reports/files/number_format.h"
#include "reports/files/utc_time.h"
#include "reports/gate/gate_report.h"
#include "reports/history/history.h"
#include "reports/report.h"
#include "reports/run/run_status.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// Sets a flag when a time is over, or when another flag is set.
class Deadline {
 public:
  Deadline(double seconds, const std::atomic<bool>& stop)
      : end_(Clock::now() +
             std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds))),
        stop_(stop),
        watch_([this](const std::stop_token& done) { Watch(done); }) {}

  const std::atomic<bool>& flag() const { return flag_; }

 private:
  void Watch(const std::stop_token& done) {
    static constexpr std::chrono::milliseconds kLook{20};
    std::unique_lock lock(mutex_);
    while (!done.stop_requested() && !stop_ && Clock::now() < end_) {
      waiting_.wait_for(lock, done, kLook, [] { return false; });
    }
    flag_ = !done.stop_requested();
  }

  Clock::time_point end_;
  const std::atomic<bool>& stop_;
  std::atomic<bool> flag_ = false;
  std::mutex mutex_;
  std::condition_variable_any waiting_;
  std::jthread watch_;  // last: it uses the others
};

/// A folder that is not there yet: <parent>/<time>.
fs::path FreshFolder(const fs::path& parent) {
  const std::string stamp = UtcStamp(std::time(nullptr));
  fs::path folder = parent / stamp;
  for (int k = 2; fs::exists(folder); ++k) folder = parent / fmt::format("{}-{}", stamp, k);
  return folder;
}

std::vector<std::string> UnmetNeeds(const NightlyEntry& entry) {
  std::vector<std::string> unmet;
  std::ranges::copy_if(entry.needs, std::back_inserter(unmet), [](const std::string& name) {
    return std::getenv(name.c_str()) == nullptr;
  });
  return unmet;
}

/// The newest run of a scenario in the history whose folder still holds it: of the scenario as it
/// is now, else of an earlier version of it, with which it cannot be compared, as will be said.
fs::path LastRun(const History& history, const Scenario& scenario, const Json& expanded) {
  const std::string hash = ScenarioHash(expanded);
  fs::path other;
  for (const HistoryRun& run : history.Runs(scenario.name)) {
    if (!fs::exists(fs::path(run.folder) / "records.jsonl")) continue;
    if (run.scenario_hash == hash) return run.folder;
    if (other.empty()) other = run.folder;
  }
  return other;
}

/// Why a gate decided as it did, if it did not pass, and the tally of its members.
std::string WhyOf(const GateReport& report) {
  std::string tally = PrintTally(report);
  const std::string reason = ReasonOf(report);
  if (report.verdict == GateVerdict::kPass || reason.empty()) return tally;
  return tally.empty() ? reason : fmt::format("{} ({})", reason, tally);
}

/// A message of several lines in one.
std::string OneLine(std::string text) {
  static constexpr std::string_view kBreak = "\n  ";
  for (std::size_t at; (at = text.find(kBreak)) != std::string::npos;) {
    text.replace(at, kBreak.size(), "; ");
  }
  return text;
}

/// One scenario of a suite, from its file to its verdict.
class NightlyRun {
 public:
  NightlyRun(const NightlyPlaces& places, const std::string& label, const NightlyEntry& entry,
             const std::atomic<bool>& stop, History& history)
      : places_(places), entry_(entry), stop_(stop), history_(history) {
    result_.label = label;
  }

  NightlyResult Run() && {
    const auto begin = Clock::now();
    try {
      Execute();
    } catch (const ConfigError& error) {
      Set(NightlyVerdict::kRefused, OneLine(error.what()));
    } catch (const std::exception& error) {
      Set(NightlyVerdict::kFailed, error.what());
    }
    result_.duration_s = std::chrono::duration<double>(Clock::now() - begin).count();
    return std::move(result_);
  }

 private:
  void Set(NightlyVerdict verdict, std::string sentence) {
    result_.verdict = verdict;
    result_.sentence = std::move(sentence);
  }

  void Execute() {
    if (const auto unmet = UnmetNeeds(entry_); !unmet.empty()) {
      return Set(NightlyVerdict::kSkipped, fmt::format("{} is not set", fmt::join(unmet, ", ")));
    }
    std::vector<Override> overrides;
    if (entry_.trials) overrides.push_back({"/trials", std::to_string(*entry_.trials)});
    const LoadedScenario loaded =
        LoadScenario(places_.suite.parent_path() / entry_.file, overrides, AllMetrics());
    result_.scenario = loaded.scenario.name;
    const fs::path baseline = BaselineOf(loaded);
    if (!Compute(loaded)) return;
    try {
      Judge(baseline);
    } catch (const ConfigError& error) {
      Set(NightlyVerdict::kRefused, OneLine(error.what()));  // the run is whole: it is reported
    }
    WriteReport(result_.folder);
    const RunFolder folder(result_.folder);
    history_.Add(folder, Summarise(folder));
  }

  int jobs() const {
    return entry_.jobs.value_or(std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
  }

  fs::path BaselineOf(const LoadedScenario& loaded) const {
    switch (entry_.baseline.kind) {
      case NightlyBaseline::Kind::kNone:
        return {};
      case NightlyBaseline::Kind::kLast:
        return LastRun(history_, loaded.scenario, *loaded.expanded);
      case NightlyBaseline::Kind::kFolder:
        break;
    }
    return places_.suite.parent_path() / entry_.baseline.folder;
  }

  /// False if it was stopped.
  bool Compute(const LoadedScenario& loaded) {
    result_.folder = FreshFolder(places_.out / result_.label);
    const Deadline deadline(entry_.budget_s, stop_);
    if (RunScenario(loaded, {.folder = result_.folder, .jobs = jobs(), .stop = &deadline.flag()}) ==
        RunResult::kFinished) {
      return true;
    }
    const RunStatus status = ReadRunStatus(result_.folder);
    const std::string trials = entry_.trials ? fmt::format(" --trials {}", *entry_.trials) : "";
    Set(stop_ ? NightlyVerdict::kInterrupted : NightlyVerdict::kOverBudget,
        fmt::format("{} {} with {} of {} trials; go on with: idbench run {}{} --resume --out {}",
                    stop_ ? "stopped" : "stopped after its budget of",
                    stop_ ? "from outside" : PrintDuration(entry_.budget_s), status.done(),
                    status.planned(), loaded.source, trials, result_.folder.string()));
    return false;
  }

  void Judge(const fs::path& baseline) {
    if (entry_.baseline.kind == NightlyBaseline::Kind::kNone) {
      return Set(NightlyVerdict::kNotGated, "its baseline is \"none\"");
    }
    if (baseline.empty()) {
      return Set(NightlyVerdict::kFirstRun, "the history holds no run to compare it with");
    }
    result_.baseline = baseline;
    const GateReport report = GateRun(result_.folder, baseline, RecordsRunHere(jobs()));
    Set(NightlyVerdictOf(report.verdict), WhyOf(report));
  }

  const NightlyPlaces& places_;
  const NightlyEntry& entry_;
  const std::atomic<bool>& stop_;
  History& history_;
  NightlyResult result_;
};

}  // namespace

std::vector<NightlyResult> RunNightly(const NightlyPlaces& places, const std::atomic<bool>& stop) {
  const NightlyOptions options = ReadNightly(places.suite);
  History history(places.history, IfMissing::kCreate);
  std::vector<NightlyResult> results;
  for (const auto& [label, entry] : options.scenarios) {
    if (stop) {
      NightlyResult left;
      left.label = label;
      left.verdict = NightlyVerdict::kNotRun;
      left.sentence = "the suite was stopped before it";
      results.push_back(std::move(left));
      continue;
    }
    results.push_back(NightlyRun(places, label, entry, stop, history).Run());
  }
  return results;
}

int WorstExitCode(const std::vector<NightlyResult>& results) {
  constexpr int kFromBad[] = {kExitExecution,    kExitUsage,        kExitRegression,
                              kExitIncomparable, kExitInconclusive, kExitFine};
  for (const int code : kFromBad) {
    const auto ends_so = [code](const NightlyResult& result) {
      return InfoOf(result.verdict).exit_code == code;
    };
    if (std::ranges::any_of(results, ends_so)) return code;
  }
  return kExitFine;
}

}  // namespace idbench
