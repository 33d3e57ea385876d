#include "sim/sensors/measured_feedback.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <stdexcept>
#include <vector>

#include "sim/two_link_test.h"

namespace idbench {
namespace {

SensorOptions Sensors(double noise_rad, SensorOrigin velocity_origin) {
  SensorOptions sensors;
  sensors[kJointPosition].noise_std = PerJoint{{noise_rad}};
  sensors[kJointVelocity].origin = velocity_origin;
  if (velocity_origin == SensorOrigin::kMeasured) {
    sensors[kJointVelocity].bias = PerJoint{{0.5, 0.25}};
  }
  return Resolve(sensors, {{"joint1", "joint2"}, {"joint1", "joint2"}}, {});
}

/// What a controller hears of the motion of the two links, every 2 ms.
std::vector<JointState> Heard(const SensorOptions& sensors, double cutoff_hz,
                              const SensorKey& key = {1, 0, "identification/feedback"}) {
  std::vector<JointState> heard;
  MeasuredFeedback measured(sensors, cutoff_hz, key);
  const TwoLinkMotion motion(1.0);
  JointState state = JointState::Zero(2);
  Reading reading;
  motion.Evaluate(0.0, state);
  measured.Reset(state.qd);
  for (int k = 0; k < 500; ++k) {
    reading.t = 0.002 * k;
    motion.Evaluate(reading.t, state);
    measured.Read(state, reading);
    heard.push_back({reading[kJointPosition], reading[kJointVelocity], {}});
  }
  return heard;
}

JointState Truth(int k) {
  JointState state = JointState::Zero(2);
  TwoLinkMotion(1.0).Evaluate(0.002 * k, state);
  return state;
}

TEST_CASE("A sensor without effects reads the truth") {
  const std::vector<JointState> heard = Heard(Sensors(0.0, SensorOrigin::kMeasured), 100.0);
  for (int k = 0; k < 500; ++k) {
    const JointState& read = heard[static_cast<std::size_t>(k)];
    CHECK(read.q == Truth(k).q);
    CHECK(read.qd == Truth(k).qd + Eigen::Vector2d(0.5, 0.25));  // its bias
  }
}

TEST_CASE("A controller hears the shift of the experiment's data, and a drift of its own") {
  SensorOptions sensors = Sensors(0.0, SensorOrigin::kOracle);
  sensors[kJointPosition].bias_shift_std = PerJoint{{0.1, 0.2}};
  SensorChain data(sensors[kJointPosition]);
  data.Reset({1, 0, "identification/joint_position"});
  const std::vector<JointState> heard = Heard(sensors, 100.0);
  for (int k = 0; k < 500; ++k) {
    Eigen::VectorXd read = Truth(k).q;
    data.Apply(0.002 * k, static_cast<std::uint64_t>(k), read);
    CHECK(heard[static_cast<std::size_t>(k)].q == read);
  }
  CHECK(heard[0].q != Truth(0).q);
  sensors[kJointPosition].drift_std = PerJoint{{0.1, 0.2}};
  SensorChain drifting(sensors[kJointPosition]);
  drifting.Reset({1, 0, "identification/joint_position"});
  Eigen::VectorXd read = Truth(0).q;
  drifting.Apply(0.0, 0, read);
  CHECK(Heard(sensors, 100.0)[0].q != read);
}

TEST_CASE("Readings go through the chain of the data's sensors, under the names of the feedback") {
  const SensorOptions sensors = Sensors(0.01, SensorOrigin::kMeasured);
  const std::vector<JointState> heard = Heard(sensors, 100.0);
  SensorChain chain(sensors[kJointPosition]);
  chain.Reset({1, 0, "identification/feedback/joint_position"});
  for (int k = 0; k < 500; ++k) {
    Eigen::VectorXd q = Truth(k).q;
    chain.Apply(0.002 * k, static_cast<std::uint64_t>(k), q);
    CHECK(heard[static_cast<std::size_t>(k)].q == q);
  }
  CHECK(Heard(sensors, 100.0, {1, 1, "identification/feedback"})[9].q != heard[9].q);
}

TEST_CASE("A velocity that is not measured is the filtered difference of the positions read") {
  for (const SensorOrigin origin : {SensorOrigin::kOracle, SensorOrigin::kAbsent}) {
    const std::vector<JointState> heard = Heard(Sensors(0.01, origin), 40.0);
    // The recursion of the header, here as the sum of the impulse response it stands for.
    const double decay = std::exp(-2.0 * std::numbers::pi * 40.0 * 0.002);
    for (const std::size_t k : {1U, 2U, 17U}) {
      Eigen::VectorXd v = std::pow(decay, k) * Truth(0).qd;
      for (std::size_t i = 1; i <= k; ++i) {
        v += (1.0 - decay) * std::pow(decay, k - i) * (heard[i].q - heard[i - 1].q) / 0.002;
      }
      CHECK(heard[k].qd.isApprox(v, 1e-12));  // rounding of 17 terms
    }
    CHECK(heard[0].qd == Truth(0).qd);
  }
}

TEST_CASE(
    "Without noise and far above the motion, the differenced velocity lags by half a period") {
  const std::vector<JointState> heard = Heard(Sensors(0.0, SensorOrigin::kOracle), 1e5);
  for (int k = 1; k < 500; ++k) {
    JointState half = JointState::Zero(2);
    TwoLinkMotion(1.0).Evaluate(0.002 * (k - 0.5), half);
    // Central difference: T²/24·max|d³q/dt³| = 1.7e-7·165.
    CHECK((heard[static_cast<std::size_t>(k)].qd - half.qd).cwiseAbs().maxCoeff() < 3e-5);
  }
}

TEST_CASE("A lost position is no standstill: the next difference spans the gap") {
  SensorOptions sensors = Sensors(0.0, SensorOrigin::kOracle);
  sensors[kJointPosition].dropout_fraction = 0.3;
  sensors[kJointPosition].dropout = Dropout::Kind::kMissing;
  const std::vector<JointState> heard = Heard(sensors, 1e5);  // α = 1
  std::size_t last = 0;
  int lost = 0;
  for (std::size_t k = 1; k < heard.size(); ++k) {
    if (heard[k].q == heard[last].q) {
      CHECK(heard[k].qd == heard[last].qd);
      ++lost;
      continue;
    }
    const Eigen::VectorXd slope =
        (heard[k].q - heard[last].q) / (0.002 * static_cast<double>(k - last));
    CHECK((heard[k].qd - slope).norm() < 1e-9);  // rounding of 1/T
    last = k;
  }
  CHECK(lost > 100);
}

TEST_CASE("An experiment that begins anew reads what it read before") {
  const SensorOptions sensors = Sensors(0.01, SensorOrigin::kAbsent);
  MeasuredFeedback measured(sensors, 100.0, {1, 0, "identification/feedback"});
  const auto first_two = [&measured] {
    std::vector<Eigen::VectorXd> read;
    measured.Reset(Eigen::Vector2d(1.0, 2.0));
    for (int k = 0; k < 2; ++k) {
      Reading reading;
      reading.t = 0.002 * k;
      measured.Read(Truth(k), reading);
      read.push_back(reading[kJointPosition]);
      read.push_back(reading[kJointVelocity]);
      CHECK(reading.Find(kJointPosition)->t == reading.t);
    }
    return read;
  };
  const std::vector<Eigen::VectorXd> read = first_two();
  CHECK(read[1] == Eigen::Vector2d(1.0, 2.0));
  CHECK(first_two() == read);
}

TEST_CASE("Feedback needs a measured position") {
  SensorOptions sensors;
  sensors[kJointPosition].origin = SensorOrigin::kOracle;
  CHECK_THROWS_WITH_AS(
      MeasuredFeedback(Resolve(sensors, {{"joint1", "joint2"}, {"joint1", "joint2"}}, {}), 100.0,
                       {}),
      "MeasuredFeedback: joint_position is not measured", std::invalid_argument);
}

}  // namespace
}  // namespace idbench
