#include "sim/signal_sources.h"

#include <doctest/doctest.h>

#include <array>
#include <set>

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

}  // namespace
}  // namespace idbench
