#include "estimators/active/swing_health.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "estimators/active/chain_plant_test.h"
#include "estimators/active/dino.h"
#include "estimators/active/frequency_line.h"

namespace idbench {
namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;

/// Six periods of one rod, of such an amplitude at its begin and end, about such an angle.
SwingRecord SwingOf(double first_rad, double last_rad, double about_rad, double noise_rad = 0.0) {
  SwingRecord swing{.period_s = 0.01, .q = Eigen::MatrixXd(1, 2000), .tau = {}};
  const RandomStream noise(1, 0, "noise");
  for (Eigen::Index k = 0; k < swing.size(); ++k) {
    const double part = static_cast<double>(k) / 2000.0;
    swing.q(0, k) = about_rad +
                    (first_rad + part * (last_rad - first_rad)) * std::sin(6.0 * kTurn * part) +
                    noise_rad * noise.Normal(0, static_cast<std::uint64_t>(k));
  }
  return swing;
}

TEST_CASE("White noise of readings is told from a swing") {
  const Eigen::VectorXd theta = SwingOf(0.2, 0.2, 0.0, 1e-3).q.row(0);
  CHECK(NoiseOfReadings(theta) == doctest::Approx(1e-3).epsilon(0.05));
  CHECK(NoiseOfReadings(Eigen::VectorXd::Ones(2)) == 0.0);
}

TEST_CASE("Swings that die out, or that are not about upright, are told, the worst of all") {
  const RodsProblem of(1, 1.2);
  const auto told = [&](const std::vector<SwingRecord>& swings) {
    return BesideGravity(swings, of.problem);
  };
  CHECK(told({}).empty());
  CHECK(told({SwingOf(0.1, 0.1, 0.0), SwingOf(0.1, 0.09, 0.01)}).empty());
  CHECK(told({SwingOf(0.02, 0.02, 0.0, 1e-3)}).empty());
  CHECK(told({SwingOf(0.1, 0.1, 0.0), SwingOf(0.1, 0.0, 0.0)})
            .starts_with(
                "the swings die out, of friction or of noise in readings; of their amplitude 0.2"));
  // Of a slow swing, one and a half periods, a third may lie about an extreme.
  SwingRecord slow = SwingOf(0.1, 0.1, 0.0);
  slow.period_s = 0.04;
  for (Eigen::Index k = 0; k < slow.size(); ++k) {
    slow.q(0, k) = 0.1 * std::sin(1.45 * kTurn * static_cast<double>(k) / 2000.0);
  }
  CHECK(told({slow}).empty());
  const std::string off = told({SwingOf(0.1, 0.1, 0.05), SwingOf(0.1, 0.1, -0.06)});
  CHECK(
      off.starts_with("the robot does not swing about its upright pose, as the method assumes; "));
  CHECK(off.find("link1 swings about -0.06 rad") != std::string::npos);
}

TEST_CASE("Methods without friction say where it ends their swings") {
  RodsProblem of(1, 1.15);
  const auto health = [&](ActiveEstimator&& method, double coulomb) {
    MeteredPlant plant(std::make_unique<ChainPlant>(of.lagrangian(), of.truth, coulomb), 1e5);
    const Estimate estimate = method.Run(of.problem, plant);
    REQUIRE(estimate.ok());
    return estimate.notes.contains("health") ? estimate.notes.at("health") : "";
  };
  CHECK(health(Dino(), 0.0).empty());
  CHECK(health(Dino(), 0.001 * of.TrueGravity()[0]).starts_with("the swings die out"));
  CHECK(health(FrequencyLine(), 0.0).empty());
  CHECK(health(FrequencyLine(), 0.0005 * of.TrueGravity()[0]).starts_with("the swings die out"));
}

}  // namespace
}  // namespace idbench
