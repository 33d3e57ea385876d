#include "reports/run/trial_stream.h"

#include <doctest/doctest.h>

#include "reports/run/sample_run_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// What reading all trials of a file says.
std::string ReadAll(const std::string& records) {
  const TemporaryFolder folder;
  SampleRun().WriteTo(folder.path());
  WriteText(folder.path() / "records.jsonl", records);
  const RunManifest manifest = ReadManifest(folder.path() / "manifest.json");
  return MessageOf(folder.path(), [&] {
    TrialStream stream(folder.path() / "records.jsonl", manifest);
    while (stream.Next()) continue;
  });
}

std::string Line(int cell, int trial, const char* estimator) {
  return SampleRun::Record(cell, trial, estimator).dump() + '\n';
}

TEST_CASE("Records come trial by trial, with the failures among them") {
  const TemporaryFolder folder;
  SampleRun run;
  run.change = [](Json& record) {
    if (record["trial"] == 3) SampleRun::Fail(record, "diverged", "step 4 grew");
  };
  run.WriteTo(folder.path());
  const RunManifest manifest = ReadManifest(folder.path() / "manifest.json");
  TrialStream stream(folder.path() / "records.jsonl", manifest);
  for (std::size_t cell = 0; cell < 2; ++cell) {
    for (int trial = 0; trial < SampleRun::kTrials; ++trial) {
      REQUIRE(stream.Next());
      CHECK(stream.cell() == cell);
      CHECK(stream.trial() == trial);
      CHECK(stream.lines().size() == 2);
      CHECK(stream.failures() == (trial == 3 ? 2 : 0));
    }
  }
  CHECK_FALSE(stream.Next());
}

TEST_CASE("Records that are out of order, or not all there, are refused with their place") {
  const std::string rule =
      "\n  records are ordered by cell, trial, estimator, and each is there once";
  CHECK(ReadAll(Line(0, 1, "ols")) == "records.jsonl: line 1: ends within cell 0, trial 1" + rule);
  CHECK(ReadAll(Line(0, 1, "wls")) ==
        "records.jsonl: line 1: cell 0, trial 1, wls stands where a record of ols was expected" +
            rule);
  CHECK(ReadAll(Line(0, 1, "ols") + Line(0, 2, "wls")) ==
        "records.jsonl: line 2: cell 0, trial 2, wls stands where a record of wls was expected" +
            rule);
  CHECK(ReadAll(Line(0, 1, "ols") + Line(0, 1, "wls") + Line(0, 1, "ols")) ==
        "records.jsonl: line 3: cell 0, trial 1 stands behind cell 0, trial 1" + rule);
  const std::string half = Line(0, 1, "ols").substr(0, 40);
  CHECK(ReadAll(half) ==
        "records.jsonl: line 1: the file breaks off in this line: it was cut\n"
        "  remove it, and `idbench run` with --resume makes it again");
  CHECK(ReadAll("{}\n").find("records.jsonl: line 1") == 0);
}

TEST_CASE("A file that is not there is refused") {
  const TemporaryFolder folder;
  SampleRun().WriteTo(folder.path());
  const RunManifest manifest = ReadManifest(folder.path() / "manifest.json");
  CHECK(MessageOf(folder.path(), [&] { TrialStream(folder.path() / "gone", manifest); }) ==
        "gone: cannot be read\n  this is not the folder of a run that `idbench run` has finished");
}

}  // namespace
}  // namespace idbench
