#include "scenarios/scenario_reader.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "robots/temporary_folder_test.h"
#include "scenarios/loaded_test.h"

namespace idbench {
namespace {

TEST_CASE("A simulation gets its defaults spelled out, and reading these gives the same") {
  const LoadedScenario loaded = LoadSmall(SmallSimulation());
  CHECK(loaded.cells.size() == 1);
  CHECK((*loaded.expanded)["plant"]["timestep_s"] == 0.00025);
  CHECK((*loaded.expanded)["control"]["type"] == "computed_torque");
  CHECK((*loaded.expanded)["problem"]["parametrisation"]["coulomb_width_rad_s"] == 0.02);
  CHECK(LoadSmall(*loaded.expanded).expanded == loaded.expanded);
}

TEST_CASE("A file that extends another one is read as what both say") {
  const TemporaryFolder folder;
  Json base = SmallSimulation();
  base["trials"] = 7;
  folder.Write("base.json", base.dump());
  const std::string file =
      folder.Write("own.json", R"({"extends": "base.json", "name": "own", "trials": 3})");
  const LoadedScenario loaded = LoadScenario(std::filesystem::path(file), {}, kTwoMetrics);
  CHECK(loaded.scenario.name == "own");
  CHECK(loaded.scenario.trial_count() == 3);
  CHECK((*loaded.expanded)["extends"].is_null());
  base["extends"] = "base.json";
  CHECK_THROWS_WITH_AS(LoadSmall(base),
                       "test.json: /extends: only a file can lie over another one\n"
                       "  put it into the scenario's file",
                       ConfigError);
}

TEST_CASE("The manifest of a run is read as its scenario, errors and overrides too") {
  const TemporaryFolder folder;
  const LoadedScenario loaded = LoadSmall(SmallSimulation());
  const auto load = [&folder](const Json& manifest, const std::vector<Override>& overrides = {}) {
    return LoadScenario(std::filesystem::path(folder.Write("manifest.json", manifest.dump())),
                        overrides, kTwoMetrics);
  };
  Json manifest = {{"format", 1}, {"scenario", *loaded.expanded}, {"seed", 1}, {"cells", {1}}};
  CHECK(load(manifest).expanded == loaded.expanded);
  CHECK(load(manifest, {{"/trials", "7"}}).scenario.trial_count() == 7);
  manifest["scenario"]["robot"]["model"] = "planar22";
  const std::string file = folder / "manifest.json";
  std::string message;
  try {
    load(manifest);
  } catch (const ConfigError& error) {
    message = error.what();
  }
  CHECK(message.starts_with(file + ": /scenario: /robot/model: planar22: no such robot"));
  manifest["format"] = 2;
  CHECK_THROWS_WITH_AS(load(manifest),
                       (file + ": /format: got 2\n  accepted here: 1\n  another version of idbench "
                               "wrote this run folder: report with that one")
                           .c_str(),
                       ConfigError);
}

TEST_CASE("A scenario is expanded without looking at its robot, or left as it cannot be read") {
  Json json = SmallSimulation();
  Json expanded = *LoadSmall(json).expanded;
  expanded["experiments"]["identification"]["motion"]["design"] = nullptr;  // WithFormerDefaults()
  expanded["overall_ratio_to_prior"] = "mean_over_joints";                  // likewise
  CHECK(ExpandedScenario(json) == expanded);
  json["robot"]["model"] = "/nowhere/arm.urdf";
  CHECK(ExpandedScenario(json)["robot"]["model"] == "/nowhere/arm.urdf");
  CHECK(ExpandedScenario(json).contains("timing_trials"));
  json["key of the future"] = 1;
  CHECK(ExpandedScenario(json) == json);
}

TEST_CASE("Overrides change what is read, and are refused where they lead nowhere") {
  CHECK(LoadSmall(SmallSimulation(), {{"/trials", "7"}}).scenario.trial_count() == 7);
  CHECK(LoadSmall(SmallSimulation(), {{"/title", "no JSON"}}).scenario.title == "no JSON");
  CHECK(LoadMessage(SmallSimulation(), {{"/estimatorss/ols", "{}"}}) ==
        "test.json: --set /estimatorss/ols: leads nowhere: no \"estimatorss\" in \"\"\n"
        "  accepted here: name, robot, experiments, sensors, problem, estimators, trials\n"
        "  did you mean 'estimators'?");
}

TEST_CASE("Every cell is checked after substitution") {
  Json json = SmallSimulation();
  json["sweep"] = Json::parse(
      R"([{"name": "noise", "set": {"/sensors/joint_torque/noise_std_nm": [0.1, -1]}}])");
  CHECK(LoadMessage(json) ==
        "test.json: /sensors/joint_torque/noise_std_nm: got -1\n"
        "  accepted here: a number, or a list with one number per joint, at least 0 [N·m]\n"
        "  in the sweep's noise -1");
}

TEST_CASE("A table that asks for what there is not is refused with the scenario") {
  Json json = SmallSimulation();
  json["tables"] = Json::parse(R"([{"rows": "nois", "columns": "estimator"}])");
  CHECK(LoadMessage(json).find("test.json: /tables/0/rows") == 0);
}

TEST_CASE("The gate's metric must be one that the scenario records") {
  Json json = SmallSimulation();
  json["gate"] = {{"metric", "joint_torque_rmse_nm@identification"}, {"tolerance", 0.1}};
  CHECK(LoadMessage(json).empty());
  json["gate"]["metric"] = "joint_torque_rmse_nm";
  CHECK(LoadMessage(json) ==
        "test.json: /gate/metric: the scenario has no metric \"joint_torque_rmse_nm\"\n"
        "  accepted here: joint_torque_rmse_nm@identification, base_parameter_relative_error");
  json["gate"] = {{"tolerance", 0}};
  CHECK(LoadMessage(json) ==
        "test.json: /gate/tolerance: got 0\n  accepted here: a number, greater than 0 and at most "
        "1000");
  json["gate"] = {{"metric", "base_parameter_relative_error@validation"}};
  CHECK(LoadMessage(json) ==
        "test.json: /gate/metric: the scenario has no metric "
        "\"base_parameter_relative_error@validation\"\n  accepted here: "
        "joint_torque_rmse_nm@identification, base_parameter_relative_error\n"
        "  did you mean 'base_parameter_relative_error'?");
  json["gate"] = {
      {"metrics",
       {{"base_parameter_relative_error", {{"tolerance", 0.1}}}, {"rmse", Json::object()}}}};
  CHECK(LoadMessage(json).starts_with(
      "test.json: /gate/metrics/rmse: the scenario has no metric \"rmse\"\n"));
}

}  // namespace
}  // namespace idbench
