#include "bench/nightly/nightly_scenario.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "bench/captured_output_test.h"
#include "bench/small_run_test.h"
#include "reports/history/history.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

const std::atomic<bool> kNotStopped = false;

/// The small scenario as the task of a suite in a folder of its own.
class TaskFolder {
 public:
  TaskFolder() {
    folder.Write("small.json", Description().dump());
    { History made(folder / "h", IfMissing::kCreate); }
    task = {folder / "nightly.json", "a", {}, {}, folder / "out" / "a", folder / "h"};
    task.entry.file = "small.json";
    task.entry.jobs = 1;
  }

  TemporaryFolder folder;
  NightlyTask task;
};

TEST_CASE("A task is run, judged, reported and kept in the history with its verdict") {
  const TaskFolder a;
  const NightlyResult result = RunNightlyTask(a.task, kNotStopped);
  CHECK(result.verdict == NightlyVerdict::kFirstRun);
  CHECK(result.label == "a");
  CHECK(result.scenario == "r");
  CHECK(result.folder == a.task.folder);
  CHECK(std::filesystem::exists(a.task.folder / "summary.json"));
  const std::vector<HistoryRun> kept = History(a.task.history).Accepted("r");
  REQUIRE(kept.size() == 1);
  CHECK(kept[0].judgement->verdict == "first run");
}

TEST_CASE("A task that is stopped tells how to go on, one that has not begun has nothing to tell") {
  const TaskFolder a;
  CHECK(HowToGoOn(a.task).empty());
  const std::atomic<bool> stop = true;
  const NightlyResult result = RunNightlyTask(a.task, stop);
  CHECK(result.verdict == NightlyVerdict::kInterrupted);
  CHECK(result.sentence == "stopped from outside with " + HowToGoOn(a.task));
  CHECK(Has(HowToGoOn(a.task), " of 18 trials; go on with: idbench run "));
  CHECK(History(a.task.history).Runs().empty());
}

TEST_CASE("A second entry of one scenario is refused: their runs would share a history") {
  TaskFolder a;
  a.task.earlier = {{"first", "r"}};
  const NightlyResult result = RunNightlyTask(a.task, kNotStopped);
  CHECK(result.verdict == NightlyVerdict::kRefused);
  CHECK(result.sentence.starts_with("is a scenario of the name \"r\", as first is: their runs"));
  CHECK_FALSE(std::filesystem::exists(a.task.folder));
}

TEST_CASE("A suite is checked for gates that can never alarm at night, and for its files") {
  const TaskFolder a;  // two cells, two estimators, nine trials
  NightlyOptions options;
  Json other = Description();
  other["name"] = "other";
  a.folder.Write("other.json", other.dump());
  options.scenarios = {{"few", a.task.entry}, {"enough", a.task.entry}, {"gone", a.task.entry}};
  options.scenarios[1].second.file = "other.json";
  options.scenarios[1].second.trials = 14;
  options.scenarios[2].second.file = "gone.json";
  options.scenarios.emplace_back("ungated", a.task.entry);
  options.scenarios[3].second.file = "other.json";
  options.scenarios[3].second.baseline.kind = NightlyBaseline::Kind::kNone;
  options.scenarios.emplace_back("skipped", options.scenarios[2].second);
  options.scenarios[4].second.needs = {"IDBENCH_NO_SUCH_VARIABLE"};
  options.scenarios.emplace_back("twice", options.scenarios[1].second);
  std::vector<Issue> issues = CheckNightly(a.task.suite, options);
  REQUIRE(issues.size() == 3);
  options.scenarios.emplace_back("nowhere", a.task.entry);
  options.scenarios.back().second.file = "nowhere.json";
  options.scenarios.back().second.baseline = {NightlyBaseline::Kind::kFolder, "no_run"};
  other["name"] = "nowhere";
  a.folder.Write("nowhere.json", other.dump());
  issues = CheckNightly(a.task.suite, options);
  REQUIRE(issues.size() == 4);
  CHECK(issues[3].where == "/scenarios/nowhere/baseline");
  CHECK(issues[0].where == "/scenarios/few");
  CHECK(issues[0].what.starts_with("the gate can never alarm, whatever changes: 5 trials and 4 "));
  CHECK(issues[1].where == "/scenarios/gone");
  CHECK(issues[2].where == "/scenarios/twice");
  CHECK(issues[2].what.starts_with(
      "is a scenario of the name \"other\", as /scenarios/enough is: their runs would have one"));
}

TEST_CASE("What is no fault of a file is thrown, for the process to end with") {
  TaskFolder a;
  a.task.folder = a.folder / "small.json" / "below a file";
  CHECK_THROWS_AS(RunNightlyTask(a.task, kNotStopped), std::filesystem::filesystem_error);
}

}  // namespace
}  // namespace idbench
