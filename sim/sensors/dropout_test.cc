#include "sim/sensors/dropout.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace idbench {
namespace {

const SensorKey kDropoutKey{5, 3, "identification/joint_torque"};

/// Which of `samples` samples 1, 2, 3 … arrive.
std::vector<bool> Arrived(double fraction, std::uint64_t samples,
                          const SensorKey& key = kDropoutKey) {
  Dropout dropout(fraction, Dropout::Kind::kMissing);
  dropout.Reset(key);
  std::vector<bool> arrived;
  double last = 0.0;
  for (std::uint64_t i = 0; i < samples; ++i) {
    Eigen::VectorXd sample = Eigen::VectorXd::Constant(1, 1.0 + static_cast<double>(i));
    arrived.push_back(dropout.Apply(0.0, i, sample));
    if (arrived.back()) last = 1.0 + static_cast<double>(i);
    CHECK(sample(0) == last);
  }
  return arrived;
}

TEST_CASE("A lost sample reads as the last one, and as many are lost as stated") {
  constexpr std::uint64_t kSamples = 20000;
  const std::vector<bool> arrived = Arrived(0.2, kSamples);
  const double lost = static_cast<double>(std::ranges::count(arrived, false)) / kSamples;
  CHECK(std::abs(lost - 0.2) < 4.0 * std::sqrt(0.2 * 0.8 / kSamples));  // four standard errors
}

TEST_CASE("Held samples count as readings") {
  Dropout dropout(1.0, Dropout::Kind::kHold);
  dropout.Reset(kDropoutKey);
  for (std::uint64_t i = 0; i < 5; ++i) {
    Eigen::VectorXd sample = Eigen::Vector2d(static_cast<double>(i), 1.0);
    CHECK(dropout.Apply(0.0, i, sample));
    CHECK(sample == Eigen::VectorXd(Eigen::Vector2d(0.0, 1.0)));
  }
}

TEST_CASE("A sample is lost by the draw of its documented address") {
  const RandomStream stream(5, 3, "identification/joint_torque/dropout");
  const std::vector<bool> arrived = Arrived(0.3, 200);
  CHECK(arrived[0]);
  for (std::uint64_t i = 1; i < 200; ++i) CHECK(arrived[i] == (stream.Uniform(0, i) >= 0.3));
}

TEST_CASE("A greater fraction loses the same samples and more; another trial loses others") {
  const std::vector<bool> few = Arrived(0.1, 500), many = Arrived(0.4, 500);
  for (std::size_t i = 0; i < few.size(); ++i) CHECK((few[i] || !many[i]));
  CHECK(Arrived(0.1, 500, {5, 4, kDropoutKey.name}) != few);
}

TEST_CASE("A fraction that is no probability is refused") {
  const char* message = "Dropout: the fraction must be in 0 … 1";
  CHECK_THROWS_WITH_AS(Dropout(-0.1, Dropout::Kind::kHold), message, std::invalid_argument);
  CHECK_THROWS_WITH_AS(Dropout(1.1, Dropout::Kind::kHold), message, std::invalid_argument);
  CHECK_THROWS_WITH_AS(Dropout(NAN, Dropout::Kind::kHold), message, std::invalid_argument);
}

}  // namespace
}  // namespace idbench
