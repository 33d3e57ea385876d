#include "sim/truth/true_friction.h"

#include <doctest/doctest.h>

#include <cmath>

namespace idbench {
namespace {

constexpr double kWidth = 0.02;  // [rad/s]

TrueFriction Stribeck() {
  TrueFriction friction = TrueFriction::None(1);
  friction.viscous(0) = 0.6;
  friction.coulomb(0) = 1.0;
  friction.offset(0) = 0.3;
  friction.stribeck_excess(0) = 0.5;
  friction.stribeck_velocity(0) = 0.2;
  return friction;
}

TEST_CASE("Friction falls from static to Coulomb with velocity") {
  const TrueFriction friction = Stribeck();
  CHECK(friction.Torque(0, 0.0, kWidth, 1.0) == 0.3);
  // At vs the excess is 0.5/e, and tanh(10) differs from 1 by 4e-9; the same formula: rounding.
  CHECK(
      friction.Torque(0, 0.2, kWidth, 1.0) ==
      doctest::Approx(0.12 + (1.0 + 0.5 * std::exp(-1.0)) * std::tanh(10.0) + 0.3).epsilon(1e-15));
  CHECK(friction.Torque(0, -0.2, kWidth, 1.0) - 0.3 ==
        doctest::Approx(-(friction.Torque(0, 0.2, kWidth, 1.0) - 0.3)).epsilon(1e-15));
  CHECK(friction.Torque(0, 10.0, kWidth, 1.0) == doctest::Approx(6.0 + 1.0 + 0.3).epsilon(1e-15));
}

TEST_CASE("Without excess it is fv·q̇ + fc·tanh(q̇/w) + fo, bit for bit") {
  TrueFriction friction = Stribeck();
  friction.stribeck_excess(0) = 0.0;
  for (const double qd : {-1.0, -0.01, 0.0, 0.03, 2.0}) {
    CHECK(friction.Torque(0, qd, kWidth, 1.0) == 0.6 * qd + 1.0 * std::tanh(qd / kWidth) + 0.3);
  }
}

TEST_CASE("The load is what its own friction leaves of a torque, whichever way it drives") {
  TrueFriction friction = Stribeck();
  CHECK_FALSE(friction.GrowsWithLoad());
  friction.load_coefficient(0) = 0.4;
  CHECK(friction.GrowsWithLoad());
  for (const double shape : {-1.0, -0.3, 0.0, 1.0}) {
    for (const double rest : {-7.0, 0.0, 3.0}) {
      const double load = friction.LoadUnder(0, rest, shape, 1.5);
      CHECK(load + friction.LoadTorque(0, load, shape, 1.5) ==
            doctest::Approx(rest).epsilon(1e-15));
      CHECK(load * rest >= 0.0);
    }
  }
  CHECK(friction.LoadTorque(0, -5.0, -0.5, 2.0) == -2.0);  // κ·k·|ℓ|·s
}

}  // namespace
}  // namespace idbench
