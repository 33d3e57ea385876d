#include "sim/truth/lugre.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace idbench {
namespace {

LugreOptions Bristles() {
  return {.stiffness_nm_rad = {{1e4}},
          .damping_nms_rad = {{2.0}},
          .coulomb_nm = {{1.0}},
          .static_nm = {{1.5}},
          .stribeck_velocity_rad_s = {{0.1}}};
}

/// g(q̇), what a constant velocity meets [N·m].
double SteadyFriction(double qd) { return 1.0 + 0.5 * std::exp(-qd * qd / 0.01); }

TEST_CASE("At constant velocity the friction becomes g(q̇)·sign(q̇)") {
  const LugreOptions bristles = Bristles();
  for (const double qd : {-3.0, -0.05, 0.01, 0.1, 2.0}) {
    CAPTURE(qd);
    double z = 0.0;
    for (int k = 0; k < 10000; ++k) z = bristles.Advance(0, z, qd, 0.00025);
    // 2.5 s are at least 160 time constants g/(σ0·|q̇|): rounding.
    CHECK(bristles.Torque(0, z, qd) ==
          doctest::Approx(std::copysign(SteadyFriction(qd), qd)).epsilon(1e-12));
  }
}

TEST_CASE("Below break-away it is a spring") {
  const LugreOptions bristles = Bristles();
  // 1e-6 rad, slowly: τ = σ0·x·(1 − O(σ0·x/g)).
  double z = 0.0;
  for (int k = 0; k < 4000; ++k) z = bristles.Advance(0, z, 1e-6, 0.00025);
  CHECK(bristles.Torque(0, z, 0.0) == doctest::Approx(1e-2).epsilon(1e-2));
}

TEST_CASE("Advance is the solution of the bristles' equation") {
  const LugreOptions bristles = Bristles();
  const double h = 1e-3, qd = 0.08, from = -1e-4;
  constexpr int kParts = 1000000;
  double z = from;
  for (int k = 0; k < kParts; ++k) z += h / kParts * (qd - 1e4 * qd / SteadyFriction(qd) * z);
  // Euler's error is (a·h)²/2/kParts ≈ 2e-7 of the deflection.
  CHECK(bristles.Advance(0, from, qd, h) == doctest::Approx(z).epsilon(1e-6));
  // Half a step twice is a step: rounding.
  CHECK(bristles.Advance(0, bristles.Advance(0, from, qd, h / 2), qd, h / 2) ==
        doctest::Approx(bristles.Advance(0, from, qd, h)).epsilon(1e-13));
}

TEST_CASE("Bristles do not deflect beyond g/σ0, however large the step") {
  const LugreOptions bristles = Bristles();
  double z = 0.0;
  for (const double qd : {5.0, -5.0, 0.3, -20.0, 1e-3, 7.0}) {
    z = bristles.Advance(0, z, qd, 0.1);
    CHECK(std::abs(z) <= 1.5e-4 * (1.0 + 1e-12));
  }
  CHECK(bristles.Advance(0, 1e-5, 0.0, 0.1) == 1e-5);
}

TEST_CASE("A joint without static friction has none") {
  CHECK(Bristles().Acts(0));
  CHECK_FALSE(LugreOptions().Acts(0));
}

}  // namespace
}  // namespace idbench
