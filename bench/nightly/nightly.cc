#include "bench/nightly/nightly.h"

#include <fmt/format.h>

#include <chrono>
#include <cstring>
#include <ctime>
#include <exception>
#include <span>
#include <string>
#include <tuple>
#include <utility>

#include "bench/nightly/child.h"
#include "reports/files/number_format.h"
#include "reports/files/utc_time.h"
#include "reports/history/history.h"
#include "scenarios/options/json.h"
#include "scenarios/options/utf8.h"

namespace idbench {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// A folder that is not there yet: <parent>/<time>.
fs::path FreshFolder(const fs::path& parent) {
  const std::string stamp = UtcStamp(std::time(nullptr));
  fs::path folder = parent / stamp;
  for (int k = 2; fs::exists(folder); ++k) folder = parent / fmt::format("{}-{}", stamp, k);
  return folder;
}

/// A scenario that has not run.
NightlyResult NotRun(const std::string& label, std::string why) {
  NightlyResult result;
  result.label = label;
  result.verdict = NightlyVerdict::kNotRun;
  result.sentence = std::move(why);
  return result;
}

/// The result that a child wrote.
NightlyResult ReadResult(const std::string& text) {
  NightlyResult result;
  std::vector<Issue> issues;
  ReadFields(Visit(result), ParseJson(text, "result of a scenario"), "", issues);
  if (!issues.empty()) throw ConfigError("result of a scenario", std::move(issues));
  return result;
}

/// Verdict and sentence on a child that did not return.
std::pair<NightlyVerdict, std::string> FateOf(const ChildReport& report,
                                              const NightlyLimits& limits) {
  switch (report.end) {
    case ChildEnd::kSignal:
      return {NightlyVerdict::kCrashed,
              fmt::format("signal {} ({}) ended it", report.signal, ::strsignal(report.signal))};
    case ChildEnd::kOverTime:
      return {NightlyVerdict::kKilled,
              fmt::format("killed after its budget_s of {} and its grace_s of {}",
                          PrintDuration(limits.budget_s), PrintDuration(limits.grace_s))};
    case ChildEnd::kOverMemory:
      return {NightlyVerdict::kKilled,
              fmt::format("refused memory or a thread: its memory_mib is {}", limits.memory_mib)};
    case ChildEnd::kStopped:
      return {NightlyVerdict::kInterrupted, "stopped from outside"};
    case ChildEnd::kReturned:
    case ChildEnd::kFailed:
      break;
  }
  return {NightlyVerdict::kFailed, report.text};
}

/// The result of a scenario whose process did not write one.
NightlyResult ResultWithout(const ChildReport& report, const NightlyTask& task) {
  NightlyResult result;
  result.label = task.label;
  std::tie(result.verdict, result.sentence) = FateOf(report, task.limits);
  if (!fs::exists(task.folder)) return result;
  result.folder = task.folder.string();
  try {
    if (const std::string how = HowToGoOn(task); !how.empty()) {
      result.sentence += fmt::format(" with {}", how);
    }
  } catch (const std::exception& error) {  // it did not end in order
    result.sentence += fmt::format("; what it left is damaged: {}", error.what());
  }
  return result;
}

/// The scenarios of the entries before one, by label.
Labelled<std::string> EarlierScenarios(const std::vector<NightlyResult>& results, std::size_t end) {
  Labelled<std::string> earlier;
  for (const NightlyResult& result : std::span(results).first(end)) {
    if (!result.scenario.empty()) earlier.emplace_back(result.label, result.scenario);
  }
  return earlier;
}

NightlyResult RunInChild(const NightlyTask& task, const std::atomic<bool>& stop,
                         const NightlyRunner& run) {
  const auto begin = Clock::now();
  ChildReport report;
  try {
    report = RunChild([&] { return JsonText(WriteValue(run(task, stop))); },
                      {.wall_s = task.limits.budget_s + task.limits.grace_s,
                       .memory_mib = task.limits.memory_mib},
                      stop);
    if (report.end == ChildEnd::kReturned) return ReadResult(report.text);
  } catch (const std::exception& error) {  // no process, or no result in what it wrote
    report = {ChildEnd::kFailed, error.what(), 0};
  }
  NightlyResult result = ResultWithout(report, task);
  result.duration_s = std::chrono::duration<double>(Clock::now() - begin).count();
  return result;
}

}  // namespace

std::vector<NightlyResult> RunNightly(const NightlyPlaces& places, const std::atomic<bool>& stop,
                                      const NightlyObserver& observe, const NightlyRunner& run) {
  const NightlyOptions options = ReadNightly(places.suite);
  { History created(places.history, IfMissing::kCreate); }  // no child inherits it open
  std::vector<NightlyResult> results;
  for (const auto& [label, entry] : options.scenarios) {
    results.push_back(NotRun(label, "the suite has not come to it"));
  }
  observe(results);
  for (std::size_t i = 0; i < results.size(); ++i) {
    const auto& [label, entry] = options.scenarios[i];
    if (stop) {
      results[i] = NotRun(label, "the suite was stopped before it");
    } else {
      const NightlyTask task{places.suite,
                             label,
                             entry,
                             LimitsOf(entry, options.limits),
                             FreshFolder(places.out / label),
                             places.history,
                             EarlierScenarios(results, i)};
      results[i] = RunInChild(task, stop, run);
    }
    observe(results);
  }
  return results;
}

}  // namespace idbench
