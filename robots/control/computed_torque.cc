#include "robots/control/computed_torque.h"

#include <numbers>
#include <utility>

#include "robots/recording/channels.h"

namespace idbench {

FieldTable Visit(ComputedTorqueOptions& options) {
  FieldTable table;
  table
      .Add("natural_frequency_hz", options.natural_frequency_hz,
           {.doc = "Natural frequency of the tracking error",
            .unit = "Hz",
            .lower = 0,
            .lower_open = true})
      .Add("damping_ratio", options.damping_ratio,
           {.doc = "Damping ratio of the tracking error; 1 is critical",
            .lower = 0,
            .lower_open = true});
  AddFields(table, options.loop);
  AddStabilityCheck(table, options.natural_frequency_hz, options.damping_ratio,
                    options.loop.rate_hz);
  return table;
}

ComputedTorque::ComputedTorque(const ComputedTorqueOptions& options,
                               InverseDynamics inverse_dynamics)
    : inverse_dynamics_(std::move(inverse_dynamics)), rate_hz_(options.loop.rate_hz) {
  const double w = 2.0 * std::numbers::pi * options.natural_frequency_hz;
  kp_ = w * w;
  kd_ = 2.0 * options.damping_ratio * w;
}

void ComputedTorque::Act(const JointState& desired, const Reading& reading, Command& command) {
  const Eigen::VectorXd& q = reading[kJointPosition];
  const Eigen::VectorXd& qd = reading[kJointVelocity];
  // q̈_r = q̈_d + Kd·(q̇_d − q̇) + Kp·(q_d − q)
  qdd_wanted_ = desired.qdd + kd_ * (desired.qd - qd) + kp_ * (desired.q - q);
  inverse_dynamics_(q, qd, qdd_wanted_, command.value);
}

}  // namespace idbench
