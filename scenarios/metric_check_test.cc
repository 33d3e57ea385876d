#include "scenarios/metric_check.h"

#include <doctest/doctest.h>

#include "scenarios/loaded_test.h"

namespace idbench {
namespace {

TEST_CASE("Checkpoints are sorted, and metrics speak of those that there are") {
  Json json = SmallSimulation();
  json["evaluate_at_s"] = {2, 1};
  CHECK(LoadMessage(json) ==
        "test.json: /evaluate_at_s: times do not increase\n  sort the times, "
        "and list each of them once");
  json["evaluate_at_s"] = {0.5, 1};
  json["metrics"] = {"joint_torque_rmse_nm@identification@t=2", "joint_torque_rmse_nm@t=1"};
  CHECK(LoadMessage(json) ==
        "test.json: /metrics/0: no such checkpoint: \"t=2\"\n"
        "  accepted here: t=0.5, t=1\n  did you mean 't=1'?\n"
        "test.json: /metrics/1: joint_torque_rmse_nm has one value per experiment\n"
        "  write \"joint_torque_rmse_nm@<experiment>@t=1\"");
  json["metrics"] = {"joint_torque_rmse_nm", "base_parameter_relative_error@t=1"};
  std::vector<std::string> names;
  for (const RunMetric& metric : LoadSmall(json).metrics) names.push_back(metric.name);
  CHECK(names == std::vector<std::string>{"joint_torque_rmse_nm@identification@t=0.5",
                                          "joint_torque_rmse_nm@identification@t=1",
                                          "joint_torque_rmse_nm@identification",
                                          "base_parameter_relative_error@t=1"});
}

TEST_CASE("Unknown metrics and experiments are answered with those that there are") {
  Json json = SmallSimulation();
  json["metrics"] = {"joint_torque_rmse", "joint_torque_rmse_nm@here",
                     "base_parameter_relative_error@identification"};
  CHECK(LoadMessage(json) ==
        "test.json: /metrics/0: no such metric: \"joint_torque_rmse\"\n"
        "  accepted here: joint_torque_rmse_nm, base_parameter_relative_error\n"
        "  a key carries its unit: did you mean 'joint_torque_rmse_nm'?\n"
        "test.json: /metrics/1: no such experiment: \"here\"\n"
        "  accepted here: identification\n"
        "test.json: /metrics/2: base_parameter_relative_error has one value per estimate, not per "
        "experiment\n"
        "  write \"base_parameter_relative_error\"");
}

}  // namespace
}  // namespace idbench
