#include "bench/run/traces.h"

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include "bench/small_run_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

Json Filters() {
  return ParseJson(R"({
    "name": "traces", "robot": {"model": "planar2"}, "control": {"type": "exact_replay"},
    "experiments": {
      "identification": {"motion": {"type": "fourier", "base_frequency_hz": 0.5, "duration_s": 2, "candidates": 1}},
      "validation": {"role": "validation",
        "motion": {"type": "fourier", "base_frequency_hz": 0.5, "duration_s": 2, "candidates": 1, "stream": "validation"}}},
    "sensors": {"joint_torque": {"noise_peak_fraction": 0.01}},
    "problem": {"parametrisation": {"type": "masses_and_moments", "lower_prior_factor": 0, "upper_prior_factor": 2},
      "prior": {"mass_scale": 1.2, "inertia_scale": 1.2, "relative_std": 0.5}},
    "estimators": {"map": {}, "ekf": {}}, "evaluate_at_s": [0.5], "trials": 2, "timing_trials": 1})",
                   "traces");
}

std::vector<Json> Lines(const std::string& text) {
  std::vector<Json> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(Json::parse(line));
  return lines;
}

TEST_CASE("Tracks end at the estimate of the record, and residuals have its RMSE") {
  const TemporaryFolder folder;
  std::map<std::string, Json> records;
  for (const Json& record : Lines(Records(Filters(), folder / "r"))) {
    if (record["trial"] == 0) records[record["estimator"]] = record;
  }
  const std::vector<Json> tracks = Lines(ReadText(folder / "r" / "series" / "tracks.jsonl"));
  REQUIRE(tracks.size() == 2);
  for (const Json& track : tracks) {
    const Json& record = records.at(track["estimator"]);
    const std::size_t points = track["estimator"] == "map" ? 2 : 130;  // of 8 unknowns
    CHECK(track["t_s"].size() == points);
    CHECK(track["x"].size() == points);
    CHECK(track["sigma"].size() == points);
    CHECK(track["x_true"].size() == record["x"].size());
    for (std::size_t k = 0; k < record["x"].size(); ++k) {
      // Six digits are written.
      CHECK(track["x"].back()[k].get<double>() ==
            doctest::Approx(record["x"][k].get<double>()).epsilon(1e-5));
      CHECK(track["sigma"].back()[k].get<double>() ==
            doctest::Approx(record["sigma"][k].get<double>()).epsilon(1e-5));
    }
    CHECK(track["t_s"][points - 2].get<double>() < track["t_s"].back().get<double>());
  }
  CHECK(tracks[0]["t_s"][0] == 0.5);  // the checkpoint

  const std::vector<Json> residuals = Lines(ReadText(folder / "r" / "series" / "residuals.jsonl"));
  REQUIRE(residuals.size() == 4);
  for (const Json& line : residuals) {
    CHECK_FALSE(line.contains("units"));
    CHECK(line["rows"] == Json::array({"joint1", "joint2"}));
    CHECK(line["t_s"].size() == 200);
    const std::string metric = "joint_torque_rmse_nm@" + line["experiment"].get<std::string>();
    const Json& expected = records.at(line["estimator"])["metrics"][metric]["components"];
    for (std::size_t joint = 0; joint < 2; ++joint) {
      double sum = 0;
      for (const Json& residual : line["residual"][joint]) {
        sum += residual.get<double>() * residual.get<double>();
      }
      CHECK(std::sqrt(sum / 200) == doctest::Approx(expected[joint].get<double>()).epsilon(1e-5));
    }
  }
}

TEST_CASE("Residuals of a prismatic joint state their unit, those of revolute joints do not") {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "");
  std::ofstream(folder / "cart.urdf") << R"(<robot name="cart"><link name="ground"/>
    <link name="cart"><inertial><mass value="2"/>
      <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <link name="pole"><inertial><origin xyz="0 0 0.3"/><mass value="1"/>
      <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <joint name="rail" type="prismatic"><parent link="ground"/><child link="cart"/>
      <axis xyz="1 0 0"/><limit lower="-1" upper="1" effort="50" velocity="2"/></joint>
    <joint name="swing" type="revolute"><parent link="cart"/><child link="pole"/>
      <axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="50" velocity="5"/></joint></robot>)";
  Json json = Filters();
  json["robot"]["model"] = (folder / "cart.urdf").string();
  json["problem"] = {{"parametrisation", {{"type", "base"}}}};
  json["estimators"] = {{"ols", Json::object()}};
  json["trials"] = 1;
  Records(json, folder / "r");
  const std::vector<Json> residuals = Lines(ReadText(folder / "r" / "series" / "residuals.jsonl"));
  REQUIRE(residuals.size() == 2);
  CHECK(residuals[0]["rows"] == Json::array({"rail", "swing"}));
  CHECK(residuals[0]["units"] == Json({{"rail", "N"}}));
}

TEST_CASE("A long recording is traced by a bounded number of points") {
  const TemporaryFolder folder;
  Json json = Filters();
  json["experiments"]["identification"]["motion"]["duration_s"] = 10;
  json["experiments"]["identification"]["motion"]["base_frequency_hz"] = 0.1;
  json["trials"] = 1;
  Records(json, folder / "r");
  for (const Json& line : Lines(ReadText(folder / "r" / "series" / "residuals.jsonl"))) {
    CHECK(line["t_s"].size() <= 300);
    CHECK(line["t_s"].size() >= 150);
    CHECK(line["residual"][0].size() == line["t_s"].size());
  }
}

TEST_CASE("The truth of a payload is traced as it comes and goes") {
  const TemporaryFolder folder;
  Json json = Filters();
  json["experiments"]["identification"]["events"] =
      Json::parse(R"([{"at_s": 0.5, "mass_kg": 2}, {"type": "detach", "at_s": 1.5}])");
  json["problem"]["parametrisation"] = Json::parse(
      R"({"type": "payload", "payload": {"mass_bounds_kg": [0, 4], "moment_bounds_kgm2": [0, 1]}})");
  json["trials"] = 1;
  Records(json, folder / "r");
  const std::vector<Json> tracks = Lines(ReadText(folder / "r" / "series" / "tracks.jsonl"));
  REQUIRE(tracks.size() == 2);
  for (const Json& track : tracks) {
    REQUIRE(track["x_true"].size() == track["t_s"].size());
    for (std::size_t k = 0; k < track["t_s"].size(); ++k) {
      const double t_s = track["t_s"][k];
      CHECK(track["x_true"][k][0] == (t_s >= 0.5 && t_s < 1.5 ? 2.0 : 0.0));
    }
  }
  CHECK(tracks[1]["t_s"].size() == 260);
}

TEST_CASE("No trial kept, no traces") {
  const TemporaryFolder folder;
  Json json = Filters();
  json["keep_series"] = Json::array();
  Records(json, folder / "r");
  CHECK_FALSE(std::filesystem::exists(folder / "r" / "series"));
}

}  // namespace
}  // namespace idbench
