#include "sim/simulated_plant.h"

#include <doctest/doctest.h>

#include <stdexcept>
#include <vector>

#include "robots/plant/plant_error.h"
#include "sim/two_link_test.h"

namespace idbench {
namespace {

SensorOptions SensorsOfTwoLinks(double noise_rad, SensorOrigin velocity, SensorOrigin torque) {
  SensorOptions sensors;
  sensors[kJointPosition].noise_std = PerJoint{{noise_rad}};
  sensors[kJointVelocity].origin = velocity;
  sensors[kJointTorque].origin = torque;
  sensors[kJointAcceleration].origin = SensorOrigin::kOracle;
  return Resolve(sensors, {{"joint1", "joint2"}, {"joint1", "joint2"}}, {});
}

const SensorOptions kExact =
    SensorsOfTwoLinks(0.0, SensorOrigin::kMeasured, SensorOrigin::kMeasured);
const SensorKey kKey{7, 3, "laboratory"};

ExperimentStart PushedFrom(const Eigen::Vector2d& q, const Eigen::Vector2d& qd,
                           std::vector<PositionLimit> limits = {}) {
  return {q, qd, std::move(limits)};
}

/// All readings of an experiment of 0.1 s under the same torques.
std::vector<Reading> Experiment(Plant& plant, const ExperimentStart& start) {
  Command command = Command::Zero(2);
  command.value = Eigen::Vector2d(12.0, -3.0);
  std::vector<Reading> readings(1);
  plant.MoveTo(start, readings.back());
  while (readings.back().t < 0.1 - 1e-9) {
    Reading reading = readings.back();
    CHECK(plant.Exchange(command, reading) == ExperimentState::kRunning);
    readings.push_back(reading);
  }
  return readings;
}

TEST_CASE("A plant without sensor errors reads what its robot does, at its own rate") {
  const TrueRobot robot = TwoLink();
  SimulatedPlant plant(robot, kExact, 100.0, kKey);
  CHECK(plant.info().period_s == 0.01);
  CHECK(plant.info().channels ==
        std::vector<std::string>{"joint_position", "joint_velocity", "joint_torque"});
  const std::vector<Reading> readings = Experiment(plant, PushedFrom({0.1, -0.2}, {0.5, -1.0}));
  REQUIRE(readings.size() == 11);
  CHECK(readings[0][kJointTorque] == Eigen::Vector2d::Zero());
  MujocoRobot alone(robot);
  alone.Reset(Eigen::Vector2d(0.1, -0.2), Eigen::Vector2d(0.5, -1.0));
  JointState state = JointState::Zero(2);
  TrueSample sample{0.0, state, Eigen::VectorXd::Zero(2)};
  for (std::size_t i = 0; i < readings.size(); ++i) {
    alone.State(state);
    CHECK(readings[i][kJointPosition] == state.q);
    CHECK(readings[i][kJointVelocity] == state.qd);
    if (i > 0) CHECK(readings[i][kJointTorque] == Eigen::Vector2d(12.0, -3.0));
    for (int step = 0; step < 40; ++step) alone.Step(Eigen::Vector2d(12.0, -3.0), sample);
  }
}

TEST_CASE("A plant says when its torques act, and reads those of its drives") {
  const auto delay = [](const MujocoPlantOptions& options, double rate_hz) {
    const TrueRobot robot = TwoLink(options);
    return SimulatedPlant(robot, kExact, rate_hz, kKey).info().torque_delay_periods;
  };
  CHECK(delay({.timestep_s = 0.001}, 1000.0) == 0.0);  // at the beginning of its one step
  CHECK(delay({.timestep_s = 0.001}, 250.0) == 0.375);
  CHECK(delay({.timestep_s = 0.001, .integrator = "RK4"}, 1000.0) == 0.5);
  const TrueRobot coarse(CompileMjcf(TwoLinkMjcf()), {"joint1", "joint2"}, TwoLinkFriction(), {},
                         {.mismatch = {.torque_resolution_nm = {{5.0}}}});
  SimulatedPlant plant(coarse, kExact, 100.0, kKey);
  for (const Reading& reading : Experiment(plant, PushedFrom({0.1, -0.2}, {0.0, 0.0}))) {
    if (reading.t > 0.0) CHECK(reading[kJointTorque] == Eigen::Vector2d(10.0, -5.0));
  }
}

TEST_CASE("Noise is drawn by the number of the experiment, whatever is done in it") {
  const TrueRobot robot = TwoLink();
  const SensorOptions noisy = SensorsOfTwoLinks(0.01, SensorOrigin::kAbsent, SensorOrigin::kAbsent);
  const auto noise_of = [&](SimulatedPlant& plant, const Eigen::Vector2d& q) {
    Reading reading;
    plant.MoveTo(PushedFrom(q, Eigen::Vector2d::Zero()), reading);
    return Eigen::Vector2d(reading[kJointPosition] - q);
  };
  SimulatedPlant a(robot, noisy, 100.0, kKey);
  SimulatedPlant b(robot, noisy, 100.0, kKey);
  const Eigen::Vector2d first = noise_of(a, {0.0, 0.0});
  const Eigen::Vector2d second = noise_of(a, {0.0, 0.0});
  CHECK(first != second);
  CHECK((noise_of(b, {0.3, 0.1}) - first).norm() < 1e-15);  // rounding of q + noise − q
  CHECK((noise_of(b, {-0.5, 0.7}) - second).norm() < 1e-15);
  SimulatedPlant other(robot, noisy, 100.0, {7, 4, "laboratory"});
  CHECK(noise_of(other, {0.0, 0.0}) != first);
}

TEST_CASE("Nothing that is exact by grace is read") {
  const TrueRobot robot = TwoLink();
  const SimulatedPlant plant(
      robot, SensorsOfTwoLinks(0.0, SensorOrigin::kOracle, SensorOrigin::kAbsent), 100.0, kKey);
  CHECK(plant.info().channels == std::vector<std::string>{"joint_position"});
}

TEST_CASE("A robot beyond a limit or at a stop has fallen, and does not go on") {
  const TrueRobot robot = TwoLink();
  const Eigen::Vector2d sum(1.0, 1.0);
  for (const bool by_stop : {false, true}) {
    SimulatedPlant plant(robot, kExact, 100.0, kKey);
    Reading reading;
    // joint1 begins 0.1 rad from its stop at 2.8 rad; the limit is 0.1 rad away as well.
    const Eigen::Vector2d q = by_stop ? Eigen::Vector2d(2.7, 0.0) : Eigen::Vector2d(0.5, 0.3);
    std::vector<PositionLimit> limits;
    if (!by_stop) limits.push_back({sum, 0.5, 0.4});
    plant.MoveTo(PushedFrom(q, {3.0, 0.0}, limits), reading);
    const Command none = Command::Zero(2);
    int exchanges = 1;
    while (plant.Exchange(none, reading) == ExperimentState::kRunning) ++exchanges;
    CHECK(exchanges < 10);
    CHECK_THROWS_AS(plant.Exchange(none, reading), std::invalid_argument);
    plant.MoveTo(PushedFrom({0.0, 0.0}, {0.0, 0.0}), reading);
    CHECK(plant.Exchange(none, reading) == ExperimentState::kRunning);
  }
}

TEST_CASE("What a plant cannot do is refused") {
  const TrueRobot robot = TwoLink();
  CHECK_THROWS_WITH_AS(SimulatedPlant(robot, kExact, 3000.0, kKey),
                       "SimulatedPlant: a rate of 3000 Hz does not divide the plant's 4000 steps "
                       "per second; nearest that do: 4000 Hz, 2000 Hz",
                       std::invalid_argument);
  SimulatedPlant plant(robot, kExact, 100.0, kKey);
  Reading reading;
  CHECK_THROWS_AS(plant.Exchange(Command::Zero(2), reading), std::invalid_argument);
  CHECK_THROWS_AS(plant.MoveTo(PushedFrom({9.0, 0.0}, {0.0, 0.0}), reading), std::invalid_argument);
  plant.MoveTo(PushedFrom({0.0, 0.0}, {0.0, 0.0}), reading);
  CHECK_THROWS_AS(plant.Exchange(Command::Zero(3), reading), std::invalid_argument);
  CHECK_THROWS_AS(plant.Exchange(Command::Zero(2, CommandMode::kPosition), reading),
                  std::invalid_argument);
}

TEST_CASE("Explicit friction that chatters where an experiment begins is refused with the cure") {
  const TrueRobot robot = TwoLink({.timestep_s = 0.01, .coulomb_width_rad_s = 1e-4});
  SimulatedPlant plant(robot, kExact, 100.0, kKey);
  Reading reading;
  CHECK_THROWS_WITH_AS(plant.MoveTo(PushedFrom({0.0, 0.0}, {0.0, 0.0}), reading),
                       doctest::Contains("would chatter"), PlantError);
}

}  // namespace
}  // namespace idbench
