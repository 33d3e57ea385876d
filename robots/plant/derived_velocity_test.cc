#include "robots/plant/derived_velocity.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace idbench {
namespace {

ChannelReading At(double t, double q) {
  return {.channel = "joint_position", .t = t, .value = Eigen::VectorXd::Constant(1, q)};
}

TEST_CASE("A derived velocity begins with the one of the start, whatever was before") {
  DerivedVelocity velocity(10.0);
  for (int experiment = 0; experiment < 2; ++experiment) {
    velocity.Reset(Eigen::VectorXd::Constant(1, 0.3));
    CHECK(velocity.Next(At(0.0, 5.0))(0) == 0.3);
    // α = 1 − exp(−2π·10·0.01), slope 2.
    const double alpha = 1.0 - std::exp(-0.2 * std::numbers::pi);
    CHECK(velocity.Next(At(0.01, 5.02))(0) ==
          doctest::Approx(0.3 + alpha * (2.0 - 0.3)).epsilon(1e-12));
  }
}

TEST_CASE("Without a low-pass it is the slope since the last new position") {
  DerivedVelocity velocity(std::numeric_limits<double>::infinity());
  velocity.Reset(Eigen::VectorXd::Zero(1));
  velocity.Next(At(0.0, 0.0));
  CHECK(velocity.Next(At(0.5, 1.0))(0) == 2.0);
  CHECK(velocity.Next(At(0.5, 1.0))(0) == 2.0);  // nothing new: no standstill
  CHECK(velocity.Next(At(1.5, 2.0))(0) == 1.0);
}

}  // namespace
}  // namespace idbench
