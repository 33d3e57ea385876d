#include "scenarios/scenario_reader.h"

#include <doctest/doctest.h>

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
        "test.json: /gate/tolerance: got 0\n  accepted here: a number, greater than 0");
  json["gate"] = {{"metric", "base_parameter_relative_error@validation"}};
  CHECK(LoadMessage(json) ==
        "test.json: /gate/metric: the scenario has no metric "
        "\"base_parameter_relative_error@validation\"\n  accepted here: "
        "joint_torque_rmse_nm@identification, base_parameter_relative_error\n"
        "  did you mean 'base_parameter_relative_error'?");
}

}  // namespace
}  // namespace idbench
