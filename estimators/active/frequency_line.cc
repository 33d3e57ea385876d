#include "estimators/active/frequency_line.h"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "estimators/active/swing_health.h"

namespace idbench {
namespace {

/// Part of the greatest level by which levels differ at least.
constexpr double kLeastSpread = 0.05;
/// Amplitude that counts as the greatest [rad]: at π a pendulum takes for ever.
constexpr double kSteepest = 3.1;

}  // namespace

FieldTable Visit(FrequencyLineOptions& o) {
  FieldTable table;
  AddFields(table, o.swing);
  table
      .Add("levels", o.levels,
           {.doc = "Factors of the guessed gravity that the swings compensate",
            .lower = 0.0,
            .lower_open = true})
      .Check([&o](std::vector<Issue>& issues) {
        if (o.levels.size() < 2) {
          issues.push_back({"/levels", "holds fewer than two levels", {"two make a line"}});
          return;
        }
        const auto [least, greatest] = std::ranges::minmax(o.levels);
        if (greatest - least >= kLeastSpread * greatest) return;
        issues.push_back({"/levels",
                          fmt::format("differ by {:.2g} %: errors of frequencies decide a line "
                                      "through points so near",
                                      100.0 * (greatest / least - 1.0)),
                          {fmt::format("accepted here: levels of which the greatest is {:g} % more "
                                       "than the least, such as [1, 1.3]",
                                       100.0 * kLeastSpread)}});
      });
  return table;
}

namespace {

/// Angles of no more than so many σ are noise.
constexpr double kBeyondNoise = 6.0;

}  // namespace

double SwingFrequency(const Eigen::VectorXd& theta, double period_s) {
  const double enough =
      std::max(theta.cwiseAbs().maxCoeff() / 3.0, kBeyondNoise * NoiseOfReadings(theta));
  double first = 0.0;
  double last = 0.0;
  int zeros = 0;
  double crossed = 0.0;  // the last time of a change of sign since the angle was large
  bool is_crossed = false;
  double side = 0.0;  // sign of the angle when it was large last
  for (Eigen::Index k = 1; k < theta.size(); ++k) {
    if ((theta[k - 1] < 0.0) != (theta[k] < 0.0)) {
      crossed = static_cast<double>(k - 1) + theta[k - 1] / (theta[k - 1] - theta[k]);
      is_crossed = true;
    }
    if (std::abs(theta[k]) < enough) continue;
    const double now = std::copysign(1.0, theta[k]);
    if (side != 0.0 && now != side && is_crossed) {
      if (zeros++ == 0) first = crossed;
      last = crossed;
    }
    side = now;
    is_crossed = false;
  }
  if (zeros < 2) return 0.0;
  return std::numbers::pi * (zeros - 1) / ((last - first) * period_s);
}

GravityLine FitGravityLine(const Eigen::VectorXd& gravity, const Eigen::VectorXd& squares,
                           const Eigen::VectorXd& weights) {
  // ω² = g·(1/J) − (b/J)
  Eigen::MatrixXd A(gravity.size(), 2);
  A.col(0) = gravity.cwiseProduct(weights);
  A.col(1) = -weights;
  const Eigen::Vector2d line = A.colPivHouseholderQr().solve(squares.cwiseProduct(weights));
  if (!(line[0] > 0.0)) {
    throw EstimationFailure(Outcome::kNotConverged,
                            "the frequency does not rise with the compensated gravity");
  }
  return {1.0 / line[0], line[1] / line[0]};
}

Estimate FrequencyLine::Experiment(const Problem& problem, Plant& plant) {
  SwingLaboratory laboratory(problem, plant, options_.swing);
  const auto levels = std::ssize(options_.levels);
  Eigen::VectorXd compensated(levels), squares(levels);
  std::vector<SwingRecord> swings;
  for (Eigen::Index k = 0; k < levels; ++k) {
    const Eigen::VectorXd gravity =
        options_.levels[static_cast<std::size_t>(k)] * laboratory.guess();
    const SwingRecord record =
        laboratory.Swing(gravity, laboratory.Push(PushDirection::kTip, gravity));
    const Eigen::VectorXd theta = (laboratory.lagrangian().S() * record.q).row(0).array() +
                                  laboratory.lagrangian().theta0()[0];
    const double omega = SwingFrequency(theta, record.period_s);
    if (record.fell || omega == 0.0) {
      throw EstimationFailure(Outcome::kNotConverged,
                              fmt::format("under {} times the guessed gravity the robot {}",
                                          options_.levels[static_cast<std::size_t>(k)],
                                          record.fell ? "fell" : "did not swing"));
    }
    // ω of small swings, from the pendulum's period 4·K(sin A/2)/ω₀.
    const double greatest = std::min(theta.cwiseAbs().maxCoeff(), kSteepest);
    const double longer = 2.0 / std::numbers::pi * std::comp_ellint_1(std::sin(0.5 * greatest));
    compensated[k] = gravity[0];
    swings.push_back(record);
    squares[k] = std::pow(omega * longer, 2);
  }
  const GravityLine line = FitGravityLine(compensated, squares, Eigen::VectorXd::Ones(levels));
  Estimate estimate;
  estimate.x = problem.parameters.prior->mean;
  estimate.x[0] = line.J;
  estimate.x[laboratory.lagrangian().FirstGravity()] = line.b;
  estimate.notes["covariance"] = "none stated: the method has no model of errors";
  const std::string health = BesideGravity(swings, problem);
  if (!health.empty()) estimate.notes["health"] = health;
  return estimate;
}

}  // namespace idbench
