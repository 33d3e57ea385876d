#include "estimators/active/frequency_line.h"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "estimators/active/swing_health.h"

namespace idbench {

FieldTable Visit(FrequencyLineOptions& o) {
  FieldTable table;
  AddFields(table, o.swing);
  table
      .Add("levels", o.levels,
           {.doc = "Factors of the guessed gravity that the swings compensate",
            .lower = 0.0,
            .lower_open = true})
      .Check([&o](std::vector<Issue>& issues) {
        if (o.levels.size() >= 2) return;
        issues.push_back({"/levels", "holds fewer than two levels", {"two make a line"}});
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
    const double greatest = theta.cwiseAbs().maxCoeff();
    compensated[k] = gravity[0];
    swings.push_back(record);
    squares[k] = std::pow(omega * (1.0 + greatest * greatest / 16.0), 2);
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
