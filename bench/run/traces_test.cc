#include "bench/run/traces.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include "bench/small_run_test.h"
#include "bench/trial/labelled_observers.h"
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

TEST_CASE("Beside residuals stands the torque that was measured at the same instants") {
  const TemporaryFolder folder;
  Records(Filters(), folder / "r");
  std::istringstream table(ReadText(folder / "r" / "series" / "cell0_identification_trial0.csv"));
  std::string header, row;
  std::getline(table, header);
  const auto columns = [](const std::string& text) {
    std::vector<std::string> cells;
    std::istringstream stream(text);
    for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
    return cells;
  };
  const std::vector<std::string> names = columns(header);
  const auto tau2 = std::ranges::find(names, "tau2_nm") - names.begin();
  std::vector<double> torque;
  while (std::getline(table, row)) {
    torque.push_back(std::stod(columns(row).at(static_cast<std::size_t>(tau2))));
  }
  const Json line = Lines(ReadText(folder / "r" / "series" / "residuals.jsonl")).at(0);
  REQUIRE(line["experiment"] == "identification");
  const Json& measured = line["measured"][1];
  REQUIRE(measured.size() == torque.size());
  for (std::size_t k = 0; k < torque.size(); ++k) {
    // Six digits are written.
    CHECK(measured[k].get<double>() == doctest::Approx(torque[k]).epsilon(1e-5));
  }
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
    CHECK(line["measured"][0].size() == line["t_s"].size());
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

/// An arm of six joints that is touched with 10 N for 0.5 s while two observers watch it.
Json Touched(double duration_s = 4) {
  Json json = Filters();
  json["robot"]["model"] = "puma560";
  json["estimators"] = {{"map", Json::object()}};
  json["trials"] = 1;
  json["experiments"]["contact"] = Json::parse(R"({
    "role": "application",
    "motion": {"type": "fourier", "base_frequency_hz": 0.5, "duration_s": 4, "candidates": 1},
    "environment": {"touches": [{"type": "touch", "link": "link6", "point_m": [0.1, 0, 0],
      "force_n": [0, 0, 10], "axes": "base", "from_s": 0.5, "hold_s": 0.5}]}})");
  json["experiments"]["contact"]["motion"]["duration_s"] = duration_s;
  json["observers"] = Json::parse(R"({
    "T2": {"type": "contact_statistic", "models": ["map", "truth"], "samples": 1},
    "force": {"type": "end_effector_force", "models": ["truth"]}})");
  return json;
}

TEST_CASE("What observers found is traced beside what was there, and has their metrics") {
  const TemporaryFolder folder;
  std::map<std::string, Json> metrics;
  for (const Json& record : Lines(Records(Touched(2), folder / "r"))) {
    metrics[record.value("observer", "") + record["estimator"].get<std::string>()] =
        record["metrics"];
  }
  const std::vector<Json> lines = Lines(ReadText(folder / "r" / "series" / "observations.jsonl"));
  REQUIRE(lines.size() == 3);
  for (std::size_t k = 0; k < 2; ++k) {
    Json line = lines[k];
    const std::string model = k == 0 ? "map" : "truth";
    int right = 0, there = 0;
    for (std::size_t i = 0; i < 200; ++i) {
      right += line["detected"][i] == line["there"][i];
      there += line["there"][i].get<int>();
    }
    CHECK(there >= 50);
    CHECK(right / 200.0 ==
          doctest::Approx(metrics["T2" + model]["label_accuracy@contact"]["value"].get<double>()));
    for (const char* list : {"t_s", "detected", "there"}) {
      CHECK(line[list].size() == 200);
      line.erase(list);
    }
    CHECK(line["values"][0].size() == 200);
    line.erase("values");
    const double threshold = line["threshold"];
    for (std::size_t i = 0; i < 200; ++i) {
      const Json& value = lines[k]["values"][0][i];
      if (value.is_null()) continue;
      CHECK((value.get<double>() > threshold) == (lines[k]["detected"][i] == 1));
    }
    line.erase("threshold");
    CHECK(line == Json({{"cell", 0},
                        {"trial", 0},
                        {"observer", "T2"},
                        {"estimator", model},
                        {"experiment", "contact"},
                        {"series", "statistic"},
                        {"columns", {"T2"}},
                        {"units", {"1"}}}));
  }
  const Json& force = lines[2];
  CHECK(force["series"] == "external_force");
  CHECK(force["columns"] == Json::array({"x", "y", "z"}));
  CHECK(force["units"] == Json::array({"N", "N", "N"}));
  CHECK_FALSE(force.contains("there"));  // it detects nothing
  CHECK_FALSE(force.contains("detected"));
  REQUIRE(force["true"].size() == 3);
  const Json& rmse = metrics["forcetruth"]["external_force_rmse_n@contact"]["components"];
  for (std::size_t axis = 0; axis < 3; ++axis) {
    double sum = 0;
    for (std::size_t i = 0; i < 200; ++i) {
      const double truth = force["true"][axis][i], t_s = force["t_s"][i];
      if (t_s < 0.5) CHECK(truth == 0.0);
      if (t_s > 0.7 && t_s < 0.9) CHECK(truth == (axis == 2 ? 10.0 : 0.0));
      const Json& value = force["values"][axis][i];
      // Near a singular configuration there is none, which counts as 0.
      const double error = (value.is_null() ? 0.0 : value.get<double>()) - truth;
      sum += error * error;
    }
    // Six digits are written.
    CHECK(std::sqrt(sum / 200.0) == doctest::Approx(rmse[axis].get<double>()).epsilon(1e-5));
  }
}

TEST_CASE("Traces of observations are the same of a run that goes on") {
  const TemporaryFolder folder;
  Json json = Touched();
  json["trials"] = 3;
  json["keep_series"] = {0, 2};
  Records(json, folder / "r");
  const std::filesystem::path file = folder / "r" / "series" / "observations.jsonl";
  const std::string before = ReadText(file);
  CHECK(Lines(before).size() == 6);
  std::filesystem::remove(file);
  RunScenario(Load(json), {.folder = folder / "r", .resume = true});
  CHECK(ReadText(file) == before);
}

/// A trial of Touched(), and the traces of what its first observer might have found.
struct TracedObservation {
  TracedObservation()
      : loaded(Load(Touched())),
        cell(loaded, loaded.cells[0], rollouts),
        data(cell.Run(0)),
        observers(MakeObservers(cell.scenario())),
        watched(2),
        time_s(data.datasets[watched].Get(kJointPosition).time_s) {
    REQUIRE(data.datasets[watched].label() == "contact");
    REQUIRE(time_s.size() > 300);
  }

  /// A statistic of 0, and nothing detected.
  Observation Quiet() const {
    Observation observation;
    observation.series = {
        {std::string(kStatistic), {"T2"}, {"1"}, time_s, Eigen::VectorXd::Zero(time_s.size())}};
    observation.labels = {{std::string(kDetected),
                           {"free", "contact"},
                           time_s,
                           Eigen::VectorXi::Zero(time_s.size())}};
    return observation;
  }
  std::vector<Json> Traced(const Observation& observation) const {
    TrialTracer tracer(cell, 0, data);
    tracer.Add(observers[0], "map", watched, observation);
    return Lines(tracer.traces().observations);
  }

  LoadedScenario loaded;
  RolloutStore rollouts;
  PreparedCell cell;
  TrialData data;
  std::vector<LabelledObserver> observers;
  std::size_t watched;
  Eigen::VectorXd time_s;
};

TEST_CASE("Thinning keeps each peak of a statistic and each alarm") {
  const TracedObservation trial;
  const Eigen::Index stride = (trial.time_s.size() + 299) / 300;
  for (const Eigen::Index peak : {Eigen::Index{1}, Eigen::Index{10}, trial.time_s.size() - 1}) {
    CAPTURE(peak);
    Observation observation = trial.Quiet();
    observation.series[0].values(peak, 0) = 1000.0;
    observation.labels[0].chosen[peak] = 1;
    const Json line = trial.Traced(observation).at(0);
    REQUIRE(line["t_s"].size() == (trial.time_s.size() + stride - 1) / stride);
    for (std::size_t k = 0; k < line["t_s"].size(); ++k) {
      const bool here = static_cast<Eigen::Index>(k) == peak / stride;
      CHECK(line["values"][0][k] == (here ? 1000.0 : 0.0));
      CHECK(line["detected"][k] == (here ? 1 : 0));
    }
  }
}

TEST_CASE("Where there is no statistic its trace has none, and says neither yes nor no") {
  const TracedObservation trial;
  const Eigen::Index stride = (trial.time_s.size() + 299) / 300;
  Observation observation = trial.Quiet();
  observation.series[0].values.topRows(2 * stride + 1).setConstant(std::nan(""));
  observation.labels[0].chosen.head(2 * stride + 1).setConstant(-1);
  Json line = trial.Traced(observation).at(0);
  for (const std::size_t k : {0, 1}) {
    CHECK(line["values"][0][k].is_null());
    CHECK(line["detected"][k].is_null());
  }
  // Of the third stretch one sample lacks.
  CHECK(line["values"][0][2] == (stride > 1 ? Json(0.0) : Json()));
  observation.labels.clear();
  CHECK_FALSE(trial.Traced(observation).at(0).contains("detected"));
}

TEST_CASE("Other series are of every few samples, column by column") {
  const TracedObservation trial;
  const Eigen::Index stride = (trial.time_s.size() + 299) / 300;
  Eigen::MatrixXd values(trial.time_s.size(), 2);
  values.col(0).setLinSpaced(0.0, static_cast<double>(trial.time_s.size() - 1));
  values.col(1) = -values.col(0);
  Observation observation;
  observation.series = {{"load", {"m", "c"}, {"kg", "m"}, trial.time_s, values}};
  const Json line = trial.Traced(observation).at(0);
  CHECK(line["series"] == "load");
  CHECK(line["units"] == Json::array({"kg", "m"}));
  for (std::size_t k = 0; k < line["t_s"].size(); ++k) {
    const auto sample = static_cast<double>(k) * static_cast<double>(stride);
    CHECK(line["values"][0][k] == sample);
    CHECK(line["values"][1][k] == -sample);
  }
  CHECK(line["there"].size() == line["t_s"].size());
  for (const char* key : {"true", "detected"}) CHECK_FALSE(line.contains(key));
}

TEST_CASE("A run without observers has no file of what they found") {
  const TemporaryFolder folder;
  Records(Filters(), folder / "r");
  CHECK(std::filesystem::exists(folder / "r" / "series" / "tracks.jsonl"));
  CHECK_FALSE(std::filesystem::exists(folder / "r" / "series" / "observations.jsonl"));
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
