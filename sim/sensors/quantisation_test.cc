#include "sim/sensors/quantisation.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

namespace idbench {
namespace {

TEST_CASE("A quantised reading is the nearest whole step") {
  Quantisation quantisation(Eigen::Vector3d(0.25, 0.1, 0.0));
  for (const double x : {-1.3, -0.01, 0.0, 0.1249, 0.126, 7.77}) {
    Eigen::VectorXd sample = Eigen::Vector3d::Constant(x);
    quantisation.Apply(0.0, 0, sample);
    CHECK(std::fmod(sample(0), 0.25) == 0.0);  // 0.25 is a binary number: exactly on the grid
    CHECK(std::abs(sample(0) - x) <= 0.125);
    CHECK(sample(1) == 0.1 * std::round(x / 0.1));
    CHECK(sample(2) == x);  // no step: left as it is
  }
}

TEST_CASE("A step that is negative or not finite is refused") {
  const std::string message = "Quantisation: a step must be finite and at least 0";
  CHECK_THROWS_WITH_AS(Quantisation(Eigen::Vector2d(0.1, -0.1)), message.c_str(),
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(Quantisation(Eigen::Vector2d(std::nan(""), 0.1)), message.c_str(),
                       std::invalid_argument);
}

}  // namespace
}  // namespace idbench
