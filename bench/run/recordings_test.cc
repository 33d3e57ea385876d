#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "bench/captured_output_test.h"
#include "bench/small_run_test.h"
#include "robots/dynamics/dynamics.h"
#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/dynamics/rows.h"
#include "robots/robot.h"
#include "robots/temporary_folder_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

constexpr const char* kHeader = "t_s,q1_rad,qd1_rad_s,qdd1_rad_s2,tau1_nm\n";

/// A scenario on one recording `a.csv` of planar1 with these contents, and what the program says.
ProgramResult RunOn(const TemporaryFolder& folder, const std::string& csv) {
  folder.Write("a.csv", csv);
  const Json json = {{"name", "r"},
                     {"robot", {{"model", "planar1"}}},
                     {"recording",
                      {{"root", folder.path().string()},
                       {"columns",
                        {{"time", "t_s"},
                         {"joint_position", "q1_rad"},
                         {"joint_velocity", "qd1_rad_s"},
                         {"joint_acceleration", "qdd1_rad_s2"},
                         {"joint_torque", "tau1_nm"}}}}},
                     {"experiments", {{"a", {{"file", "a.csv"}}}}},
                     {"estimators", {{"ols", Json::object()}}}};
  return Call(
      {"run", folder.Write("r.json", json.dump()), "--out", (folder.path() / "run").string()});
}

struct BrokenRecording {
  const char* what;
  std::string csv;
  std::string message;  ///< Behind the file's name.
};

TEST_CASE("Broken recordings are refused with their place, exit code 2 and nothing written") {
  const std::string header = kHeader;
  const BrokenRecording all[] = {
      {"ragged row", header + "0,0,0,0,0\n0.1,0,0,0\n", "line 3: "},
      {"text in a number", header + "0,0,0,0,0\n0.1,0,zero,0,0\n", "line 3, column 'qd1_rad_s': "},
      {"time going backwards", header + "0,0,0,0,0\n0.2,0,0,0,0\n0.1,0,0,0,0\n", "line 4"},
      {"missing column", "t_s,q1_rad,qd1_rad_s,tau1_nm\n0,0,0,0\n",
       "line 1: no column 'qdd1_rad_s2'"},
      {"empty file", "", "is empty"},
  };
  for (const BrokenRecording& broken : all) {
    CAPTURE(broken.what);
    const TemporaryFolder folder;
    const ProgramResult result = RunOn(folder, broken.csv);
    CAPTURE(result.errors);
    CHECK(result.code == 2);
    CHECK(result.errors.find((folder.path() / "a.csv").string() + ": " + broken.message) == 0);
    CHECK_FALSE(std::filesystem::exists(folder.path() / "run"));
  }
}

/// A log of planar1 at 100 Hz for 6 s with a torque error of its own, without the rows between.
std::string LogOfPlanar1(double phase, double from_s = 9.0, double until_s = 9.0) {
  const Robot arm = LoadRobot("planar1");
  const Dynamics dynamics(arm.model);
  Dynamics::Scratch scratch(dynamics);
  Eigen::VectorXd pi = arm.FindSet("")->pi;
  pi.tail(dynamics.layout().term_count()).setZero();
  std::string rows = kHeader;
  for (int k = 0; k < 600; ++k) {
    const double t = 0.01 * k;
    if (t > from_s && t < until_s) continue;
    Eigen::VectorXd q(1), qd(1), qdd(1), tau(1);
    q[0] = std::sin(3 * t + phase) + 0.5 * std::sin(7 * t);
    qd[0] = 3 * std::cos(3 * t + phase) + 3.5 * std::cos(7 * t);
    qdd[0] = -9 * std::sin(3 * t + phase) - 24.5 * std::sin(7 * t);
    dynamics.InverseDynamics(pi, q, qd, qdd, scratch, tau);
    rows += fmt::format("{},{},{},{},{}\n", t, q[0], qd[0], qdd[0],
                        tau[0] + 0.01 * std::sin(0.7 * k * k));
  }
  return rows;
}

Json ScenarioOfPlanar1(const TemporaryFolder& folder) {
  Json json = ParseJson(R"({"name": "r", "robot": {"model": "planar1"}, "recording": {"columns":
      {"time": "t_s", "joint_position": "q1_rad", "joint_velocity": "qd1_rad_s",
       "joint_acceleration": "qdd1_rad_s2", "joint_torque": "tau1_nm"}},
    "experiments": {"a": {"file": "a.csv"}, "b": {"file": "b.csv", "role": "validation"}},
    "problem": {"parametrisation": {"type": "base"}}, "estimators": {"ols": {}, "wls": {}},
    "timing_trials": 0})",
                        "test");
  json["recording"]["root"] = folder.path().string();
  return json;
}

/// The records of a run of the scenario.
std::vector<Json> RecordsOfLogs(const TemporaryFolder& folder, const Json& json) {
  const ProgramResult result =
      Call({"run", folder.Write("r.json", json.dump()), "--out", (folder.path() / "run").string()});
  CAPTURE(result.errors);
  REQUIRE(result.code == 0);
  std::istringstream lines(ReadText(folder.path() / "run" / "records.jsonl"));
  std::vector<Json> records;
  for (std::string line; std::getline(lines, line);) records.push_back(Json::parse(line));
  return records;
}

TEST_CASE("Nothing is interpolated across a gap, whichever role the recording has") {
  for (const char* torn : {"a", "b"}) {
    CAPTURE(torn);
    const TemporaryFolder whole, gap, bridged;
    for (const TemporaryFolder* folder : {&whole, &gap, &bridged}) {
      for (const std::string label : {"a", "b"}) {
        const bool here = folder != &whole && label == torn;
        folder->Write(label + ".csv",
                      here ? LogOfPlanar1(label == "b", 2.005, 4.0) : LogOfPlanar1(label == "b"));
      }
    }
    const auto error = [](const TemporaryFolder& folder, const Json& steps) {
      Json json = ScenarioOfPlanar1(folder);
      json["processing"] = {{"resample_rate_hz", 100}};
      json["recording"]["gap_steps"] = steps;
      return MetricOf(RecordsOfLogs(folder, json).front(), "joint_torque_relative_error@b");
    };
    const double intact = error(whole, 10.0);
    CHECK(error(gap, 10.0) == doctest::Approx(intact).epsilon(0.1));  // of fewer samples
    CHECK(error(bridged, nullptr) > 5 * intact);
  }
}

TEST_CASE("Estimates and metrics of a recording in segments are those of all its samples") {
  const TemporaryFolder split, one;
  std::vector<std::vector<Json>> records;
  for (const TemporaryFolder* folder : {&split, &one}) {
    folder->Write("a.csv", LogOfPlanar1(0.0, 1.0, 2.0));
    folder->Write("b.csv", LogOfPlanar1(1.0, 3.0, 5.0));
    Json json = ScenarioOfPlanar1(*folder);
    // Nothing is processed or smoothed, so that samples are the same.
    json["scoring"] = {{"smoothing", "none"}};
    if (folder == &one) json["recording"]["gap_steps"] = nullptr;
    records.push_back(RecordsOfLogs(*folder, json));
  }
  REQUIRE(records[0].size() == 2);
  for (std::size_t k = 0; k < 2; ++k) {
    for (const auto& [name, metric] : records[1][k].at("metrics").items()) {
      if (!metric.contains("value")) continue;
      CAPTURE(name);
      CHECK(MetricOf(records[0][k], name) ==
            doctest::Approx(MetricOf(records[1][k], name)).epsilon(1e-9));
    }
  }
  const std::string series = "run/series/cell0_b_trial0.csv";
  CHECK(ReadText(split.path() / series) == ReadText(one.path() / series));
  const std::string residuals = ReadText(split.path() / "run/series/residuals.jsonl");
  CHECK(residuals.find(R"("experiment":"b","segment":1)") != std::string::npos);
  CHECK(ReadText(one.path() / "run/series/residuals.jsonl").find("segment") == std::string::npos);
  const std::string motions = ReadText(split.path() / "run/series/motions.jsonl");
  CHECK(motions.find(R"("segment":1,"t_s":[5.0)") != std::string::npos);  // 3 s of the log
  CHECK(ReadText(split.path() / "run/report.md")
            .find("- b: a gap of 2 s at t = 3 s: recording split in two; nothing is "
                  "interpolated, filtered or differentiated across\n") != std::string::npos);
}

TEST_CASE("Criteria of a recorded motion are those of its samples, whatever their rate") {
  const auto criteria = [](std::string log) {
    const TemporaryFolder folder;
    folder.Write("a.csv", log);
    folder.Write("b.csv", LogOfPlanar1(1.0));
    Json json = ScenarioOfPlanar1(folder);
    json["estimators"] = {{"ols", Json::object()}};
    json["metrics"] = {"excitation_jd@a", "excitation_jd_timeless@a"};
    const std::vector<Json> records = RecordsOfLogs(folder, json);
    REQUIRE(records.size() == 2);  // of ols, and of the motion of a
    CHECK(records[1].at("experiment") == "a");
    return records[1].at("metrics");
  };
  const std::string log = LogOfPlanar1(0.0);
  const Robot arm = LoadRobot("planar1");
  const std::vector<PlacedEquation> torques = {{Equation::kTorque}};
  const std::vector<int> columns =
      FindBaseParameters(arm.model, torques, ConsideredParameters(arm.model, torques, {}))
          .independent;
  const Dynamics dynamics(arm.model);
  Dynamics::Scratch scratch(dynamics);
  const RowRegressor rows(dynamics, torques, columns);
  Eigen::MatrixXd W(1, rows.column_count());
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(W.cols(), W.cols());
  std::istringstream lines(log);
  std::string line, every_second;
  std::getline(lines, line);
  every_second = line + "\n";
  for (int k = 0; std::getline(lines, line); ++k) {
    double t = 0.0, q = 0.0, qd = 0.0, qdd = 0.0;
    REQUIRE(std::sscanf(line.c_str(), "%lf,%lf,%lf,%lf", &t, &q, &qd, &qdd) == 4);
    rows.Single(Eigen::VectorXd::Constant(1, q), Eigen::VectorXd::Constant(1, qd),
                Eigen::VectorXd::Constant(1, qdd), scratch, W);
    M += W.transpose() * W;
    if (k % 2 == 0) every_second += line + "\n";
  }
  const Json all = criteria(log), half = criteria(every_second);
  const auto value = [](const Json& metrics, const char* name) {
    return metrics.at(name).at("value").get<double>();
  };
  const double jd = -std::log(M.determinant());
  CHECK(value(all, "excitation_jd@a") == doctest::Approx(jd).epsilon(1e-9));
  CHECK(value(all, "excitation_jd_timeless@a") ==
        doctest::Approx(jd + static_cast<double>(W.cols()) * std::log(6.0)).epsilon(1e-9));
  // Twice the weight for half of the samples: sums of a smooth function.
  CHECK(std::abs(value(half, "excitation_jd@a") - jd) < 0.05);
}

TEST_CASE("The time of a log counts from its beginning or its window's, and runs on in gaps") {
  const TemporaryFolder folder;
  folder.Write("a.csv", LogOfPlanar1(0.0, 2.0, 4.0));
  folder.Write("b.csv", LogOfPlanar1(1.0));
  Json json = ScenarioOfPlanar1(folder);
  json["experiments"]["a"]["window"] = {{"from_s", 1}};
  json["scoring"] = {{"smoothing", "none"}};
  json["evaluate_at_s"] = {1, 2.9, 3.5};
  const std::vector<Json> records = RecordsOfLogs(folder, json);
  const auto at = [&](const char* checkpoint) {
    return MetricOf(records.front(), std::string("joint_torque_rmse_nm@b@t=") + checkpoint);
  };
  CHECK(at("1") == at("2.9"));  // up to 2 s of the log; then nothing comes until 4 s
  CHECK(at("2.9") != at("3.5"));
  for (const char* const file : {"residuals.jsonl", "motions.jsonl"}) {
    CAPTURE(file);
    std::map<std::string, double> first;
    std::istringstream lines(ReadText(folder.path() / "run/series" / file));
    for (std::string text; std::getline(lines, text);) {
      const Json line = Json::parse(text);
      if (line.value("estimator", "ols") != "ols") continue;
      first[fmt::format("{}{}", line["experiment"].get<std::string>(), line.value("segment", 0))] =
          line["t_s"][0].get<double>();
    }
    CHECK(first == std::map<std::string, double>{{"a0", 0.0}, {"a1", 3.0}, {"b0", 0.0}});
  }
  CHECK(ReadText(folder.path() / "run/report.md")
            .find("- samples that were dropped or lost: first 2.9 s 190 of 291, first 3.5 s 199 of "
                  "351\n") != std::string::npos);
}

TEST_CASE("Segments that are too short for a filter are dropped and told, unless all are") {
  const TemporaryFolder folder;
  folder.Write("b.csv", LogOfPlanar1(1.0));
  std::string rows = LogOfPlanar1(0.0);
  for (int k = 0; k < 20; ++k) rows += fmt::format("{},0,0,0,0\n", 20 + 0.01 * k);
  folder.Write("a.csv", rows);
  Json json = ScenarioOfPlanar1(folder);
  json["processing"] = {{"lowpass", {{"cutoff_hz", 10}}}};
  const std::string file = folder.Write("r.json", json.dump());
  const ProgramResult result = Call({"validate", file});
  CHECK(result.code == 0);
  CHECK(result.errors.find("r.json: note: a: the segment at 20 s is dropped, too short: 0.237 s "
                           "dropped at each end leave nothing of the 0.19 s recorded\n") !=
        std::string::npos);
  json["processing"]["lowpass"]["drop_edges_s"] = 9;
  const ProgramResult none = Call({"validate", folder.Write("r.json", json.dump())});
  CHECK(none.code == 2);
  CHECK(none.errors.find("9 s dropped at each end leave nothing of the 5.99 s recorded") !=
        std::string::npos);
}

TEST_CASE("A scrap between gaps is left out of the smoothed score, which stays") {
  const TemporaryFolder folder, whole;
  for (const TemporaryFolder* each : {&folder, &whole}) {
    std::string rows = LogOfPlanar1(1.0);
    if (each == &folder) {
      for (int k = 0; k < 30; ++k) rows += fmt::format("{},0,0,0,1\n", 20 + 0.01 * k);
    }
    each->Write("a.csv", LogOfPlanar1(0.0));
    each->Write("b.csv", rows);
  }
  constexpr const char* kScore = "joint_torque_relative_error@b";
  const std::vector<Json> records = RecordsOfLogs(folder, ScenarioOfPlanar1(folder));
  const std::vector<Json> without = RecordsOfLogs(whole, ScenarioOfPlanar1(whole));
  for (std::size_t k = 0; k < records.size(); ++k) {
    CHECK(MetricOf(records[k], kScore) == MetricOf(without[k], kScore));
    const std::string unsmoothed = "joint_torque_relative_error(cutoff=none)@b";
    CHECK(MetricOf(records[k], unsmoothed) > MetricOf(without[k], unsmoothed));
  }
  CHECK(ReadText(folder.path() / "run/report.md")
            .find("; left out, too short for F: b from 20 s to 20.29 s (30 samples)") !=
        std::string::npos);
}

TEST_CASE("What is doubtful about a log is told by validate and under its tables") {
  const TemporaryFolder folder;
  folder.Write("logs/a.csv", LogOfPlanar1(0.0));
  folder.Write("logs/b.csv", LogOfPlanar1(0.0));
  Json json = ScenarioOfPlanar1(folder);
  json["recording"]["root"] = "logs";
  json["recording"]["units"] = {{"joint_velocity", "deg_s"}};
  json["processing"] = {{"differentiate", {"joint_acceleration"}}, {"decimate_to_hz", 50}};
  const std::string file = folder.Write("r.json", json.dump());
  const std::string told = Call({"validate", file}).errors;
  CAPTURE(told);
  const ProgramResult run = Call({"run", file, "--out", (folder.path() / "run").string()});
  REQUIRE(run.code == 0);
  const std::string report = ReadText(folder.path() / "run/report.md");
  for (const char* const note :
       {"a, b: velocity of joint1 fits 0.0175 × dq/dt: degrees for radians in one of them?",
        "a (identification) and b (validation) have the same data, a.csv and b.csv: what was "
        "trained on validates nothing",
        "accelerations are differences of positions without a low-pass: ",
        "decimated to 50 Hz without a low-pass: all above 25 Hz, "}) {
    CAPTURE(note);
    CHECK(told.find(std::string(": note: ") + note) != std::string::npos);
    CHECK(report.find(std::string("\n- ") + note) != std::string::npos);
  }
  // The manifest names what was read, from wherever the scenario is.
  CHECK(ReadJsonFile(folder.path() / "run/manifest.json")["scenario"]["recording"]["root"] ==
        (folder.path() / "logs").string());
}

TEST_CASE("A window of a recording that starts anew is refused") {
  const TemporaryFolder folder;
  folder.Write("b.csv", LogOfPlanar1(1.0));
  const std::string rows = LogOfPlanar1(0.0);
  folder.Write("a.csv", rows + rows.substr(rows.find('\n') + 1));
  Json json = ScenarioOfPlanar1(folder);
  CHECK(Call({"validate", folder.Write("r.json", json.dump())}).code == 0);
  json["experiments"]["a"]["window"] = {{"until_fraction", 0.5}};
  const ProgramResult result = Call({"validate", folder.Write("r.json", json.dump())});
  CHECK(result.code == 2);
  CHECK(result.errors.find("/experiments/a/window: time jumps back from 5.99 s to 0 s, so that a "
                           "window of it is ambiguous\n"
                           "  put what was recorded from each start on into a file of its own") !=
        std::string::npos);
}

}  // namespace
}  // namespace idbench
