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

TEST_CASE("A further period of a motion repeats it; other amplitudes and postures do not") {
  const std::vector<Dataset> fitted = Swing(0.0, 14.0);
  CHECK(RepeatedPart(fitted, Swing(14.0, 20.0)) > 0.9);
  CHECK(RepeatedPart(fitted, Swing(14.0, 20.0, 0.8)) < 0.3);
  CHECK(RepeatedPart(fitted, Swing(14.0, 20.0, 0.5, 0.2)) == 0.0);
  CHECK(RepeatedPart(fitted, {}) == 0.0);
  CHECK(RepeatedPart({}, fitted) == 0.0);
}

}  // namespace
}  // namespace idbench
