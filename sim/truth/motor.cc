#include "sim/truth/motor.h"

#include <cmath>

namespace idbench {

FieldTable Visit(MotorOptions& options) {
  FieldTable table;
  table
      .Add("gear_ratio", options.gear_ratio,
           {.doc = "Turns of the motor per turn of the joint, or per 2π m of a prismatic joint",
            .lower = 0,
            .lower_open = true})
      .Add("gear_efficiency", options.gear_efficiency,
           {.doc = "Share of the motor's power that reaches the joint, and of the joint's power "
                   "that reaches the motor when the motor brakes",
            .lower = 0,
            .upper = 1,
            .lower_open = true})
      .Add("torque_constant_nm_a", options.torque_constant_nm_a,
           {.doc = "Torque of the motor per current",
            .unit = "N·m/A",
            .lower = 0,
            .lower_open = true})
      .Add("ripple_fraction", options.ripple_fraction,
           {.doc = "Ripple of the torque constant over the motor's angle, as a "
                   "fraction of the constant",
            .lower = 0,
            .upper = 0.5})
      .Add("ripple_periods_per_rev", options.ripple_periods_per_rev,
           {.doc = "Periods of the ripple per turn of the motor", .lower = 0});
  return table;
}

double DriveGain(const MotorOptions& motors, std::size_t motor, bool per_current) {
  const double G = motors.gear_ratio[motor];
  return per_current ? G * motors.torque_constant_nm_a[motor] : G;
}

void AddMotorSignals(const MotorOptions& motors, Signals& signals) {
  const Eigen::MatrixXd& q = signals[kJointPosition];
  const Eigen::MatrixXd& qd = signals[kJointVelocity];
  const Eigen::MatrixXd& tau = signals[kJointTorque];
  Eigen::MatrixXd& motor_torque = signals[kMotorTorque];
  Eigen::MatrixXd& motor_current = signals[kMotorCurrent];
  motor_torque.resizeLike(tau);
  motor_current.resizeLike(tau);
  for (Eigen::Index j = 0; j < tau.cols(); ++j) {
    const auto joint = static_cast<std::size_t>(j);
    const double G = motors.gear_ratio[joint];
    const double eta = motors.gear_efficiency[joint];
    for (Eigen::Index i = 0; i < tau.rows(); ++i) {
      const double power = tau(i, j) * qd(i, j);
      const double loss = power > 0.0 ? 1.0 / eta : (power < 0.0 ? eta : 1.0);
      const double constant =
          motors.torque_constant_nm_a[joint] *
          (1.0 + motors.ripple_fraction[joint] *
                     std::sin(motors.ripple_periods_per_rev[joint] * G * q(i, j)));
      motor_torque(i, j) = tau(i, j) / G * loss;
      motor_current(i, j) = motor_torque(i, j) / constant;
    }
  }
}

}  // namespace idbench
