#include "sim/sensors/measured_feedback.h"

#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>
#include <utility>

namespace idbench {

MeasuredFeedback::MeasuredFeedback(std::unique_ptr<Controller> controller,
                                   const SensorOptions& sensors, double velocity_cutoff_hz,
                                   const SensorKey& key)
    : controller_(std::move(controller)),
      position_(sensors[kJointPosition]),
      velocity_cutoff_hz_(velocity_cutoff_hz) {
  if (sensors[kJointPosition].origin != SensorOrigin::kMeasured) {
    throw std::invalid_argument("MeasuredFeedback: joint_position is not measured");
  }
  const auto named = [&key](std::string_view channel) {
    return SensorKey{key.seed, key.trial, key.name + "/" + std::string(channel)};
  };
  position_.Reset(named(kJointPosition));
  if (sensors[kJointVelocity].origin == SensorOrigin::kMeasured) {
    velocity_.emplace(sensors[kJointVelocity]);
    velocity_->Reset(named(kJointVelocity));
  }
}

void MeasuredFeedback::Torque(double t, const JointState& desired, const JointState& feedback,
                              Eigen::VectorXd& tau) {
  read_.q = feedback.q;
  const bool is_read = position_.Apply(t, readings_, read_.q);
  if (velocity_) {
    read_.qd = feedback.qd;
    velocity_->Apply(t, readings_, read_.qd);
  } else if (is_read) {
    Differentiate(t, desired);
  }
  ++readings_;
  controller_->Torque(t, desired, read_, tau);
}

void MeasuredFeedback::Differentiate(double t, const JointState& desired) {
  if (readings_ == 0) {
    read_.qd = desired.qd;
  } else {
    const double period = t - last_t_;
    const double alpha = 1.0 - std::exp(-2.0 * std::numbers::pi * velocity_cutoff_hz_ * period);
    read_.qd += alpha * ((read_.q - last_q_) / period - read_.qd);
  }
  last_t_ = t;
  last_q_ = read_.q;
}

}  // namespace idbench
