#include "sim/sensors/measured_feedback.h"

#include <stdexcept>
#include <string>
#include <string_view>

namespace idbench {

MeasuredFeedback::MeasuredFeedback(const SensorOptions& sensors, double velocity_cutoff_hz,
                                   const SensorKey& key)
    : key_(key), position_(sensors[kJointPosition]), derived_(velocity_cutoff_hz) {
  if (sensors[kJointPosition].origin != SensorOrigin::kMeasured) {
    throw std::invalid_argument("MeasuredFeedback: joint_position is not measured");
  }
  if (sensors[kJointVelocity].origin == SensorOrigin::kMeasured) {
    velocity_.emplace(sensors[kJointVelocity]);
  }
}

void MeasuredFeedback::Reset(const Eigen::VectorXd& qd) {
  constexpr std::string_view kFeedback = "/feedback";
  std::string_view experiment = key_.name;
  if (experiment.ends_with(kFeedback)) experiment.remove_suffix(kFeedback.size());
  const auto named = [&](std::string_view channel) {
    return SensorKey{key_.seed, key_.trial, key_.name + "/" + std::string(channel),
                     std::string(experiment) + "/" + std::string(channel)};
  };
  position_.Reset(named(kJointPosition));
  if (velocity_) velocity_->Reset(named(kJointVelocity));
  derived_.Reset(qd);
  readings_ = 0;
}

void MeasuredFeedback::Read(const JointState& state, Reading& reading) {
  const std::uint64_t index = readings_++;
  for (const std::string_view channel : {kJointPosition, kJointVelocity}) reading.At(channel);
  ChannelReading& position = reading.At(kJointPosition);
  ChannelReading& velocity = reading.At(kJointVelocity);
  position.value = state.q;
  if (position_.Apply(reading.t, index, position.value)) position.t = reading.t;
  if (!velocity_) {
    velocity.t = position.t;
    velocity.value = derived_.Next(position);
    return;
  }
  velocity.value = state.qd;
  if (velocity_->Apply(reading.t, index, velocity.value)) velocity.t = reading.t;
}

}  // namespace idbench
