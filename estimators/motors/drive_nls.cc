#include "estimators/motors/drive_nls.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "estimators/motors/motor_rows.h"
#include "estimators/solvers/least_squares.h"
#include "estimators/solvers/seen_unknowns.h"

namespace idbench {
namespace {

/// Median of |u| of a standard normal u.
constexpr double kMedianOfNormal = 0.6745;
/// Scales below this part of a row's signal are round-off.
constexpr double kRoundOffOfSignal = 1e-12;
/// Part of the weighted signal by which a step, or a round, that ends the fit moves it at most.
constexpr double kLastStep = 1e-9, kLastRound = 1e-5;
constexpr int kMostSteps = 60;
/// Part of a gain, or of 1 + D, by which a step changes it at most.
constexpr double kMostGainChange = 0.5;
/// Parts of the recorded time, per unknown, whose scores count as independent: fewer than one would
/// leave the covariance without rank.
constexpr Eigen::Index kPartsPerUnknown = 4;

[[noreturn]] void ThrowUndetermined(const LeastSquaresSolution& solution,
                                    const std::vector<std::string>& names) {
  throw EstimationFailure(
      Outcome::kRankDeficient,
      fmt::format("{}; use a richer motion", DescribeUndetermined(solution, names)));
}

/// The fit of one problem in which all of x shows.
class DriveFit {
 public:
  DriveFit(const Problem& problem, std::span<const Dataset> datasets,
           const DriveNlsOptions& options, Eigen::VectorXd start)
      : options_(options),
        names_(problem.parameters.names),
        rows_(problem, datasets, options.parallel_filter),
        regression_(problem, rows_),
        x_(std::move(start)) {}

  Estimate Run();

 private:
  std::size_t motor_count() const { return regression_.motors().size(); }
  /// Returns g of row r at x, 1 of rows of other equations.
  double Gain(std::size_t r) const;
  /// Returns (J, r) of row r from rows (M, e): residuals in units of what is measured.
  void Linearise(std::size_t r, const Eigen::MatrixXd& Me, Eigen::MatrixXd& J,
                 Eigen::VectorXd& residual) const;
  /// Weights of the residuals of calibrated sensors: as at x = `at`, or 1 of all.
  struct SensorWeights {
    std::optional<Eigen::VectorXd> at;
  };
  /// Adds (J, −r)/σ of calibrated sensors, `unknowns` of x, and returns Σ (r/σ)².
  double AddSensors(const SensorWeights& weights, const Eigen::VectorXd& sigma,
                    const std::vector<Eigen::Index>& unknowns, StreamingQr& qr) const;
  /// Returns Σ ((ŵ(x) − ŵ(before))/σ)² of calibrated sensors.
  double SensorsMoved(const Eigen::VectorXd& before, const Eigen::VectorXd& sigma) const;
  /// Returns the greatest part by which a change of x changes a gain or 1 + D.
  double GreatestChange(const Eigen::VectorXd& dx) const;
  /// Sets x to the minimum with the present gains and calibrations, in which residuals are linear.
  void MinimiseAtGains(const std::vector<Eigen::MatrixXd>& triangles, const Eigen::VectorXd& sigma);
  /// Sets x to the minimum under the present weights.
  LeastSquaresSolution Minimise(const std::vector<Eigen::MatrixXd>& triangles,
                                const SensorWeights& weights, const Eigen::VectorXd& sigma);
  Eigen::VectorXd Signals() const;
  Eigen::VectorXd Scales() const;
  double Weight(double residual_in_sigma) const;
  Eigen::MatrixXd Covariance(const LeastSquaresSolution& solution,
                             const Eigen::VectorXd& sigma) const;

  const DriveNlsOptions& options_;
  std::vector<std::string> names_;
  RegressionRows rows_;
  MotorRegression regression_;
  Eigen::VectorXd x_;
  Eigen::VectorXd signals_;  ///< Root mean square of what is measured in each row.
};

double DriveFit::Gain(std::size_t r) const {
  if (r >= motor_count()) return 1.0;
  const MotorRow& motor = regression_.motors()[r];
  return motor.gain >= 0 ? x_[motor.gain] : motor.known_gain;
}

void DriveFit::Linearise(std::size_t r, const Eigen::MatrixXd& Me, Eigen::MatrixXd& J,
                         Eigen::VectorXd& residual) const {
  // r = ρ/g with ρ = e − M·x = g·v − u; ∂r/∂g = u/g².
  const Eigen::Index p = x_.size();
  const double gain = Gain(r);
  const Eigen::VectorXd rho = Me.col(p) - Me.leftCols(p) * x_;
  residual = rho / gain;
  J = Me.leftCols(p) / -gain;
  if (r >= motor_count() || regression_.motors()[r].gain < 0) return;
  const Eigen::Index at = regression_.motors()[r].gain;
  J.col(at) = (-gain * Me.col(at) - rho) / (gain * gain);
}

double DriveFit::AddSensors(const SensorWeights& weights, const Eigen::VectorXd& sigma,
                            const std::vector<Eigen::Index>& unknowns, StreamingQr& qr) const {
  double squares = 0.0;
  CalibratedSensor::Rows J;
  if (regression_.sensors().empty()) return squares;
  regression_.Visit(
      [](const MotorRegression::Rows&) {},
      [&](const CalibratedSensor& sensor, const CalibratedSensor::Rows& Me,
          const std::vector<Eigen::Index>&) {
        const Eigen::MatrixXd r = sensor.Linearise(Me, x_, J);
        Eigen::MatrixXd root = Eigen::MatrixXd::Ones(r.rows(), 6);
        if (weights.at) root = sensor.Residuals(Me, *weights.at);
        for (Eigen::Index k = 0; k < 6; ++k) {
          const double of_row = sigma[sensor.first + k];
          for (double& each : root.col(k)) {
            each = (weights.at ? std::sqrt(Weight(each / of_row)) : 1.0) / of_row;
          }
          const auto scaled = root.col(k);
          const Eigen::VectorXd left = scaled.cwiseProduct(r.col(k));
          qr.Add(scaled.asDiagonal() * J[static_cast<std::size_t>(k)](Eigen::all, unknowns), -left);
          squares += left.squaredNorm();
        }
      });
  return squares;
}

double DriveFit::SensorsMoved(const Eigen::VectorXd& before, const Eigen::VectorXd& sigma) const {
  double squares = 0.0;
  if (regression_.sensors().empty()) return squares;
  regression_.Visit(
      [](const MotorRegression::Rows&) {},
      [&](const CalibratedSensor& sensor, const CalibratedSensor::Rows& Me,
          const std::vector<Eigen::Index>&) {
        const Eigen::MatrixXd moved = sensor.Residuals(Me, x_) - sensor.Residuals(Me, before);
        squares +=
            (moved * sigma.segment(sensor.first, 6).cwiseInverse().asDiagonal()).squaredNorm();
      });
  return squares;
}

double DriveFit::GreatestChange(const Eigen::VectorXd& dx) const {
  double change = 0.0;
  for (const MotorRow& motor : regression_.motors()) {
    if (motor.gain >= 0) change = std::max(change, std::abs(dx[motor.gain] / x_[motor.gain]));
  }
  for (const CalibratedSensor& sensor : regression_.sensors()) {
    // Eigenvalues of (1 + D)⁻¹·dD, which units do not change.
    const Eigen::Matrix<double, 6, 6> part =
        sensor.At(x_).partialPivLu().solve(sensor.ChangeOf(dx));
    change = std::max(change, part.eigenvalues().cwiseAbs().maxCoeff());
  }
  return change;
}

void DriveFit::MinimiseAtGains(const std::vector<Eigen::MatrixXd>& triangles,
                               const Eigen::VectorXd& sigma) {
  std::vector<Eigen::Index> others;
  std::vector<std::string> names;
  for (Eigen::Index k = 0; k < x_.size(); ++k) {
    const bool is_gain = std::ranges::any_of(
        regression_.motors(), [k](const MotorRow& motor) { return motor.gain == k; });
    const bool calibrates = std::ranges::any_of(
        regression_.sensors(), [k](const CalibratedSensor& sensor) { return sensor.Has(k); });
    if (is_gain || calibrates) continue;
    others.push_back(k);
    names.push_back(names_[static_cast<std::size_t>(k)]);
  }
  StreamingQr qr(std::ssize(others));
  Eigen::MatrixXd J;
  Eigen::VectorXd residual;
  for (std::size_t r = 0; r < triangles.size(); ++r) {
    const double of_row = sigma[static_cast<Eigen::Index>(r)];
    Linearise(r, triangles[r], J, residual);
    qr.Add(J(Eigen::all, others) / of_row, residual / -of_row);
  }
  AddSensors({}, sigma, others, qr);
  const LeastSquaresSolution solution = qr.Solve();
  if (!solution.determined()) ThrowUndetermined(solution, names);
  x_(others) += solution.x;
}

LeastSquaresSolution DriveFit::Minimise(const std::vector<Eigen::MatrixXd>& triangles,
                                        const SensorWeights& weights,
                                        const Eigen::VectorXd& sigma) {
  std::vector<Eigen::Index> all(static_cast<std::size_t>(x_.size()));
  std::iota(all.begin(), all.end(), Eigen::Index{0});
  Eigen::MatrixXd J;
  Eigen::VectorXd residual;
  const double signal =
      std::sqrt(rows_.counts().mean() * signals_.cwiseQuotient(sigma).squaredNorm());
  for (int step = 0; step < kMostSteps; ++step) {
    StreamingQr qr(x_.size());
    double squares = 0.0;
    for (std::size_t r = 0; r < triangles.size(); ++r) {
      const double of_row = sigma[static_cast<Eigen::Index>(r)];
      Linearise(r, triangles[r], J, residual);
      qr.Add(J / of_row, residual / -of_row);
      squares += residual.squaredNorm() / (of_row * of_row);
    }
    squares += AddSensors(weights, sigma, all, qr);
    LeastSquaresSolution solution = qr.Solve();
    if (!solution.determined()) {
      throw EstimationFailure(
          Outcome::kRankDeficient,
          DescribeUndetermined(solution, names_) + "; use a richer motion" +
              (regression_.sensors().empty() ? "" : ", or a known load that comes off"));
    }
    const double change = GreatestChange(solution.x);
    const double part = change > kMostGainChange ? kMostGainChange / change : 1.0;
    x_ += part * solution.x;
    const Eigen::MatrixXd R = qr.triangle().leftCols(x_.size());
    const double moved = (R * solution.x).norm();
    if (part == 1.0 && moved <= kLastStep * std::max(signal, std::sqrt(squares))) return solution;
  }
  throw EstimationFailure(
      Outcome::kNotConverged,
      fmt::format("{} still change after {} Gauss-Newton steps",
                  regression_.sensors().empty() ? "gains" : "gains or calibrations", kMostSteps));
}

Eigen::VectorXd DriveFit::Signals() const {
  Eigen::VectorXd squares = Eigen::VectorXd::Zero(regression_.row_count());
  Eigen::VectorXd counts = Eigen::VectorXd::Zero(regression_.row_count());
  regression_.Visit([&](const MotorRegression::Rows& rows) {
    const auto r = static_cast<std::size_t>(rows.row);
    const Eigen::Index p = x_.size();
    const bool fed = r < motor_count() && regression_.motors()[r].gain >= 0;
    squares[rows.row] += fed ? rows.Me.col(regression_.motors()[r].gain).squaredNorm()
                             : (rows.Me.col(p) / Gain(r)).squaredNorm();
    counts[rows.row] += static_cast<double>(rows.Me.rows());
  });
  for (std::size_t r = 0; r < motor_count(); ++r) {
    if (counts[static_cast<Eigen::Index>(r)] > 0.0) continue;
    Refuse(fmt::format("no sample is left outside the dead zones of all rows that '{}' drives",
                       regression_.motors()[r].name));
  }
  const Eigen::VectorXd signals = squares.cwiseQuotient(counts).cwiseSqrt();
  const double largest = signals.maxCoeff();
  return signals.unaryExpr(
      [largest](double each) { return each > 0.0 ? each : (largest > 0.0 ? largest : 1.0); });
}

Eigen::VectorXd DriveFit::Scales() const {
  std::vector<Eigen::VectorXd> residuals = regression_.Residuals(x_);
  Eigen::VectorXd sigma(std::ssize(residuals));
  for (std::size_t r = 0; r < residuals.size(); ++r) {
    Eigen::VectorXd sizes = (residuals[r] / Gain(r)).cwiseAbs();
    const auto middle = sizes.begin() + sizes.size() / 2;
    std::nth_element(sizes.begin(), middle, sizes.end());
    const auto row = static_cast<Eigen::Index>(r);
    sigma[row] = std::max(*middle / kMedianOfNormal, kRoundOffOfSignal * signals_[row]);
  }
  return sigma;
}

double DriveFit::Weight(double residual_in_sigma) const {
  const double size = std::abs(residual_in_sigma);
  return options_.huber && size > *options_.huber ? *options_.huber / size : 1.0;
}

Eigen::MatrixXd DriveFit::Covariance(const LeastSquaresSolution& solution,
                                     const Eigen::VectorXd& sigma) const {
  const Eigen::Index samples = rows_.samples();
  const Eigen::Index parts = std::min(kPartsPerUnknown * x_.size(), samples);
  Eigen::MatrixXd scores = Eigen::MatrixXd::Zero(x_.size(), parts);
  const auto add = [&](const std::vector<Eigen::Index>& numbers, const Eigen::MatrixXd& J,
                       const auto& residual, double of_row) {
    for (Eigen::Index k = 0; k < residual.size(); ++k) {
      const double in_sigma = residual[k] / of_row;
      const Eigen::Index part = numbers[static_cast<std::size_t>(k)] * parts / samples;
      scores.col(part) += Weight(in_sigma) * in_sigma / of_row * J.row(k).transpose();
    }
  };
  Eigen::MatrixXd J;
  Eigen::VectorXd residual;
  CalibratedSensor::Rows of_sensor;
  regression_.Visit(
      [&](const MotorRegression::Rows& rows) {
        Linearise(static_cast<std::size_t>(rows.row), rows.Me, J, residual);
        add(rows.samples, J, residual, sigma[rows.row]);
      },
      [&](const CalibratedSensor& sensor, const CalibratedSensor::Rows& Me,
          const std::vector<Eigen::Index>& numbers) {
        const Eigen::MatrixXd r = sensor.Linearise(Me, x_, of_sensor);
        for (Eigen::Index k = 0; k < 6; ++k) {
          add(numbers, of_sensor[static_cast<std::size_t>(k)], r.col(k), sigma[sensor.first + k]);
        }
      });
  const Eigen::MatrixXd moved = solution.inverse * scores;
  return moved * moved.transpose();
}

Estimate DriveFit::Run() {
  rows_.CheckEnoughSamples();
  signals_ = Signals();
  Eigen::VectorXd sigma = signals_;
  const std::vector<Eigen::MatrixXd> unweighted =
      regression_.Triangles(x_, [](Eigen::Index, double) { return 1.0; });
  MinimiseAtGains(unweighted, sigma);
  LeastSquaresSolution solution = Minimise(unweighted, {}, sigma);
  Estimate estimate;
  for (int round = 1;; ++round) {
    const Eigen::VectorXd before = x_;
    sigma = Scales();
    const std::vector<Eigen::MatrixXd> triangles =
        regression_.Triangles(x_, [&](Eigen::Index r, double rho) {
          return Weight(rho / (Gain(static_cast<std::size_t>(r)) * sigma[r]));
        });
    solution = Minimise(triangles, {before}, sigma);
    double moved = SensorsMoved(before, sigma), signal = 0.0;
    for (std::size_t r = 0; r < triangles.size(); ++r) {
      const double scale = Gain(r) * sigma[static_cast<Eigen::Index>(r)];
      moved += (triangles[r].leftCols(x_.size()) * (x_ - before)).squaredNorm() / (scale * scale);
      const double of_row =
          signals_[static_cast<Eigen::Index>(r)] / sigma[static_cast<Eigen::Index>(r)];
      signal += of_row * of_row * rows_.counts().mean();
    }
    estimate.diagnostics["rounds"] = round;
    const bool same = moved <= kLastRound * kLastRound * signal;
    if (same) break;
    if (round == options_.rounds) {
      throw EstimationFailure(
          Outcome::kNotConverged,
          fmt::format("the prediction still moves by {:.2g} of itself after {} rounds of weights; "
                      "set \"rounds\" higher",
                      std::sqrt(moved / signal), round));
    }
  }
  estimate.x = x_;
  estimate.diagnostics["condition"] = solution.condition;
  estimate.covariance = Covariance(solution, sigma);
  return estimate;
}

/// Where gains begin.
double FirstGain(const Problem& problem, Eigen::Index gain) {
  const auto& prior = problem.parameters.prior;
  return prior && prior->mean[gain] > 0.0 ? prior->mean[gain] : 1.0;
}

/// Calibrations begin at the mean of the prior.
void SetFirstCalibrations(const Problem& problem, const Problem& fitted, Eigen::VectorXd& start) {
  if (!problem.parameters.prior) return;
  const std::vector<CalibratedSensor> own = FindCalibratedSensors(problem);
  const std::vector<CalibratedSensor> of_fitted = FindCalibratedSensors(fitted);
  for (std::size_t s = 0; s < own.size(); ++s) {
    for (Eigen::Index k = 0; k < own[s].entries.size(); ++k) {
      const Eigen::Index x = own[s].entries.reshaped()[k];
      if (x < 0) continue;
      start[of_fitted[s].entries.reshaped()[k]] = problem.parameters.prior->mean[x];
    }
  }
}

}  // namespace

FieldTable Visit(DriveNlsOptions& o) {
  FieldTable table;
  table
      .Add("huber", o.huber,
           {.doc = "Residual over its σ above which its weight falls, as 1/|u|; null: never",
            .lower = 0.0,
            .lower_open = true})
      .Add("rounds", o.rounds,
           {.doc = "Rounds of weights after which a fit that still moves has not converged",
            .lower = 1});
  AddDriveDeadZone(o.dead_zone_rad_s, table);
  AddParallelFilter(o.parallel_filter, table);
  return table;
}

EstimatorNeeds DriveNls::needs() const {
  EstimatorNeeds needs =
      FilteredNeeds(options_.parallel_filter, {Capability::kAffine, Capability::kMeasuredColumns});
  needs.takes_touched = true;
  return needs;
}

void DriveNls::CheckProblem(const Problem& problem) {
  CheckNeeds(problem);
  FindMotorRows(WithDriveDeadZone(problem, options_.dead_zone_rad_s));
  FindCalibratedSensors(problem);
  CheckTouched(problem);
}

Estimate DriveNls::Identify(const Problem& problem, std::span<const Dataset> datasets) {
  const Problem zoned = WithDriveDeadZone(problem, options_.dead_zone_rad_s);
  const std::vector<MotorRow> motors = FindMotorRows(zoned);
  const std::optional<SeenUnknowns> seen = FindSeenUnknowns(zoned);
  const Problem& fitted = seen ? seen->problem : zoned;
  Eigen::VectorXd start = Eigen::VectorXd::Zero(fitted.parameters.size());
  const std::vector<MotorRow> of_fitted = FindMotorRows(fitted);
  for (std::size_t i = 0; i < motors.size(); ++i) {
    if (motors[i].gain >= 0) start[of_fitted[i].gain] = FirstGain(zoned, motors[i].gain);
  }
  SetFirstCalibrations(zoned, fitted, start);
  Estimate estimate = DriveFit(fitted, datasets, options_, std::move(start)).Run();
  if (seen) return CarriedOver(*seen, std::move(estimate));
  estimate.knows_hidden = false;
  return estimate;
}

}  // namespace idbench
