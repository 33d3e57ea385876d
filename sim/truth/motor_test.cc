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

}  // namespace
}  // namespace idbench
