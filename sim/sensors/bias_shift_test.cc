#include "sim/sensors/bias_shift.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

#include "robots/random/random_stream.h"

namespace idbench {
namespace {

Eigen::Vector2d ShiftIn(const SensorKey& key, std::uint64_t index = 0,
                        ShiftDraw draw = ShiftDraw::kExperiment) {
  BiasShift shift(Eigen::Vector2d(0.5, 2.0), draw);
  shift.Reset(key);
  Eigen::VectorXd sample = Eigen::Vector2d::Zero();
  CHECK(shift.Apply(0.01 * static_cast<double>(index), index, sample));
  return sample;
}

TEST_CASE("A shift is one draw an experiment, the same in all its samples") {
  const RandomStream stream(1, 4, "identification/wrench/ft/bias_shift");
  const Eigen::Vector2d shift = ShiftIn({1, 4, "identification/wrench/ft"});
  CHECK(shift == Eigen::Vector2d(0.5 * stream.Normal(0, 0), 2.0 * stream.Normal(1, 0)));
  CHECK(ShiftIn({1, 4, "identification/wrench/ft"}, 700) == shift);
  CHECK(ShiftIn({1, 4, "validation/wrench/ft"}) != shift);
  CHECK(ShiftIn({1, 5, "identification/wrench/ft"}) != shift);
  // What is fed back has the shift of the experiment.
  CHECK(ShiftIn({1, 4, "identification/feedback/wrench/ft", "identification/wrench/ft"}) == shift);
}

TEST_CASE("A shift of a trial is the same in all its experiments, and another for each channel") {
  const auto in_trial = [](const SensorKey& key) { return ShiftIn(key, 0, ShiftDraw::kTrial); };
  const Eigen::Vector2d shift = in_trial({1, 4, "identification/wrench/ft"});
  const RandomStream stream(1, 4, "wrench/ft/bias_shift");
  CHECK(shift == Eigen::Vector2d(0.5 * stream.Normal(0, 0), 2.0 * stream.Normal(1, 0)));
  CHECK(in_trial({1, 4, "validation/wrench/ft"}) == shift);
  CHECK(in_trial({1, 4, "identification/feedback/wrench/ft", "identification/wrench/ft"}) == shift);
  CHECK(in_trial({1, 5, "identification/wrench/ft"}) != shift);
  CHECK(in_trial({1, 4, "identification/joint_torque"}) != shift);
}

TEST_CASE("Shifts have the standard deviation that is asked for") {
  double squares = 0.0;
  constexpr int kTrials = 4000;
  for (int trial = 0; trial < kTrials; ++trial) {
    const double shift = ShiftIn({1, trial, "identification/wrench/ft"})[1];
    squares += shift * shift;
  }
  // χ² of 4000 draws: 1.1 % of σ.
  CHECK(std::sqrt(squares / kTrials) == doctest::Approx(2.0).epsilon(0.04));
}

TEST_CASE("A standard deviation of a shift below zero is refused") {
  CHECK_THROWS_WITH_AS(BiasShift(Eigen::Vector2d(0.1, -0.1)),
                       "BiasShift: a standard deviation must be finite and at least 0",
                       std::invalid_argument);
}

}  // namespace
}  // namespace idbench
