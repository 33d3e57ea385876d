#include "reports/run/run_folder.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

#include "reports/run/sample_run_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

constexpr const char* kRmse = "rmse_nm@validation";
constexpr const char* kError = "relative_error";

bool Is(const Json& record, int cell, int trial, const std::string& estimator) {
  return record["cell"] == cell && record["trial"] == trial && record["estimator"] == estimator;
}

TEST_CASE("A metric of a cell is loaded trial by trial, for each estimator") {
  const TemporaryFolder folder;
  SampleRun().WriteTo(folder.path());
  const std::vector<MetricSamples> samples = RunFolder(folder.path()).Load(1, kRmse);
  REQUIRE(samples.size() == 2);
  for (std::size_t t = 0; t < 12; ++t) {
    const double expected = 2 * (1 + static_cast<double>(t) / 10.0);
    CHECK(samples[0].overall[t] == expected);
    CHECK(samples[1].overall[t] == 0.5 * expected);
    CHECK(samples[0].components[1][t] == 1.5 * expected);
  }
  CHECK(samples[0].rollouts == std::vector<std::uint32_t>(12, 0));
}

TEST_CASE("Failures of estimates and of metrics are counted apart, each with a reason") {
  const TemporaryFolder folder;
  SampleRun run;
  run.change = [](Json& record) {
    if (Is(record, 0, 3, "ols")) SampleRun::Fail(record, "diverged", "step 4 grew");
    if (Is(record, 0, 5, "ols")) SampleRun::Fail(record, "diverged", "step 9 grew");
    if (Is(record, 0, 7, "ols")) record["metrics"][kRmse] = {{"failed", "replay diverged"}};
    if (Is(record, 0, 8, "ols")) record["metrics"].erase(kRmse);
  };
  run.WriteTo(folder.path());
  const RunFolder read(folder.path());
  const EstimateTally& tally = read.tally(0).estimators[0];
  CHECK(tally.trials == 12);
  CHECK(tally.failed == 2);
  CHECK(tally.reasons.at("diverged") == 2);
  CHECK(tally.sentences.at("diverged") == "step 4 grew");
  CHECK(tally.WhyFailed() == "diverged: step 4 grew");
  CHECK(read.tally(0).estimators[1].failed == 0);
  CHECK(read.tally(0).estimators[1].WhyFailed().empty());
  const MetricSamples samples = read.Load(0, kRmse)[0];
  for (const std::size_t trial : {3, 5, 7, 8}) {
    CHECK(std::isnan(samples.overall[trial]));
    CHECK(std::isnan(samples.components[0][trial]));
  }
  CHECK(samples.failed == 2);
  CHECK(samples.first_failure == "replay diverged");
}

TEST_CASE("A failed estimate has no metrics, whatever its record says") {
  const TemporaryFolder folder;
  SampleRun run;
  run.change = [](Json& record) {
    if (Is(record, 0, 3, "ols")) record["outcome"] = "not_converged";
  };
  run.WriteTo(folder.path());
  CHECK(std::isnan(RunFolder(folder.path()).Load(0, kRmse)[0].overall[3]));
}

TEST_CASE("A metric that no estimate of an estimator has does not apply to it") {
  const TemporaryFolder folder;
  SampleRun run;
  run.change = [](Json& record) {
    if (record["estimator"] == "ols") record["metrics"].erase(kError);
  };
  run.WriteTo(folder.path());
  const std::vector<MetricSamples> samples = RunFolder(folder.path()).Load(0, kError);
  CHECK_FALSE(samples[0].applies);
  CHECK(samples[1].applies);
}

TEST_CASE("A metric applies to an estimator of which every estimate failed") {
  const TemporaryFolder folder;
  SampleRun run;
  run.change = [](Json& record) {
    if (record["estimator"] == "ols") SampleRun::Fail(record, "crashed", "");
  };
  run.WriteTo(folder.path());
  CHECK(RunFolder(folder.path()).Load(0, kError)[0].applies);
}

TEST_CASE("A metric of components alone has no overall value, and counts have a range") {
  const TemporaryFolder folder;
  SampleRun run;
  run.change = [](Json& record) {
    record["metrics"][kRmse].erase("value");
    record["metrics"][kError]["count"] = record["trial"] == 4 ? 12 : 14;
  };
  run.WriteTo(folder.path());
  const RunFolder read(folder.path());
  CHECK_FALSE(read.Load(0, kRmse)[0].has_overall);
  CHECK(read.Load(0, kRmse)[0].overall.empty());
  CHECK(read.Load(0, kRmse)[0].components[0].size() == 12);
  CHECK(read.Load(0, kError)[0].count_range == std::pair<std::size_t, std::size_t>(12, 14));
}

TEST_CASE("Roll-outs are counted per cell and numbered as they come") {
  const TemporaryFolder folder;
  SampleRun run;
  run.change = [](Json& record) {
    record["rollout"] = fmt::format("{:x}", record["trial"].get<int>() / 4 + 10);
  };
  run.WriteTo(folder.path());
  const RunFolder read(folder.path());
  CHECK(read.tally(1).rollouts == 3);
  CHECK(read.Load(1, kRmse)[1].rollouts ==
        std::vector<std::uint32_t>{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2});
}

TEST_CASE(
    "Roll-outs that share a motion are one unit, trials without a roll-out are each their own") {
  const TemporaryFolder folder;
  SampleRun run;
  run.change = [](Json& record) {
    const int trial = record["trial"].get<int>();
    record["rollout"] = fmt::format("{:x}", trial + 10);
    if (record["cell"] == 0) {
      record["motion"] = "m";
    } else if (trial >= 10) {
      record["rollout"] = kNoRollout;
      SampleRun::Fail(record, "plant_failed", "");
    }
  };
  run.WriteTo(folder.path());
  const RunFolder read(folder.path());
  CHECK(read.tally(0).rollouts == 12);
  CHECK(read.tally(0).motions == 1);
  CHECK(read.Load(0, kRmse)[0].rollouts == std::vector<std::uint32_t>(12, 0));
  CHECK(read.tally(1).rollouts == 10);
  CHECK(read.tally(1).motions == 10);
  CHECK(read.Load(1, kRmse)[0].rollouts ==
        std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
}

TEST_CASE("A cell without records is empty, and a shard may leave out trials") {
  const TemporaryFolder folder;
  SampleRun run;
  run.change = [](Json& record) {
    if (record["cell"] == 0 || record["trial"] < 6) record = Json::object();
  };
  run.WriteTo(folder.path());
  const RunFolder read(folder.path());
  CHECK(read.tally(0).rollouts == 0);
  CHECK(read.Load(0, kRmse)[0].overall.empty());
  CHECK(read.tally(1).estimators[0].trials == 6);
  CHECK(read.Load(1, kRmse)[0].overall.size() == 6);
}

TEST_CASE("A line that breaks off at the end says that the file was cut") {
  const TemporaryFolder folder;
  SampleRun run;
  run.WriteTo(folder.path());
  const std::string records = run.Records();
  WriteText(folder.path() / "records.jsonl", records.substr(0, records.size() - 40));
  CHECK(MessageOf(folder.path(), [&] { RunFolder read(folder.path()); }) ==
        "records.jsonl: line 48: the file breaks off in this line: it was cut\n"
        "  remove it, and `idbench run` with --resume makes it again");
  WriteText(folder.path() / "records.jsonl", records.substr(0, records.size() - 1));
  CHECK(RunFolder(folder.path()).tally(1).estimators[1].trials == 12);  // the newline alone
}

TEST_CASE("A damaged line in the middle is refused with its number") {
  const TemporaryFolder folder;
  SampleRun run;
  run.WriteTo(folder.path());
  std::string records = run.Records();
  records.insert(records.find('\n') + 1, "{\"cell\": 0\n");
  WriteText(folder.path() / "records.jsonl", records);
  CHECK(MessageOf(folder.path(), [&] {
          RunFolder read(folder.path());
        }).starts_with("records.jsonl: line 2, column 11: syntax error"));
}

TEST_CASE("Records out of order or there twice are refused") {
  const TemporaryFolder folder;
  SampleRun run;
  run.change = [](Json& record) {
    if (Is(record, 0, 1, "ols")) record["trial"] = 0;
  };
  run.WriteTo(folder.path());
  CHECK(MessageOf(folder.path(), [&] { RunFolder read(folder.path()); }) ==
        "records.jsonl: line 3: cell 0, trial 0, ols stands behind cell 0, trial 0, wls\n"
        "  records are ordered by cell, trial, estimator, and each is there once");
}

TEST_CASE("A folder without records is refused") {
  const TemporaryFolder folder;
  WriteText(folder.path() / "manifest.json", SampleRun().manifest.dump());
  CHECK(
      MessageOf(folder.path(), [&] { RunFolder read(folder.path()); }) ==
      "records.jsonl: cannot be read\n"
      "  the run was interrupted, or this is not the folder of a run: `idbench run` with --resume "
      "finishes it");
}

TEST_CASE("A metric that the run does not have is refused") {
  const TemporaryFolder folder;
  SampleRun().WriteTo(folder.path());
  const RunFolder read(folder.path());
  CHECK_THROWS_WITH_AS(read.Load(0, "nees"), "RunFolder::Load: \"nees\" is not a metric of the run",
                       std::invalid_argument);
}

TEST_CASE("Timings are collected by cell and estimator") {
  const TemporaryFolder folder;
  SampleRun().WriteTo(folder.path());
  CHECK(RunFolder(folder.path()).LoadTimings().empty());
  WriteText(folder.path() / "timings.jsonl",
            "{\"cell\":0,\"estimator\":\"ols\",\"trial\":0,\"estimate_ms\":1.5}\n"
            "{\"cell\":0,\"estimator\":\"wls\",\"trial\":0,\"estimate_ms\":2,\"update_us\":[3,4]}\n"
            "{\"cell\":1,\"estimator\":\"wls\",\"estimate_ms\":2,\"estimate_allocations\":7,"
            "\"update_us\":[3,9,6],\"updates\":50,\"update_allocations\":100,"
            "\"deadline_rate_hz\":100,\"deadline_misses\":1}\n"
            "{\"cell\":1,\"estimator\":\"wls\",\"estimate_ms\":2,\"estimate_allocations\":5,"
            "\"update_us\":[1],\"updates\":50,\"update_allocations\":0,"
            "\"deadline_rate_hz\":100,\"deadline_misses\":2}\n"
            "{\"cell\":0,\"estimator\":\"ols\",\"trial\":1,\"estimate_ms\":2.5}\n");
  auto timings = RunFolder(folder.path()).LoadTimings();
  CHECK(timings.size() == 3);
  CHECK(timings[{0, 0}].estimate_ms == std::vector<double>{1.5, 2.5});
  CHECK(timings[{0, 1}].update_us == std::vector<double>{3, 4});
  CHECK_FALSE(timings[{0, 1}].update_allocations.has_value());
  const TimingSamples& online = timings[{1, 1}];
  CHECK(online.update_median_us == std::vector<double>{6, 1});
  CHECK(online.update_allocations.value() == 2);  // each of the first trial's
  CHECK(online.estimate_allocations.value() == 7);
  CHECK(online.deadline->rate_hz == 100);
  CHECK(online.deadline->updates == 100);
  CHECK(online.deadline->misses == 3);
}

TEST_CASE("Damaged timings are refused with their line") {
  const TemporaryFolder folder;
  SampleRun().WriteTo(folder.path());
  const RunFolder read(folder.path());
  const auto message = [&](const std::string& text) {
    WriteText(folder.path() / "timings.jsonl", text);
    return MessageOf(folder.path(), [&] { read.LoadTimings(); });
  };
  CHECK(message("{\"cell\":2,\"estimator\":\"ols\"}\n") ==
        "timings.jsonl: line 1: /cell: accepted here: an integer below 2");
  CHECK(message("{\"cell\":0,\"estimator\":\"lsq\"}\n") ==
        "timings.jsonl: line 1: /estimator: accepted here: an estimator of the manifest");
  CHECK(message("{\"cell\":0,\"estimator\":\"ols\",\"estimate_ms\":-1}\n") ==
        "timings.jsonl: line 1: /estimate_ms: got -1; accepted here: a number, at least 0");
  CHECK(message("{\"cell\":0,\"estimator\":\"ols\",\"update_us\":3}\n") ==
        "timings.jsonl: line 1: /update_us: got 3; accepted here: a list of durations");
  CHECK(message("{\"cell\":0,,}\n") == "timings.jsonl: line 1: is not JSON");
  CHECK(message("{\"cell\":0,\"est") ==
        "timings.jsonl: line 1: the file breaks off in this line: it was cut\n"
        "  remove it, and `idbench run` with --resume makes it again");
}

}  // namespace
}  // namespace idbench
