#include "sim/sensors/sine_error.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

namespace idbench {
namespace {

TEST_CASE("Each joint's error is a sine of its own angle") {
  SineError error(Eigen::Vector3d(0.02, 0.0, -0.01));
  error.Reset({});
  Eigen::VectorXd sample = Eigen::Vector3d(0.5 * std::numbers::pi, 1.0, 0.3);
  CHECK(error.Apply(0.0, 0, sample));
  // Closed form: rounding only.
  CHECK(sample(0) == doctest::Approx(0.5 * std::numbers::pi + 0.02).epsilon(1e-15));
  CHECK(sample(1) == 1.0);
  CHECK(sample(2) == doctest::Approx(0.3 - 0.01 * std::sin(0.3)).epsilon(1e-15));
}

}  // namespace
}  // namespace idbench
