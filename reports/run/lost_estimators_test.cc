#include "reports/run/lost_estimators.h"

#include <doctest/doctest.h>

#include "reports/run/sample_run_test.h"

namespace idbench {
namespace {

LostEstimators LostOf(const SampleRun& run) {
  const TemporaryFolder folder;
  run.WriteTo(folder.path());
  const RunFolder read(folder.path());
  return FindLostEstimators(Summarise(read), read.manifest());
}

/// The sample of 3 trials in which ols fails from a cell on.
SampleRun WithoutOlsFrom(int cell) {
  SampleRun run;
  run.manifest["trials"] = 3;
  run.change = [cell](Json& record) {
    if (record["estimator"] == "ols" && record["cell"] >= cell) {
      SampleRun::Fail(record, "rank_deficient", "rank 9 of 10");
    }
  };
  return run;
}

TEST_CASE("An estimator that failed in every trial of every cell is lost, with its reason") {
  const LostEstimators lost = LostOf(WithoutOlsFrom(0));
  CHECK(lost.everywhere == std::vector<std::string>{"ols failed in every trial of every cell: "
                                                    "rank_deficient: rank 9 of 10"});
  CHECK(lost.outcomes == Labelled<std::string>{{"ols", "rank_deficient"}});
  CHECK(lost.in_cells.empty());
  SampleRun run = WithoutOlsFrom(0);
  const auto fail = run.change;
  run.change = [fail](Json& record) {
    fail(record);
    if (record["trial"] == 1) SampleRun::Fail(record, "diverged", "");
  };
  CHECK(LostOf(run).everywhere.size() == 1);
  CHECK(LostOf(run).outcomes.empty());  // there is no one outcome to expect
}

TEST_CASE("A cell without a success is told apart, and one success is enough for none") {
  LostEstimators lost = LostOf(WithoutOlsFrom(1));
  CHECK(lost.everywhere.empty());
  CHECK(lost.in_cells == std::vector<std::string>{"ols has no success in 1 of 2 cells, first "
                                                  "torque noise 0.2: rank_deficient: rank 9 of "
                                                  "10"});
  SampleRun run = WithoutOlsFrom(0);
  const auto fail = run.change;
  run.change = [fail](Json& record) {
    if (record["trial"] != 1) fail(record);
  };
  lost = LostOf(run);
  CHECK(lost.everywhere.empty());
  CHECK(lost.in_cells.empty());
}

TEST_CASE("What is expected to fail is not lost, unless it fails otherwise") {
  SampleRun run = WithoutOlsFrom(0);
  run.manifest["scenario"]["expected_failures"] = {{"ols", "rank_deficient"}};
  CHECK(LostOf(run).everywhere.empty());
  run.manifest["scenario"]["expected_failures"] = {{"ols", "diverged"}};
  CHECK(LostOf(run).everywhere.size() == 1);
  run.manifest["scenario"]["expected_failures"] = {{"wls", "rank_deficient"}};
  CHECK(LostOf(run).everywhere.size() == 1);
}

TEST_CASE("Shards, parts of runs, recordings and what takes no data are not judged") {
  SampleRun run = WithoutOlsFrom(0);
  run.manifest["untaught"] = {"ols"};
  CHECK(LostOf(run).everywhere.empty());
  run = WithoutOlsFrom(0);
  run.manifest["scenario"]["recording"] = {{"source", "a log"}};
  CHECK(LostOf(run).everywhere.empty());
  run = WithoutOlsFrom(0);
  run.manifest["shard"] = {{"index", 1}, {"count", 2}};
  CHECK(LostOf(run).everywhere.empty());
  run = WithoutOlsFrom(0);
  const auto fail = run.change;
  run.change = [fail](Json& record) {
    fail(record);
    if (record["trial"] == 2) record = Json::object();
  };
  CHECK(LostOf(run).everywhere.empty());
}

}  // namespace
}  // namespace idbench
