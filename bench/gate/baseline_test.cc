#include "bench/gate/baseline.h"

#include <doctest/doctest.h>

#include "scenarios/options/json.h"

namespace idbench {
namespace {

TEST_CASE("A slim record keeps its key, outcome, roll-out and the headline without components") {
  const std::string record =
      R"({"cell":1,"trial":2,"estimator":"ols","rollout":"ab","outcome":"ok","x":[1],)"
      R"("metrics":{"rmse":{"value":0.5,"components":[1,2]},"nees":{"value":2}},"notes":["n"]})"
      "\n";
  CHECK(Json::parse(SlimRecords(record, {{.name = "rmse"}})) ==
        Json::parse(R"({"cell":1,"trial":2,"estimator":"ols","rollout":"ab","outcome":"ok",
                        "metrics":{"rmse":{"value":0.5}}})"));
}

TEST_CASE("A slim record keeps why an estimate or a metric failed, or cannot be had") {
  const std::string records =
      R"({"cell":0,"trial":0,"estimator":"a","outcome":"diverged","reason":"r","metrics":{}})"
      "\n"
      R"({"cell":0,"trial":1,"estimator":"a","outcome":"ok","metrics":{"rmse":{"failed":"f"}}})"
      "\n"
      R"({"cell":0,"trial":2,"estimator":"a","outcome":"ok","metrics":{"rmse":{"absent":"f"}}})"
      "\n";
  CHECK(SlimRecords(records, {{.name = "rmse"}}) == records);
}

TEST_CASE("A slim run has the motions that are gated, and no other") {
  const std::string motion =
      R"({"cell":0,"trial":0,"experiment":"a","outcome":"ok","metrics":{"excitation_jd@a":{"value":-5.0}}})"
      "\n";
  const std::string failed =
      R"({"cell":0,"trial":1,"experiment":"a","outcome":"plant_failed","metrics":{}})"
      "\n";
  const std::string other =
      R"({"cell":0,"trial":0,"experiment":"b","outcome":"ok","metrics":{"excitation_jd@b":{"value":-4.0}}})"
      "\n";
  const std::vector<GateMetric> gated = {{.name = "excitation_jd@a"},
                                         {.name = "joint_torque_rmse_nm@b"}};
  CHECK(SlimRecords(motion + other + failed, gated) == motion + failed);
}

}  // namespace
}  // namespace idbench
