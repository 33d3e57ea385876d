#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <optional>

#include "robots/plant/plant.h"
#include "sim/sensors/measure.h"
#include "sim/sensors/sensor_effect.h"
#include "sim/sensors/sensors.h"

namespace idbench {

/// Controller wrapper that feeds back the readings of the robot's position and velocity sensors
/// instead of the true state.
///
/// Each call is one reading, number 0, 1, 2 …: here the sensors work at the controller's rate, with
/// the effects that they have in the data, but with separate noise under the stream names
/// "<key.name>/joint_position/…" and "<key.name>/joint_velocity/…".
///
/// If the channel joint_velocity is not measured, the velocity is the low-passed backward
/// difference of the position readings y_k, a time T apart:
///   v_k = v_(k−1) + α·((y_k − y_(k−1))/T − v_(k−1)),  α = 1 − exp(−2π·velocity_cutoff_hz·T),
/// where v_0 is the desired velocity at the start. A reading that is known to be lost is skipped.
class MeasuredFeedback : public Controller {
 public:
  /// @param controller  receives the readings.
  /// @param sensors     resolved; joint_position is measured.
  /// @param key         its name is "<experiment>/feedback".
  /// @throws std::invalid_argument if joint_position is not measured or `sensors` is not resolved.
  MeasuredFeedback(std::unique_ptr<Controller> controller, const SensorOptions& sensors,
                   double velocity_cutoff_hz, const SensorKey& key);

  double hold_s() const override { return controller_->hold_s(); }
  void Torque(double t, const JointState& desired, const JointState& feedback,
              Eigen::VectorXd& tau) override;

 private:
  void Differentiate(double t, const JointState& desired);

  std::unique_ptr<Controller> controller_;
  SensorChain position_;
  std::optional<SensorChain> velocity_;  ///< Present if the channel is measured.
  double velocity_cutoff_hz_;
  std::uint64_t readings_ = 0;
  double last_t_ = 0.0;
  Eigen::VectorXd last_q_;  ///< Last position reading, n.
  JointState read_;         ///< State passed to the controller; `qdd` is not set.
};

}  // namespace idbench
