#include "bench/identify/torque_noise.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "robots/random/random_stream.h"

namespace idbench {
namespace {

constexpr double kRate_hz = 500.0;

/// Torques of two joints: noise of 0.1 N·m on a motion with a square wave of friction, and noise of
/// 2 N·m with a line of 1 N·m at 100 Hz.
Dataset Noisy(Eigen::Index rows) {
  const RandomStream stream(1, 0, "torque_noise_test");
  Channel torque;
  torque.name = kJointTorque;
  torque.time_s = Eigen::VectorXd::LinSpaced(rows, 0.0, static_cast<double>(rows - 1) / kRate_hz);
  torque.samples.resize(rows, 2);
  for (Eigen::Index i = 0; i < rows; ++i) {
    const auto index = static_cast<std::uint64_t>(i);
    const double phase = 2.0 * std::numbers::pi * torque.time_s[i];
    const double motion = 20.0 * std::sin(0.5 * phase);
    const double friction = std::cos(0.5 * phase) > 0.0 ? 1.5 : -1.5;
    torque.samples(i, 0) = motion + friction + 0.1 * stream.Normal(0, index);
    torque.samples(i, 1) = std::sin(100.0 * phase) + 2.0 * stream.Normal(1, index);
  }
  Dataset dataset("validation", Role::kValidation);
  dataset.Add(torque);
  return dataset;
}

TEST_CASE("Noise behind a low-pass is white noise's share of its band, whatever the motion") {
  const std::vector<Dataset> segments = {Noisy(12000)};
  const Eigen::VectorXd noise = TorqueNoise(segments, 10.0);
  REQUIRE(noise.size() == 2);
  // √(10 Hz of 250 Hz); 12,000 samples have 1,700 ordinates, whose median errs by 2.5 %, its root
  // by half of that; four of these, and what the steps of friction leave between 20 and 225 Hz.
  CHECK(noise[0] == doctest::Approx(0.1 * std::sqrt(10.0 / 250.0)).epsilon(0.06));
  CHECK(noise[1] == doctest::Approx(2.0 * std::sqrt(10.0 / 250.0)).epsilon(0.06));
}

TEST_CASE("Noise is not told of a log that is too short, or without joint torques") {
  const std::vector<Dataset> few = {Noisy(40)};
  CHECK(TorqueNoise(few, 10.0).array().isNaN().all());
  CHECK(TorqueNoise({}, 10.0).size() == 0);
  const std::vector<Dataset> none = {Dataset("validation", Role::kValidation)};
  CHECK(TorqueNoise(none, 10.0).size() == 0);
}

}  // namespace
}  // namespace idbench
