#include "bench/identify/repeated_motion.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace idbench {
namespace {

/// Two joints that swing with a period of 4 s, the second with a third harmonic.
std::vector<Dataset> Swing(double from_s, double until_s, double amplitude = 0.5,
                           double shift_rad = 0.0) {
  const double rate_hz = 100.0;
  const auto count = static_cast<Eigen::Index>((until_s - from_s) * rate_hz);
  Eigen::VectorXd time(count);
  Eigen::MatrixXd q(count, 2);
  for (Eigen::Index k = 0; k < count; ++k) {
    time[k] = from_s + static_cast<double>(k) / rate_hz;
    const double phase = std::numbers::pi / 2.0 * time[k];
    q(k, 0) = amplitude * std::sin(phase) + shift_rad;
    q(k, 1) = 0.3 * std::cos(phase) + 0.1 * std::sin(3.0 * phase);
  }
  std::vector<Dataset> segments;
  segments.emplace_back("swing", Role::kIdentification)
      .Add({std::string(kJointPosition), "rad", time, q, {}});
  return segments;
}

double PartOf(const std::vector<Dataset>& fitted, const std::vector<Dataset>& held_out) {
  return RepeatedPart(fitted, held_out, 100.0, 2.0);
}

TEST_CASE("The noise of a joint that stands still makes no other motion, another place does") {
  const auto held_at = [](std::vector<Dataset> segments, double place_rad) {
    Dataset held = segments.front().WithoutChannels();
    Channel q = segments.front().Get(kJointPosition);
    for (Eigen::Index k = 0; k < q.samples.rows(); ++k) {
      q.samples(k, 1) = place_rad + 1e-5 * std::sin(1.7 * static_cast<double>(k * k % 97));
    }
    held.Add(std::move(q));
    return std::vector<Dataset>{std::move(held)};
  };
  const std::vector<Dataset> fitted = held_at(Swing(0.0, 14.0), 0.2);
  CHECK(PartOf(fitted, held_at(Swing(14.0, 20.0), 0.2)) > 0.9);
  CHECK(PartOf(fitted, held_at(Swing(14.0, 20.0), 0.4)) == 0.0);
}

TEST_CASE("A further period of a motion repeats it; other amplitudes and postures do not") {
  const std::vector<Dataset> fitted = Swing(0.0, 14.0);
  CHECK(PartOf(fitted, Swing(14.0, 20.0)) > 0.9);
  CHECK(PartOf(fitted, Swing(14.0, 20.0, 0.8)) < 0.3);
  CHECK(PartOf(fitted, Swing(14.0, 20.0, 0.5, 0.2)) == 0.0);
  CHECK(PartOf(fitted, {}) == 0.0);
  CHECK(PartOf({}, fitted) == 0.0);
}

}  // namespace
}  // namespace idbench
