#include "bench/nightly/nightly_scenario.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <iterator>
#include <map>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "bench/gate/gate_check.h"
#include "bench/metrics/metrics.h"
#include "bench/nightly/nightly_baselines.h"
#include "bench/run/runner.h"
#include "reports/files/number_format.h"
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

std::vector<std::string> UnmetNeeds(const NightlyEntry& entry) {
  std::vector<std::string> unmet;
  std::ranges::copy_if(entry.needs, std::back_inserter(unmet), [](const std::string& name) {
    return std::getenv(name.c_str()) == nullptr;
  });
  return unmet;
}

/// A message of several lines in one.
std::string OneLine(std::string text) {
  static constexpr std::string_view kBreak = "\n  ";
  for (std::size_t at; (at = text.find(kBreak)) != std::string::npos;) {
    text.replace(at, kBreak.size(), "; ");
  }
  return text;
}

fs::path ScenarioFile(const NightlyTask& task) {
  return task.suite.parent_path() / task.entry.file;
}

LoadedScenario LoadEntry(const fs::path& suite, const NightlyEntry& entry) {
  std::vector<Override> overrides;
  if (entry.trials) overrides.push_back({"/trials", std::to_string(*entry.trials)});
  return LoadScenario(suite.parent_path() / entry.file, overrides, AllMetrics());
}

/// Says that two scenarios have one name.
std::string OneHistory(const std::string& scenario, const std::string& other) {
  return fmt::format(
      "is a scenario of the name \"{}\", as {} is: their runs would have one history, and be "
      "judged "
      "against each other",
      scenario, other);
}
constexpr const char* kRename = "give one of them a copy of the scenario with another name";

/// One scenario of a suite, from its file to its verdict.
class NightlyRun {
 public:
  NightlyRun(const NightlyTask& task, const std::atomic<bool>& stop)
      : task_(task), entry_(task.entry), stop_(stop) {
    result_.label = task.label;
  }

  NightlyResult Run() && {
    const auto begin = Clock::now();
    try {
      Execute();
    } catch (const ConfigError& error) {
      Set(NightlyVerdict::kRefused, OneLine(error.what()));
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
    const LoadedScenario loaded = LoadEntry(task_.suite, entry_);
    for (const auto& [label, scenario] : task_.earlier) {
      const bool judged = entry_.baseline.kind == NightlyBaseline::Kind::kAccepted;
      if (!judged || scenario != loaded.scenario.name) continue;
      return Set(NightlyVerdict::kRefused, OneHistory(scenario, label) + "; " + kRename);
    }
    result_.scenario = loaded.scenario.name;
    if (!Compute(loaded)) return;
    const NightlyDecision decision = Decide(loaded);
    Set(decision.verdict, OneLine(decision.sentence));
    result_.comparisons = decision.comparisons;
    WriteReport(task_.folder);
    Keep(decision);
  }

  int jobs() const {
    return entry_.jobs.value_or(std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
  }

  /// False if it was stopped.
  bool Compute(const LoadedScenario& loaded) {
    result_.folder = task_.folder.string();
    const Deadline deadline(task_.limits.budget_s, stop_);
    if (RunScenario(loaded, {.folder = task_.folder, .jobs = jobs(), .stop = &deadline.flag()}) ==
        RunResult::kFinished) {
      return true;
    }
    Set(stop_ ? NightlyVerdict::kInterrupted : NightlyVerdict::kOverBudget,
        fmt::format("{} {} with {}", stop_ ? "stopped" : "stopped after its budget of",
                    stop_ ? "from outside" : PrintDuration(task_.limits.budget_s),
                    HowToGoOn(task_)));
    return false;
  }

  NightlyDecision Decide(const LoadedScenario& loaded) const {
    NightlyBaselines baselines;
    switch (entry_.baseline.kind) {
      case NightlyBaseline::Kind::kNone:
        return {NightlyVerdict::kNotGated, "its baseline is \"none\"", {}};
      case NightlyBaseline::Kind::kFolder:
        baselines.runs = {
            {BaselineRole::kNamed, task_.suite.parent_path() / entry_.baseline.folder}};
        break;
      case NightlyBaseline::Kind::kAccepted:
        baselines = BaselinesIn(History(task_.history), loaded.scenario.name, task_.folder);
        break;
    }
    return JudgeNight(task_.folder, baselines, RecordsRunHere(jobs()),
                      {.tolerance = entry_.tolerance});
  }

  void Keep(const NightlyDecision& decision) const {
    const RunFolder folder(task_.folder);
    History(task_.history).Add(folder, Summarise(folder), JudgementOf(decision));
  }

  const NightlyTask& task_;
  const NightlyEntry& entry_;
  const std::atomic<bool>& stop_;
  NightlyResult result_;
};

}  // namespace

NightlyResult RunNightlyTask(const NightlyTask& task, const std::atomic<bool>& stop) {
  return NightlyRun(task, stop).Run();
}

std::vector<Issue> CheckNightly(const std::filesystem::path& suite, const NightlyOptions& options) {
  std::vector<Issue> issues;
  std::map<std::string, std::string> pointers;  // by the scenario's name
  for (const auto& [label, entry] : options.scenarios) {
    if (!UnmetNeeds(entry).empty()) continue;
    const std::string pointer = PointerTo("/scenarios", label);
    try {
      const LoadedScenario loaded = LoadEntry(suite, entry);
      const auto [first, is_new] = pointers.emplace(loaded.scenario.name, pointer);
      if (!is_new && entry.baseline.kind == NightlyBaseline::Kind::kAccepted) {
        issues.push_back({pointer, OneHistory(loaded.scenario.name, first->second), {kRename}});
      }
      if (entry.baseline.kind == NightlyBaseline::Kind::kFolder) {
        const fs::path folder = suite.parent_path() / entry.baseline.folder;
        if (!fs::exists(folder / "records.jsonl")) {
          issues.push_back({pointer + "/baseline",
                            fmt::format("there is no run in {}", folder.string()),
                            {"accepted here: \"accepted\", \"none\", or a run folder"}});
        }
      }
      if (entry.baseline.kind != NightlyBaseline::Kind::kAccepted) continue;
      if (std::string why = WhyHalvedGateCannotAlarm(loaded, {.tolerance = entry.tolerance});
          !why.empty()) {
        issues.push_back({pointer, std::move(why), {"raise trials of the entry"}});
      }
    } catch (const ConfigError& error) {
      issues.push_back({pointer, OneLine(error.what()), {}});
    }
  }
  return issues;
}

std::string HowToGoOn(const NightlyTask& task) {
  if (!fs::exists(task.folder / "manifest.json")) return "";
  const RunStatus status = ReadRunStatus(task.folder);
  const std::string trials =
      task.entry.trials ? fmt::format(" --trials {}", *task.entry.trials) : "";
  return fmt::format("{} of {} trials; go on with: idbench run {}{} --resume --out {}",
                     status.done(), status.planned(), ScenarioFile(task).string(), trials,
                     task.folder.string());
}

}  // namespace idbench
