#pragma once

#include <cstdint>
#include <optional>

#include "robots/plant/derived_velocity.h"
#include "sim/sensors/feedback_source.h"
#include "sim/sensors/measure.h"
#include "sim/sensors/sensor_effect.h"
#include "sim/sensors/sensors.h"

namespace idbench {

/// The readings of the robot's position and velocity sensors.
///
/// Each call is one reading, number 0, 1, 2 …: here the sensors work at the controller's rate, with
/// the effects that they have in the data, but with separate noise and drift under the stream names
/// "<key.name>/joint_position/…" and "<key.name>/joint_velocity/…". The shift of a bias is that of
/// the experiment's data.
///
/// If the channel joint_velocity is not measured, the velocity is a DerivedVelocity, where v_0 is
/// the desired velocity at the start. A reading that is known to be lost is skipped.
class MeasuredFeedback : public FeedbackSource {
 public:
  /// @param sensors  resolved; joint_position is measured.
  /// @param key      its name is "<experiment>/feedback".
  /// @throws std::invalid_argument if joint_position is not measured or `sensors` is not resolved.
  MeasuredFeedback(const SensorOptions& sensors, double velocity_cutoff_hz, const SensorKey& key);

  void Reset(const Eigen::VectorXd& qd) override;
  void Read(const JointState& state, Reading& reading) override;

 private:
  SensorKey key_;
  SensorChain position_;
  std::optional<SensorChain> velocity_;  ///< Present if the channel is measured.
  DerivedVelocity derived_;
  std::uint64_t readings_ = 0;
};

}  // namespace idbench
