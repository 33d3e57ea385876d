#include "reports/tables/sigma_sentences.h"

#include <doctest/doctest.h>

#include "reports/run/sample_run_test.h"

namespace idbench {
namespace {

using Lines = std::vector<std::string>;

/// What is said of a table of a sample run whose two cells have these sensors.
Lines SigmasSaid(const Json& first, const Json& second, std::optional<std::int64_t> cell = {}) {
  const TemporaryFolder folder;
  SampleRun run;
  run.manifest["cells"][0]["sensors"] = first;
  run.manifest["cells"][1]["sensors"] = second;
  run.WriteTo(folder.path());
  const RunFolder read(folder.path());
  const Summary summary = Summarise(read);
  const TableOptions options = {
      .rows = TableSide("cell"), .metric = "relative_error", .cell = cell};
  return SigmaSentences(SelectItems(options, VocabularyOf(read.manifest()), summary));
}

Json TorqueSensors(std::vector<double> sigma, const Json& declared) {
  return {{"rate_hz", 100.0},
          {"joint_torque", {{"noise_std_nm", sigma}, {"declared_sigma_nm", declared}}}};
}

TEST_CASE("Where cells differ in σ a table says that of each") {
  const Json own = Json::array({0.5, 0.25});
  CHECK(SigmasSaid(TorqueSensors({0.5, 0.25}, own), TorqueSensors({2, 2}, Json::array({2, 2}))) ==
        Lines{"joint_torque noise_std_nm by cell: torque noise 0.1: 0.5, 0.25; torque noise "
              "0.2: 2"});
  CHECK(SigmasSaid(TorqueSensors({0.5, 0.25}, own), TorqueSensors({0.5, 0.25}, own)).empty());
  CHECK(SigmasSaid(TorqueSensors({0.5, 0.25}, own), TorqueSensors({2, 2}, own), 1)
            .empty());                                        // a table of one cell
  CHECK(SigmasSaid(Json::object(), Json::object()).empty());  // recordings
}

TEST_CASE("A declared σ that is not that of the noise is told by cell, too") {
  const Json first = TorqueSensors({0.5, 0.5}, Json::array({0.1, 0.1}));
  const Json second = TorqueSensors({0.5, 0.5}, Json::array({0.2, 0.2}));
  CHECK(SigmasSaid(first, second) ==
        Lines{"joint_torque declared_sigma_nm by cell: torque noise 0.1: 0.1; torque noise "
              "0.2: 0.2"});
}

TEST_CASE("A σ that is declared falsely in one cell alone is told of all") {
  CHECK(SigmasSaid(TorqueSensors({0.5, 0.5}, Json::array({0.5, 0.5})),
                   TorqueSensors({0.5, 0.5}, Json::array({0.1, 0.1}))) ==
        Lines{"joint_torque declared_sigma_nm by cell: torque noise 0.1: 0.5; torque noise 0.2: "
              "0.1"});
}

TEST_CASE("Sensors at places are told with their place") {
  const auto at = [](double sigma) {
    return Json{{"cut_wrench", {{"ft", {{"noise_std", Json::array({sigma, 1.0})}}}}}};
  };
  CHECK(SigmasSaid(at(0.5), at(3.0)) ==
        Lines{"cut_wrench ft noise_std by cell: torque noise 0.1: 0.5, 1; torque noise 0.2: 3, "
              "1"});
}

}  // namespace
}  // namespace idbench
