#include "sim/signal_sources.h"

#include <doctest/doctest.h>

#include <array>
#include <set>
#include <string>

#include "robots/robot.h"
#include "sim/rollout.h"
#include "sim/truth/compile_truth.h"
#include "sim/two_link_test.h"

namespace idbench {
namespace {

std::vector<std::string_view> NamesOf(const RequestedSources& sources) {
  std::vector<std::string_view> names;
  for (const SignalSource* source : sources) names.push_back(source->name);
  return names;
}

TEST_CASE("Each signal that a roll-out does not have by itself has one source") {
  std::multiset<std::string_view> made = {kJointPosition, kJointVelocity, kJointAcceleration,
                                          kJointTorque, kExternalWrench};
  for (const SignalSource& source : SignalSources()) {
    made.insert(source.channels.begin(), source.channels.end());
  }
  for (const ChannelInfo& channel : kChannels) {
    CAPTURE(std::string(channel.name));
    CHECK(made.count(channel.signal) == 1);
  }
}

TEST_CASE("Sensors request the sources of what they read, and no other") {
  SensorOptions sensors;
  CHECK(SourcesOf(sensors).empty());
  sensors[kHallPosition].origin = SensorOrigin::kMeasured;
  CHECK(SourcesOf(sensors).empty());
  sensors[kGyroscope].origin = SensorOrigin::kMeasured;
  sensors[kBaseWrench].origin = SensorOrigin::kOracle;
  CHECK(NamesOf(SourcesOf(sensors)) == std::vector<std::string_view>{"base_wrench", "imu"});
  CHECK(NamesOf(SourcesOf(std::array{kMotorPwm, kMotorCurrent, kMotorTorque})) ==
        std::vector<std::string_view>{"motors"});
  SensorOptions wrist;
  wrist["wrench/wrist"].noise_std = PerJoint{{0.1}};
  CHECK(NamesOf(SourcesOf(wrist)) == std::vector<std::string_view>{"wrench"});
}

/// Signals of the motors of planar2 on a motion of 1 s.
Signals WithMotors(const Actuation& actuation, const PerJoint& drift_per_min) {
  Robot robot = LoadRobot("planar2");
  robot.model.SetActuation(actuation);
  TrueJointOptions joints;
  joints.motor.gain_drift_per_min = drift_per_min;
  return ReplayExactly(CompileTruth(robot, robot.FindSet("")->pi, {}, joints), TwoLinkMotion(1.0),
                       100.0, SourcesOf(std::array{kMotorPwm, kMotorCurrent}));
}

TEST_CASE("Gains drift with the time of samples, whatever joints a motor drives") {
  const Actuation on_joints{{"a", "b"}, Eigen::Matrix2d::Identity()};
  const Actuation coupled{{"a", "b"}, Eigen::Matrix2d{{1.0, 0.5}, {0.0, 2.0}}};
  for (const Actuation& actuation : {on_joints, coupled}) {
    const Signals still = WithMotors(actuation, {}),
                  drifting = WithMotors(actuation, {{-30.0, 6.0}});
    CHECK(drifting[kMotorCurrent] == still[kMotorCurrent]);
    for (const Eigen::Index i : {0, 20, 90}) {
      const double t = still.time_s(i);
      CHECK(drifting[kMotorPwm](i, 0) * (1.0 - 0.5 * t) ==
            doctest::Approx(still[kMotorPwm](i, 0)).epsilon(1e-14));
      CHECK(drifting[kMotorPwm](i, 1) * (1.0 + 0.1 * t) ==
            doctest::Approx(still[kMotorPwm](i, 1)).epsilon(1e-14));
    }
  }
}

TEST_CASE("A gain that drifts to 0 within the data fails, naming motor, time and cure") {
  const Actuation actuation{{"a", "b"}, Eigen::Matrix2d::Identity()};
  CHECK_NOTHROW(WithMotors(actuation, {{0.0, -60.0}}));  // at 1 s, and data end at 0.99 s
  CHECK_THROWS_WITH_AS(
      WithMotors(actuation, {{-60.0, -120.0}}),
      "the gain of motor 'b' drifts to 0 at t = 0.5 s, and data end at 0.99 s: "
      "its gain_drift_per_min is -120, and more than -60.6 is needed; or take a shorter motion",
      GainUsedUp);
}

}  // namespace
}  // namespace idbench
