#include "bench/gate/record_source.h"

#include <doctest/doctest.h>

#include <sstream>

#include "bench/small_run_test.h"

namespace idbench {
namespace {

/// The records of both cells.
std::string RecordsFrom(const RecordSource& source, const LoadedScenario& loaded) {
  RolloutStore rollouts;
  std::string records;
  for (std::size_t cell = 0; cell < loaded.cells.size(); ++cell) {
    records += source(loaded, cell, rollouts);
  }
  return records;
}

std::vector<Json> Parsed(const std::string& records) {
  std::vector<Json> parsed;
  std::istringstream lines(records);
  for (std::string line; std::getline(lines, line);) parsed.push_back(Json::parse(line));
  return parsed;
}

TEST_CASE("Records run here are those of a run, whatever the number of threads") {
  const TemporaryFolder folder;
  const std::string of_run = Records(Description(), folder / "run");
  const LoadedScenario loaded = Load(Description());
  CHECK(RecordsFrom(RecordsRunHere(1), loaded) == of_run);
  CHECK(RecordsFrom(RecordsRunHere(3), loaded) == of_run);
}

TEST_CASE("What a source of trials gives in place of datasets reaches estimators, not metrics") {
  Json description = Description();
  description["metrics"] = {"joint_torque_rmse_nm", "base_parameter_relative_error"};
  description["estimators"] = {{"ols", Json::object()}, {"prior", {{"type", "prior_only"}}}};
  description["problem"]["prior"] = {{"mass_scale", 1.2}};
  const LoadedScenario loaded = Load(description);
  const TrialSource without_the_end = [](const PreparedCell& context, std::int64_t trial) {
    Trial made = TrialOfCell(context, trial);
    made.given = made.data.datasets;
    for (Dataset& dataset : *made.given) {
      Dataset half = dataset.WithoutChannels();
      half.lowpass_cutoff_hz = dataset.lowpass_cutoff_hz;
      for (Channel channel : dataset.channels()) {
        const Eigen::Index n = channel.time_s.size() / 2;
        channel.time_s.conservativeResize(n);
        channel.samples.conservativeResize(n, Eigen::NoChange);
        half.Add(std::move(channel));
      }
      dataset = std::move(half);
    }
    return made;
  };
  const std::vector<Json> whole = Parsed(RecordsFrom(RecordsRunHere(1), loaded));
  const std::vector<Json> cut = Parsed(RecordsFrom(RecordsRunHere(1, without_the_end), loaded));
  REQUIRE(whole.size() == cut.size());
  for (std::size_t i = 0; i < whole.size(); ++i) {
    CAPTURE(i);
    // The prior does not depend on data: its residual is over the whole recording in both.
    CHECK((whole[i] == cut[i]) == (whole[i]["estimator"] == "prior"));
  }
}

TEST_CASE("Samples are those of the wanted cells, in their order") {
  const LoadedScenario loaded = Load(Description());
  const std::string metric = loaded.metrics.front().name;
  const auto samples = SamplesOf(loaded, {1}, {metric}, RecordsRunHere(1)).at(0);
  REQUIRE(samples.size() == 1);
  REQUIRE(samples[0].size() == 2);
  RolloutStore rollouts;
  const std::vector<Json> records = Parsed(RecordsRunHere(1)(loaded, 1, rollouts));
  REQUIRE(samples[0][1].overall.size() == 9);
  CHECK(samples[0][1].overall[4] == records[2 * 4 + 1]["metrics"][metric]["value"]);
}

}  // namespace
}  // namespace idbench
