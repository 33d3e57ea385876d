#include "sim/truth/motor.h"

#include <cassert>
#include <cmath>
#include <limits>

namespace idbench {
namespace {

constexpr double kMostDrift = 60.0;  // [1/min]: in a second by all of the gain
constexpr double kMinute = 60.0;     // [s]

}  // namespace

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
           {.doc = "Periods of the ripple per turn of the motor", .lower = 0, .lower_open = true})
      .Add("resistance_ohm", options.resistance_ohm,
           {.doc = "Resistance of the motor's winding, for its duty cycle",
            .unit = "Ω",
            .lower = 0,
            .lower_open = true})
      .Add(
          "supply_voltage_v", options.supply_voltage_v,
          {.doc = "Voltage of the motor at a duty cycle of 100 %; with the default and that of the "
                  "resistance, 1 % drives 1 A where there is no back-EMF",
           .unit = "V",
           .lower = 0,
           .lower_open = true})
      .Add(
          "back_emf_constant_vs_rad", options.back_emf_constant_vs_rad,
          {.doc = "Back-EMF per speed of the motor, which acts as viscous friction of the motor in "
                  "equations of duty cycles; 0: none; null: as large as the torque constant",
           .unit = "V·s/rad",
           .lower = 0})
      .Add("gain_drift_per_min", options.gain_drift_per_min,
           {.doc = "Change per minute of the motor's voltage at a duty cycle of 100 %, and so of "
                   "the gain of duty cycles, as a fraction of that at the start of an experiment, "
                   "which is the true gain of metrics; currents do not follow it",
            .unit = "1/min",
            .lower = -kMostDrift,
            .upper = kMostDrift});
  return table;
}

namespace {

double BackEmfConstant(const MotorOptions& motors, std::size_t motor) {
  return motors.back_emf_constant_vs_rad ? (*motors.back_emf_constant_vs_rad)[motor]
                                         : motors.torque_constant_nm_a[motor];
}

}  // namespace

double GainFactor(const MotorOptions& motors, std::size_t motor, double t) {
  return 1.0 + motors.gain_drift_per_min[motor] * t / kMinute;
}

double EndOfGain(const MotorOptions& motors, std::size_t motor) {
  const double drift = motors.gain_drift_per_min[motor];
  return drift < 0.0 ? -kMinute / drift : std::numeric_limits<double>::infinity();
}

double DriveGain(const MotorOptions& motors, std::size_t motor, std::string_view channel) {
  const double G = motors.gear_ratio[motor];
  if (channel == kMotorTorque) return G;
  const double per_current = G * motors.torque_constant_nm_a[motor];
  if (channel == kMotorCurrent) return per_current;
  assert(channel == kMotorPwm);
  return per_current * motors.supply_voltage_v[motor] / (100.0 * motors.resistance_ohm[motor]);
}

double BackEmfFriction(const MotorOptions& motors, std::size_t motor) {
  const double G = motors.gear_ratio[motor];
  return G * G * motors.torque_constant_nm_a[motor] * BackEmfConstant(motors, motor) /
         motors.resistance_ohm[motor];
}

void AddMotorSignals(const MotorOptions& motors, Signals& signals) {
  const Eigen::MatrixXd& q = signals[kJointPosition];
  const Eigen::MatrixXd& qd = signals[kJointVelocity];
  const Eigen::MatrixXd& tau = signals[kJointTorque];
  Eigen::MatrixXd& motor_torque = signals[kMotorTorque];
  Eigen::MatrixXd& motor_current = signals[kMotorCurrent];
  Eigen::MatrixXd& motor_pwm = signals[kMotorPwm];
  motor_torque.resizeLike(tau);
  motor_current.resizeLike(tau);
  motor_pwm.resizeLike(tau);
  for (Eigen::Index j = 0; j < tau.cols(); ++j) {
    const auto motor = static_cast<std::size_t>(j);
    const double G = motors.gear_ratio[motor];
    const double eta = motors.gear_efficiency[motor];
    const double back_emf = BackEmfConstant(motors, motor);
    for (Eigen::Index i = 0; i < tau.rows(); ++i) {
      const double power = tau(i, j) * qd(i, j);
      const double loss = power > 0.0 ? 1.0 / eta : (power < 0.0 ? eta : 1.0);
      const double ripple = 1.0 + motors.ripple_fraction[motor] *
                                      std::sin(motors.ripple_periods_per_rev[motor] * G * q(i, j));
      motor_torque(i, j) = tau(i, j) / G * loss;
      motor_current(i, j) = motor_torque(i, j) / (motors.torque_constant_nm_a[motor] * ripple);
      const double voltage =
          motors.resistance_ohm[motor] * motor_current(i, j) + back_emf * ripple * G * qd(i, j);
      const double supply =
          motors.supply_voltage_v[motor] * GainFactor(motors, motor, signals.time_s(i));
      motor_pwm(i, j) = 100.0 * voltage / supply;
    }
  }
}

}  // namespace idbench
