#include "sim/sensors/bias.h"

#include <doctest/doctest.h>

namespace idbench {
namespace {

TEST_CASE("A bias is the same in every sample") {
  Bias bias(Eigen::Vector2d(0.5, -1.0));
  bias.Reset({1, 0, "identification/joint_torque"});
  for (std::uint64_t i = 0; i < 3; ++i) {
    Eigen::VectorXd sample = Eigen::Vector2d(2.0, 3.0);
    bias.Apply(0.01 * static_cast<double>(i), i, sample);
    CHECK(sample == Eigen::VectorXd(Eigen::Vector2d(2.5, 2.0)));
  }
}

}  // namespace
}  // namespace idbench
