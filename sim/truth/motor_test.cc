#include "sim/truth/motor.h"

#include <doctest/doctest.h>

#include <cmath>

namespace idbench {
namespace {

/// Two joints; the first drives, is at rest, and brakes.
Signals Joints() {
  Signals signals;
  signals.time_s = Eigen::Vector3d(0.0, 0.01, 0.02);
  signals[kJointPosition] = Eigen::MatrixXd::Constant(3, 2, 0.4);
  signals[kJointVelocity] = Eigen::MatrixXd{{1.0, 1.0}, {0.0, 1.0}, {-1.0, 1.0}};
  signals[kJointTorque] = Eigen::MatrixXd{{20.0, 3.0}, {20.0, 3.0}, {20.0, 3.0}};
  return signals;
}

TEST_CASE("A motor behind a perfect gear has τ/G and τ/(G·k_t)") {
  Signals signals = Joints();
  AddMotorSignals({.gear_ratio = {{100.0, 50.0}}, .torque_constant_nm_a = {{0.1, 0.2}}}, signals);
  CHECK(signals[kMotorTorque](0, 0) == 20.0 / 100.0);
  CHECK(signals[kMotorTorque](2, 1) == 3.0 / 50.0);
  CHECK(signals[kMotorCurrent](0, 0) == 20.0 / 100.0 / 0.1);
  CHECK(signals[kMotorCurrent](2, 1) == 3.0 / 50.0 / 0.2);
}

TEST_CASE("A gear's loss is power that the motor adds when it drives and spares when it brakes") {
  Signals signals = Joints();
  AddMotorSignals({.gear_ratio = {{100.0}}, .gear_efficiency = {{0.8}}}, signals);
  // Power of the motor: 20/0.8 W for 20 W at the joint, and −20·0.8 W of −20 W. Rounding.
  CHECK(signals[kMotorTorque](0, 0) * 100.0 == doctest::Approx(25.0).epsilon(1e-15));
  CHECK(signals[kMotorTorque](1, 0) * 100.0 == doctest::Approx(20.0).epsilon(1e-15));
  CHECK(signals[kMotorTorque](2, 0) * 100.0 == doctest::Approx(16.0).epsilon(1e-15));
}

TEST_CASE("The torque constant ripples over the motor's angle, the torque does not") {
  Signals signals = Joints();
  AddMotorSignals({.gear_ratio = {{10.0}}, .ripple_fraction = {{0.02}}}, signals);
  CHECK(signals[kMotorTorque](0, 0) == 2.0);
  CHECK(signals[kMotorCurrent](0, 0) ==
        doctest::Approx(2.0 / (1.0 + 0.02 * std::sin(6.0 * 10.0 * 0.4))).epsilon(1e-15));
}

TEST_CASE("A duty cycle is the voltage of current and back-EMF, as a share of the supply's") {
  Signals signals = Joints();
  // Two joints: G 100, k_t 0.1, R 2, V 24, k_e 0.05; and G 50, k_t 0.2, R 3, V 48 without back-EMF.
  AddMotorSignals({.gear_ratio = {{100.0, 50.0}},
                   .torque_constant_nm_a = {{0.1, 0.2}},
                   .resistance_ohm = {{2.0, 3.0}},
                   .supply_voltage_v = {{24.0, 48.0}},
                   .back_emf_constant_vs_rad = PerJoint{{0.05, 0.0}}},
                  signals);
  // By hand: 20 N·m take 2 A and so 4 V; 1 rad/s of the joint adds 5 V, −1 rad/s takes them.
  CHECK(signals[kMotorPwm](0, 0) == doctest::Approx(900.0 / 24.0).epsilon(1e-15));
  CHECK(signals[kMotorPwm](1, 0) == doctest::Approx(400.0 / 24.0).epsilon(1e-15));
  CHECK(signals[kMotorPwm](2, 0) == doctest::Approx(-100.0 / 24.0).epsilon(1e-15));
  // 3 N·m take 0.3 A and so 0.9 V of 48 V.
  CHECK(signals[kMotorPwm](2, 1) == doctest::Approx(1.875).epsilon(1e-15));
}

TEST_CASE("Without a back-EMF constant it is the torque constant, and both ripple alike") {
  Signals signals = Joints();
  AddMotorSignals({.gear_ratio = {{10.0}},
                   .torque_constant_nm_a = {{0.5}},
                   .ripple_fraction = {{0.02}},
                   .resistance_ohm = {{2.0}},
                   .supply_voltage_v = {{24.0}}},
                  signals);
  const double k = 0.5 * (1.0 + 0.02 * std::sin(6.0 * 10.0 * 0.4));
  // 2 N·m of the motor at 10 rad/s: all power is that of copper and of the shaft.
  const double current = 2.0 / k, voltage = 24.0 * signals[kMotorPwm](0, 0) / 100.0;
  CHECK(voltage == doctest::Approx(2.0 * current + k * 10.0).epsilon(1e-14));
  CHECK(voltage * current == doctest::Approx(2.0 * current * current + 2.0 * 10.0).epsilon(1e-14));
}

TEST_CASE("Gains and friction of a drive give the torque back from what its motor is fed") {
  const MotorOptions motors{.gear_ratio = {{100.0, 50.0}},
                            .torque_constant_nm_a = {{0.1, 0.2}},
                            .resistance_ohm = {{2.0, 3.0}},
                            .supply_voltage_v = {{24.0, 48.0}}};
  CHECK(DriveGain(motors, 1, kMotorTorque) == 50.0);
  CHECK(DriveGain(motors, 1, kMotorCurrent) == 10.0);
  CHECK(DriveGain(motors, 0, kMotorPwm) == doctest::Approx(100.0 * 0.1 * 24.0 / 200.0));
  CHECK(BackEmfFriction(motors, 0) == doctest::Approx(1e4 * 0.1 * 0.1 / 2.0));
  Signals signals = Joints();
  AddMotorSignals(motors, signals);
  for (Eigen::Index j = 0; j < 2; ++j) {
    const auto motor = static_cast<std::size_t>(j);
    const Eigen::VectorXd u = DriveGain(motors, motor, kMotorPwm) * signals[kMotorPwm].col(j) -
                              BackEmfFriction(motors, motor) * signals[kJointVelocity].col(j);
    CHECK((u - signals[kJointTorque].col(j)).cwiseAbs().maxCoeff() < 1e-12);  // rounding of 50 N·m
  }
}

TEST_CASE("With the default winding and no back-EMF, duty cycles have gain G·k_t") {
  const MotorOptions motors{.torque_constant_nm_a = {{1.79}},
                            .back_emf_constant_vs_rad = PerJoint{{0.0}}};
  CHECK(DriveGain(motors, 0, kMotorPwm) == doctest::Approx(1.79).epsilon(1e-15));
  CHECK(BackEmfFriction(motors, 0) == 0.0);
}

TEST_CASE("A gain that drifts divides the duty cycle, and neither torque nor current") {
  MotorOptions motors{.torque_constant_nm_a = {{0.5}}, .back_emf_constant_vs_rad = PerJoint{{0.3}}};
  Signals still = Joints(), drifting = Joints();
  still.time_s = drifting.time_s = Eigen::Vector3d(0.0, 30.0, 90.0);
  AddMotorSignals(motors, still);
  motors.gain_drift_per_min = {{-0.2, 0.1}};
  AddMotorSignals(motors, drifting);
  CHECK(drifting[kMotorTorque] == still[kMotorTorque]);
  CHECK(drifting[kMotorCurrent] == still[kMotorCurrent]);
  // By hand: −0.2 a minute leaves 0.9 after 30 s and 0.7 after 90 s; 0.1 gives 1.05 and 1.15.
  const Eigen::MatrixXd left{{1.0, 1.0}, {0.9, 1.05}, {0.7, 1.15}};
  for (Eigen::Index i = 0; i < 3; ++i) {
    for (Eigen::Index j = 0; j < 2; ++j) {
      CHECK(drifting[kMotorPwm](i, j) ==
            doctest::Approx(still[kMotorPwm](i, j) / left(i, j)).epsilon(1e-14));
    }
  }
  CHECK(drifting[kMotorPwm].row(0) == still[kMotorPwm].row(0));
  CHECK(EndOfGain(motors, 0) == 300.0);
  CHECK(std::isinf(EndOfGain(motors, 1)));
  // The true gain is that of the start.
  CHECK(DriveGain(motors, 0, kMotorPwm) == doctest::Approx(0.5).epsilon(1e-15));
}

}  // namespace
}  // namespace idbench
