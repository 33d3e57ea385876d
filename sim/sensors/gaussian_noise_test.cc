#include "sim/sensors/gaussian_noise.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

namespace idbench {
namespace {

Eigen::MatrixXd Noise(const Eigen::VectorXd& std, const SensorKey& key, Eigen::Index samples) {
  GaussianNoise noise(std);
  noise.Reset(key);
  Eigen::MatrixXd draws(samples, std.size());
  for (Eigen::Index i = 0; i < samples; ++i) {
    Eigen::VectorXd sample = Eigen::VectorXd::Zero(std.size());
    noise.Apply(0.0, static_cast<std::uint64_t>(i), sample);
    draws.row(i) = sample.transpose();
  }
  return draws;
}

const SensorKey kNoiseKey{5, 3, "identification/joint_torque"};

TEST_CASE("Noise has the stated standard deviation and mean zero, and joints are independent") {
  constexpr Eigen::Index kSamples = 100000;
  const Eigen::MatrixXd noise = Noise(Eigen::Vector3d(0.1, 2.0, 0.0), kNoiseKey, kSamples);
  const double n = static_cast<double>(kSamples);
  for (int j = 0; j < 2; ++j) {
    const double sigma = j == 0 ? 0.1 : 2.0;
    // Four standard errors: σ/√n of the mean, σ/√(2n) of the standard deviation.
    CHECK(std::abs(noise.col(j).mean()) < 4.0 * sigma / std::sqrt(n));
    CHECK(std::abs(std::sqrt(noise.col(j).squaredNorm() / n) - sigma) <
          4.0 * sigma / std::sqrt(2.0 * n));
  }
  CHECK(std::abs(noise.col(0).dot(noise.col(1))) / n < 4.0 * 0.2 / std::sqrt(n));
  CHECK(noise.col(2).isZero(0.0));
}

TEST_CASE("Amplitudes scale the same unit draws") {
  const Eigen::MatrixXd unit = Noise(Eigen::Vector2d::Ones(), kNoiseKey, 50);
  const Eigen::MatrixXd scaled = Noise(Eigen::Vector2d(0.5, 8.0), kNoiseKey, 50);
  CHECK(scaled.col(0) == 0.5 * unit.col(0));
  CHECK(scaled.col(1) == 8.0 * unit.col(1));
}

TEST_CASE("A draw is that of the named stream, joint and sample") {
  const Eigen::MatrixXd unit = Noise(Eigen::Vector2d::Ones(), kNoiseKey, 8);
  const RandomStream stream(5, 3, "identification/joint_torque/gaussian");
  CHECK(unit(7, 1) == stream.Normal(1, 7));
}

TEST_CASE("A standard deviation that is negative or not finite is refused") {
  const char* message = "GaussianNoise: a standard deviation must be finite and at least 0";
  CHECK_THROWS_WITH_AS(GaussianNoise(Eigen::Vector2d(0.1, -0.1)), message, std::invalid_argument);
  CHECK_THROWS_WITH_AS(GaussianNoise(Eigen::Vector2d(INFINITY, 0.1)), message,
                       std::invalid_argument);
}

}  // namespace
}  // namespace idbench
