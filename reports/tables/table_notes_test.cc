#include "reports/tables/table_notes.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "reports/run/sample_run_test.h"

namespace idbench {
namespace {

TEST_CASE("The unit of a metric is printed with its scale, squared for a variance") {
  const RunMetric torque{"rmse_nm", "N·m", {}};
  const RunMetric ratio{"error", "1", {}};
  const auto of_torque = [&torque](const TableOptions& options) {
    return PrintedUnit(torque, options);
  };
  CHECK(of_torque({}) == " [N·m]");
  CHECK(of_torque({.scale = 1000}) == " [0.001 N·m]");
  CHECK(of_torque({.statistic = Statistic::kStandardDeviation}) == " [N·m]");
  CHECK(of_torque({.statistic = Statistic::kVariance}) == " [(N·m)²]");
  CHECK(of_torque({.statistic = Statistic::kVariance, .scale = 1000}) == " [(0.001 N·m)²]");
  CHECK(of_torque({.statistic = Statistic::kFailedTrials, .scale = 1000}).empty());
  CHECK(PrintedUnit(ratio, {}).empty());
  CHECK(PrintedUnit(ratio, {.percent = true}) == " [%]");
  CHECK(PrintedUnit(ratio, {.change = true, .percent = true}) == " [percentage points]");
  CHECK(PrintedUnit(ratio, {.scale = 10}) == " [0.1]");
  CHECK(PrintedUnit(ratio, {.statistic = Statistic::kVariance}).empty());
  CHECK(PrintedUnit(ratio, {.statistic = Statistic::kVariance, .percent = true}) == " [(%)²]");
  CHECK(PrintedUnit(ratio, {.statistic = Statistic::kFailedTrials, .percent = true}).empty());
}

/// The first note on ten trials' relative errors, of which one failed if `fails`.
std::string SubjectNote(Statistic statistic, bool fails) {
  const TemporaryFolder folder;
  SampleRun run;
  run.change = [fails](Json& record) {
    if (fails && record["trial"] == 3) SampleRun::Fail(record, "diverged", "");
  };
  run.WriteTo(folder.path());
  const RunFolder read(folder.path());
  const Summary summary = Summarise(read);
  const TableOptions options = {
      .rows = TableSide("cell"), .metric = "relative_error", .statistic = statistic};
  return MakeNotes(options, read.manifest(),
                   SelectItems(options, VocabularyOf(read.manifest()), summary))
      .at(0);
}

TEST_CASE("A note says what a failed trial is in the statistic, and whether it has an interval") {
  CHECK(SubjectNote(Statistic::kMean, false) == "relative_error: mean with its 95 % interval");
  CHECK(SubjectNote(Statistic::kMean, true) ==
        "relative_error: mean of survivors with its 95 % interval");
  CHECK(SubjectNote(Statistic::kMedian, false) == "relative_error: median");
  CHECK(SubjectNote(Statistic::kMedian, true) == "relative_error: median, a failure as +∞");
  CHECK(SubjectNote(Statistic::kLargestValue, true) ==
        "relative_error: largest value of survivors");
  CHECK(SubjectNote(Statistic::kFailedTrials, true) == "relative_error: failed trials");
}

TEST_CASE("A table with a doubtful metric says what keeps it from what it is for") {
  const auto notes_with = [](const char* metric) {
    const TemporaryFolder folder;
    SampleRun run;
    run.manifest["metrics"]["relative_error"]["doubt"] = "a bound on nothing";
    run.WriteTo(folder.path());
    const RunFolder read(folder.path());
    const TableOptions options = {.rows = TableSide("cell"), .metric = metric};
    return MakeNotes(options, read.manifest(),
                     SelectItems(options, VocabularyOf(read.manifest()), Summarise(read)));
  };
  CHECK(std::ranges::count(notes_with("relative_error"), "relative_error: a bound on nothing") ==
        1);
  CHECK(std::ranges::none_of(notes_with("rmse_nm@validation"), [](const std::string& note) {
    return note.find("a bound on nothing") != std::string::npos;
  }));
}

/// Notes on bounds in a table of relative_error, which bounds a statistic of rmse_nm.
std::vector<std::string> BoundNotes(const char* bounded, Statistic shown) {
  const TemporaryFolder folder;
  SampleRun run;
  run.manifest["metrics"]["relative_error"]["bounds"] = "rmse_nm@validation";
  run.manifest["metrics"]["relative_error"]["bounded"] = bounded;
  run.WriteTo(folder.path());
  const RunFolder read(folder.path());
  const TableOptions options = {
      .rows = TableSide("cell"), .metric = "relative_error", .statistic = shown};
  std::vector<std::string> notes =
      MakeNotes(options, read.manifest(),
                SelectItems(options, VocabularyOf(read.manifest()), Summarise(read)));
  std::erase_if(notes, [](const std::string& note) {
    return note.find(" bounds the ") == std::string::npos;
  });
  return notes;
}

TEST_CASE("A table says what a bound bounds where it shows another statistic") {
  CHECK(BoundNotes("rms", Statistic::kMean) ==
        std::vector<std::string>{"relative_error bounds the root mean square of rmse_nm over "
                                 "trials, not its mean, which may be less"});
  CHECK(BoundNotes("mean", Statistic::kMedian) ==
        std::vector<std::string>{"relative_error bounds the mean of rmse_nm over trials, not its "
                                 "median, which may be less"});
  CHECK(BoundNotes("rms", Statistic::kRootMeanSquare).empty());
  CHECK(BoundNotes("mean", Statistic::kMean).empty());
  CHECK(BoundNotes("mean", Statistic::kRootMeanSquare).empty());
  CHECK(BoundNotes("rms", Statistic::kStandardDeviation).empty());
}

}  // namespace
}  // namespace idbench
