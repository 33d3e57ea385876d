#include <doctest/doctest.h>

#include <algorithm>

#include "bench/small_run_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

TEST_CASE("A kept series reads back as a recording, bit for bit") {
  const TemporaryFolder folder;
  Json json = Description();
  json["sweep"] = Json::array();
  Records(json, folder / "r");
  const LoadedScenario loaded = Load(json);
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  const Dataset simulated = context.Run(0).datasets[0];

  Json recording = ParseJson(R"({
    "name": "again", "robot": {"model": "planar2"},
    "recording": {"columns": {"time": "t_s", "joint_position": "q{1..2}_rad", "joint_velocity": "qd{1..2}_rad_s",
      "joint_acceleration": "qdd{1..2}_rad_s2", "joint_torque": "tau{1..2}_nm"}},
    "experiments": {"a": {"file": "cell0_identification_trial0.csv"}}, "estimators": {"ols": {}}})",
                             "recording");
  recording["recording"]["root"] = (folder / "r" / "series").string();
  const LoadedScenario again = Load(recording);
  const PreparedCell replay(again, again.cells[0], rollouts);
  const Dataset read = replay.Run(0).datasets[0];
  for (const std::string_view channel :
       {kJointPosition, kJointVelocity, kJointAcceleration, kJointTorque}) {
    CHECK(read.Get(channel).samples == simulated.Get(channel).samples);
    CHECK(read.Get(channel).time_s == simulated.Get(channel).time_s);
  }
}

TEST_CASE("A base wrench is measured, kept and read back") {
  const TemporaryFolder folder;
  Json json = Description();
  json["sweep"] = Json::array();
  json["sensors"]["base_wrench"] = {{"origin", "measured"}, {"noise_peak_fraction", 0.01}};
  Records(json, folder / "r");
  const LoadedScenario loaded = Load(json);
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  const Channel simulated = context.Run(0).datasets[0].Get(kBaseWrench);
  REQUIRE(simulated.samples.cols() == 6);
  CHECK(simulated.sigma.size() == 6);

  Json recording = ParseJson(R"({
    "name": "again", "robot": {"model": "planar2"},
    "recording": {"columns": {"time": "t_s", "joint_position": "q{1..2}_rad", "joint_velocity": "qd{1..2}_rad_s",
      "joint_acceleration": "qdd{1..2}_rad_s2", "joint_torque": "tau{1..2}_nm",
      "base_wrench": "f{x,y,z}_n, m{x,y,z}_nm"}},
    "experiments": {"a": {"file": "cell0_identification_trial0.csv"}}, "estimators": {"ols": {}}})",
                             "recording");
  recording["recording"]["root"] = (folder / "r" / "series").string();
  const LoadedScenario again = Load(recording);
  const PreparedCell replay(again, again.cells[0], rollouts);
  CHECK(replay.Run(0).datasets[0].Get(kBaseWrench).samples == simulated.samples);
}

TEST_CASE("The true joints decide truth and roll-out, and what no model has is marked") {
  Json json = Description();
  json["sweep"] = Json::parse(R"([{"name": "truth", "values": ["set", "own", "Stribeck"], "set": {
      "/robot/truth/friction/coulomb_nm": [null, 3, null],
      "/robot/truth/friction/stribeck_excess_nm": [0, 0, 1]}}])");
  const LoadedScenario loaded = Load(json);
  RolloutStore rollouts;
  std::vector<std::unique_ptr<PreparedCell>> cells;
  for (const Cell& cell : loaded.cells) {
    cells.push_back(std::make_unique<PreparedCell>(loaded, cell, rollouts));
  }
  const int fc = ParameterLayout(2).Joint(1, JointParameter::kCoulomb);
  CHECK((*cells[0]->Run(0).true_pi())[fc] == 0.6);
  CHECK((*cells[1]->Run(0).true_pi())[fc] == 3.0);
  CHECK((*cells[2]->Run(0).true_pi())[fc] == 0.6);
  const std::string rollout = cells[0]->Run(0).rollout;
  CHECK(cells[1]->Run(0).rollout != rollout);
  CHECK(cells[2]->Run(0).rollout != rollout);
  const std::string mark = "in the true robot, but not in the model: Stribeck friction";
  CHECK(std::ranges::count(cells[0]->marks(), mark) == 0);
  CHECK(std::ranges::count(cells[2]->marks(), mark) == 1);
}

TEST_CASE("Payload events make a roll-out of their own, which others do not see") {
  const TemporaryFolder folder;
  Json json = Description();
  json["sweep"] = Json::parse(
      R"([{"name": "mass", "set": {"/experiments/identification/events/0/mass_kg": [1, 2]}}])");
  json["experiments"]["validation"] = json["experiments"]["identification"];
  json["experiments"]["validation"]["role"] = "validation";
  json["experiments"]["identification"]["events"] =
      Json::parse(R"([{"type": "attach", "at_s": 1, "mass_kg": 1, "com_m": [0, 0, -0.3]}])");
  const LoadedScenario loaded = Load(json);
  RolloutStore rollouts;
  const PreparedCell light(loaded, loaded.cells[0], rollouts);
  const PreparedCell heavy(loaded, loaded.cells[1], rollouts);
  const TrialData one = light.Run(0), two = heavy.Run(0);
  CHECK(one.rollout != two.rollout);
  const Eigen::MatrixXd torque_one = one.datasets[0].Get(kJointTorque).samples;
  const Eigen::MatrixXd torque_two = two.datasets[0].Get(kJointTorque).samples;
  CHECK(torque_one.topRows(100) == torque_two.topRows(100));
  CHECK(torque_one.bottomRows(100) != torque_two.bottomRows(100));
  CHECK(one.datasets[1].Get(kJointTorque).samples == two.datasets[1].Get(kJointTorque).samples);
  CHECK(std::ranges::count(light.marks(),
                           "payloads that the model does not know: 1 kg at link2 in "
                           "identification from 1 s on") == 1);
}

TEST_CASE("Motors are measured behind their gears, and kept in the series") {
  const TemporaryFolder folder;
  Json json = Description();
  json["sweep"] = Json::array();
  json["robot"]["truth"] =
      Json::parse(R"({"motor": {"gear_ratio": [100, 50], "torque_constant_nm_a": 0.05}})");
  json["sensors"] = Json::parse(R"({"joint_torque": {"origin": "oracle"},
      "motor_torque": {"origin": "oracle"},
      "motor_current": {"origin": "measured", "noise_peak_fraction": 0.01}})");
  Records(json, folder / "r");
  const LoadedScenario loaded = Load(json);
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  const Dataset dataset = context.Run(0).datasets[0];
  const Eigen::MatrixXd& tau = dataset.Get(kJointTorque).samples;
  CHECK(dataset.Get(kMotorTorque).samples(7, 0) == tau(7, 0) / 100.0);
  CHECK(dataset.Get(kMotorCurrent).sigma[1] > 0.0);
  const std::string series = ReadText(folder / "r" / "series" / "cell0_identification_trial0.csv");
  CHECK(series.find("tau_motor1_nm,tau_motor2_nm,i1_a,i2_a") != std::string::npos);
}

TEST_CASE("A declared σ that is not the true one is marked so") {
  const auto marks_with = [](const char* sensor) {
    Json json = Description();
    json["sweep"] = Json::array();
    json["sensors"]["joint_torque"] = Json::parse(sensor);
    const LoadedScenario loaded = Load(json);
    RolloutStore rollouts;
    return PreparedCell(loaded, loaded.cells[0], rollouts).marks();
  };
  for (const auto& [sensor, mark] :
       {std::pair(R"({"noise_std_nm": 0.1})", "true σ of the torque sensors declared"),
        std::pair(R"({"noise_std_nm": 0.1, "declared_sigma_nm": 0.2})",
                  "not the true σ of the torque sensors declared"),
        std::pair("{}", "no σ of the torque sensors declared")}) {
    const std::vector<std::string> marks = marks_with(sensor);
    CHECK(std::ranges::count(marks, mark) == 1);
  }
}

}  // namespace
}  // namespace idbench
