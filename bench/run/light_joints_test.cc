#include <doctest/doctest.h>

#include "bench/small_run_test.h"

/// Runs of a robot whose joints are so light that explicit friction chatters.
namespace idbench {
namespace {

/// The KUKA, simulated under a controller that knows it and exactly measured.
Json LightWrist() {
  Json json = Description();
  json.erase("sweep");
  json["robot"] = ParseJson(R"({"model": "kuka_lwr4", "truth": {"friction": {
      "viscous_nms_rad": [1.069, 0.958, 0.223, 0.689, 0.065, 0.252, 0.076],
      "coulomb_nm": [1.0, 1.0, 0.6, 0.6, 0.3, 0.16, 0.16]}}})",
                            "test");
  json["plant"] = {{"coulomb_width_rad_s", 0.005}, {"friction_integration", "implicit"}};
  json["control"] = {{"type", "computed_torque"}, {"model", "truth"}};
  json["sensors"]["joint_torque"]["noise_std_nm"] = 0;
  json["experiments"]["identification"]["motion"]["duration_s"] = 4;
  json["experiments"]["validation"] = json["experiments"]["identification"];
  json["experiments"]["validation"]["role"] = "validation";
  json["experiments"]["validation"]["motion"]["stream"] = "other";
  json["metrics"] = {"base_parameter_relative_error", "joint_torque_clean_rmse_nm@validation"};
  json["estimators"] = {{"ols", Json::object()}};
  json["trials"] = 1;
  return json;
}

TEST_CASE("A robot with implicit friction is identified exactly from exact data") {
  const TemporaryFolder folder;
  const Json record = ParseJson(Records(LightWrist(), folder / "run"), "records");
  REQUIRE(record.at("outcome") == "ok");
  // Friction columns have the truth's shape, so what is left is rounding, 1e-13 N·m of 100 N·m,
  // times a condition number of some 1e3.
  CHECK(MetricOf(record, "base_parameter_relative_error") < 1e-10);
  CHECK(MetricOf(record, "joint_torque_clean_rmse_nm@validation") < 1e-10);
}

TEST_CASE("With friction columns of another width it is not") {
  const TemporaryFolder folder;
  Json json = LightWrist();
  json["problem"]["parametrisation"]["coulomb_width_rad_s"] = 0.02;
  const Json record = ParseJson(Records(json, folder / "run"), "records");
  REQUIRE(record.at("outcome") == "ok");
  CHECK(MetricOf(record, "base_parameter_relative_error") > 1e-5);
}

}  // namespace
}  // namespace idbench
