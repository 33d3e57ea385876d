#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "bench/small_run_test.h"
#include "scenarios/options/json.h"

/// Runs of a robot whose force/torque sensor has a calibration that is to be estimated.
namespace idbench {
namespace {

/// The PUMA 560 with a sensor in its upper arm, exactly moved, bare in one experiment and with
/// 0.5 kg in its hand in another; its sensor's calibration is off by 3 %, else it is exact.
Json CalibratedScenario() {
  Json json = Description();
  json.erase("sweep");
  json["robot"] = ParseJson(R"({"model": "puma560",
    "force_torque_sensors": {"ft": {"link": "link3", "link_side": "distal"}},
    "truth": {"mass_scale": 1.2}})",
                            "test");
  json["attached"] = ParseJson(
      R"({"weight": {"link": "link6", "p_LB_L_m": [0.1, 0.05, 0.2], "known": true,
          "prior": {"mass_kg": 0.5}}})",
      "test");
  json["configurations"] = ParseJson(R"({"loaded": {"attached": ["weight"]}})", "test");
  Json motion = json["experiments"]["identification"]["motion"];
  motion["stream"] = "other";
  json["experiments"]["loaded"] = {{"motion", motion}, {"configuration", "loaded"}};
  motion["stream"] = "validation";
  json["experiments"]["validation"] = {{"motion", motion}, {"role", "validation"}};
  json["sensors"] = ParseJson(R"({"joint_torque": {"origin": "absent"},
    "wrench": {"ft": {"calibration_error": {"relative_std": 0.03}}}})",
                              "test");
  json["problem"] = ParseJson(R"({"parametrisation": {"type": "standard"}, "prior": {},
    "equations": [{"type": "wrench", "mount": "ft"}],
    "terms": [{"type": "offset", "sensors": "ft"}, {"type": "calibration", "sensors": "ft"}]})",
                              "test");
  json["metrics"] = {"ft_force_error_n", "ft_moment_error_nm", "base_parameter_relative_error"};
  json["estimators"] = {{"drive_nls", Json::object()}};
  json["trials"] = 1;
  return json;
}

std::string CalibrationIssues(const Json& json) {
  std::string text;
  try {
    Load(json);
  } catch (const ConfigError& error) {
    for (const Issue& issue : error.issues()) {
      text += issue.where + ": " + issue.what + "\n";
      for (const std::string& detail : issue.details) text += "  " + detail + "\n";
    }
  }
  return text;
}

TEST_CASE("A known weight in a second run makes a sensor's calibration known, from it alone") {
  const TemporaryFolder folder;
  Json json = CalibratedScenario();
  json["estimators"]["ols"] = Json::object();
  const LoadedScenario loaded = Load(json);
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  const TrialData data = context.Run(0);
  const Eigen::VectorXd truth = context.problem().parameters.FromPi(*data.true_pi());
  const auto& names = context.problem().parameters.names;
  for (const Json& record : LinesIn(Records(json, folder / "r"))) {
    REQUIRE_MESSAGE(record.at("outcome") == "ok", record.dump());
    int entries = 0;
    for (std::size_t k = 0; k < names.size(); ++k) {
      if (!names[k].starts_with("ft.d_")) continue;
      CAPTURE(names[k]);
      ++entries;
      const double d = truth[static_cast<Eigen::Index>(k)];
      CHECK(d != 0.0);
      CHECK(std::abs(record.at("x")[k].get<double>() - d) < 1e-6);
    }
    CHECK(entries == 36);
    CHECK(MetricOf(record, "ft_force_error_n@validation") < 1e-6);
    CHECK(MetricOf(record, "ft_moment_error_nm@validation") < 1e-6);
    CHECK(MetricOf(record, "base_parameter_relative_error") < 1e-6);
  }
  const std::vector<std::string>& marks = context.marks();
  CHECK(std::ranges::find(
            marks,
            "the calibration of ft is to be estimated: what it measured stands among the columns, "
            "so that its noise biases estimates, and no σ counts that; but for a known load its "
            "rows hold for D = −1, to which all methods but drive_nls shrink it") != marks.end());
  // Without the term the error stays in all that is predicted.
  json["problem"]["terms"].erase(1);
  json["estimators"] = {{"ols", Json::object()}};
  const Json without = ParseJson(Records(json, folder / "s"), "records");
  CHECK(MetricOf(without, "ft_force_error_n@validation") > 1e-2);
}

TEST_CASE("Each trial has its sensor's own calibration, and the truth knows it") {
  const LoadedScenario loaded = Load(CalibratedScenario());
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  const Eigen::VectorXd one = *context.Run(0).true_pi(), two = *context.Run(1).true_pi();
  CHECK((one.tail(36) - two.tail(36)).norm() > 1e-3);
  CHECK(one.head(one.size() - 36) == two.head(two.size() - 36));
  Json exact = CalibratedScenario();
  exact["sensors"]["wrench"]["ft"].erase("calibration_error");
  const LoadedScenario of_exact = Load(exact);
  const PreparedCell perfect(of_exact, of_exact.cells[0], rollouts);
  CHECK(perfect.Run(0).true_pi()->tail(36).isZero(0.0));
}

TEST_CASE("What says nothing of how large a calibration is is refused") {
  Json json = CalibratedScenario();
  json["experiments"].erase("loaded");
  json.erase("attached");
  json.erase("configurations");
  const std::string expected =
      "/problem/terms: nothing says how large the calibration is of ft\n"
      "  rows of the wrench hold for any multiple of 1 + D, of masses and of offsets, and for "
      "none; "
      "σ of a prior is no cure, as least squares shrink them the more the more samples there are\n"
      "  attach a body of known mass beyond the sensor (/attached) that comes off, all else being "
      "the same, in some experiments for identification; or, beside an equation of drives, know a "
      "gain (/problem/prior/terms)\n";
  CHECK(CalibrationIssues(json) == expected);
  json["problem"]["terms"][1]["entries"] = "diagonal";
  CHECK(CalibrationIssues(json) == expected);
  // A weight that is always on, or before the sensor, says nothing either.
  json = CalibratedScenario();
  json["experiments"]["identification"]["configuration"] = "loaded";
  CHECK(CalibrationIssues(json) == expected);
  json = CalibratedScenario();
  json["attached"]["weight"]["link"] = "link2";
  CHECK(CalibrationIssues(json) == expected);
}

TEST_CASE("A calibration that rows, channels or configurations contradict is refused") {
  Json json = CalibratedScenario();
  json["problem"]["equations"][0]["components"] = "F{x,y,z}";
  CHECK(CalibrationIssues(json) ==
        "/problem/equations/0/components: the calibration of ft takes all six of them\n"
        "  remove it, or the terms of type \"calibration\"\n");
  json = CalibratedScenario();
  json["configurations"]["loaded"]["own"] = {"ft.d_fx"};
  CHECK(CalibrationIssues(json).starts_with(
      "/configurations/loaded/own: ft.d_fx_fx is of the sensor, in "
      "all configurations\n"));
  json = CalibratedScenario();
  json["robot"]["truth"]["terms"]["ft.d_fx_fx"] = 0.1;
  CHECK(CalibrationIssues(json).starts_with(
      "/robot/truth/terms/ft.d_fx_fx: is that of the simulated sensor "
      "and cannot be set\n"
      "  set the sensor's own error: calibration_error in "
      "/sensors/wrench\n"));
  json = CalibratedScenario();
  json["problem"]["equations"] = {"joint_torque"};
  json["sensors"] = ParseJson(R"({"joint_torque": {}})", "test");
  json["problem"]["terms"].erase(0);
  json["metrics"] = {"base_parameter_relative_error"};
  CHECK(
      CalibrationIssues(json).starts_with("/problem/terms/0: ft.d_fx_fx is in no equation\n"
                                          "  add the equation \"wrench\" of that sensor\n"));
}

}  // namespace
}  // namespace idbench
