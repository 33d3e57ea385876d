#include "estimators/motors/two_stage.h"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <utility>

#include "estimators/motors/motor_rows.h"
#include "estimators/solvers/linear_regression.h"
#include "estimators/solvers/seen_directions.h"
#include "estimators/solvers/seen_unknowns.h"

namespace idbench {
namespace {

/// Diagonal of a pivoted triangle, over the first, that is round-off of hidden directions.
constexpr double kHiddenDirection = 1e-9;
/// Residual variance of a row, over the greatest mean square of all, that is round-off.
constexpr double kVarianceRoundOff = 1e-18;

/// Solves argmin ‖A·z − y‖ with the least ‖z‖ in scaled columns.
Eigen::VectorXd LeastNorm(const Eigen::MatrixXd& A, const Eigen::VectorXd& y) {
  const Eigen::VectorXd scale = InverseColumnNorms(A);
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
  decomposition.setThreshold(kHiddenDirection);
  decomposition.compute(A * scale.asDiagonal());
  return scale.asDiagonal() * decomposition.solve(y);
}

/// The problem without its rows of drives.
Problem OfMeasuredRows(const Problem& problem) {
  if (!UnknownCalibrations(problem).empty()) {
    Refuse(
        "the calibration of a force/torque sensor is unknown, and rows of such a sensor hold for "
        "D = −1, to which least squares of the first stage shrink it: take drive_nls, or know the "
        "calibration");
  }
  CheckTouched(problem);
  Problem measured = problem;
  std::erase_if(measured.rows, [](const EquationRows& rows) { return rows.of_drives(); });
  if (measured.rows.empty()) {
    Refuse(
        "the first stage needs rows with a measured side (a force/torque sensor's wrench), and all "
        "equations are of drives");
  }
  std::vector<Configuration> untouched = problem.model.configurations();
  for (Configuration& each : untouched) each.identified &= each.touched < 0;
  measured.model.SetAttached(problem.model.attached(), std::move(untouched));
  return measured;
}

/// Data in which nothing touches the robot: the sensor measures what the robot needs.
std::vector<Dataset> Untouched(const Problem& problem, std::span<const Dataset> datasets) {
  std::vector<Dataset> untouched;
  for (const Dataset& dataset : datasets) {
    const bool is_for = dataset.role() == Role::kIdentification;
    if (is_for && !IsTouched(problem, dataset)) untouched.push_back(dataset);
  }
  return untouched;
}

/// What measured rows say: x₁, and directions that they leave open, p × m.
struct FirstStage {
  Eigen::VectorXd x;
  Eigen::MatrixXd open;
};
FirstStage FitMeasured(const Problem& problem, std::span<const Dataset> datasets,
                       const TwoStageOptions& options) {
  const Problem measured = OfMeasuredRows(problem);
  const std::vector<Dataset> untouched = Untouched(problem, datasets);
  const Estimate estimate = EstimateSeen(
      measured, untouched, options.parallel_filter, [&](const LinearRegression& regression) {
        Eigen::VectorXd weights = Eigen::VectorXd::Ones(regression.row_count());
        Estimate fit;
        fit.x = regression.Solve(weights).x;
        for (int round = 0; round < options.reweightings; ++round) {
          const Eigen::VectorXd variance =
              regression.ResidualSquares(fit.x).cwiseQuotient(regression.counts());
          const double least = kVarianceRoundOff * regression.mean_square().maxCoeff();
          weights = variance.cwiseMax(least).cwiseInverse();
          fit.x = regression.Solve(weights).x;
        }
        return fit;
      });
  FirstStage stage{estimate.x, Eigen::MatrixXd::Zero(problem.parameters.size(), 0)};
  if (!estimate.combinations) return stage;
  // In unknowns of like effect, so that a basis of what is open is well-conditioned.
  const Eigen::VectorXd scale =
      InverseColumnNorms(ColumnsOnFixedStates(WithSigmaOrOne(problem))).unaryExpr([](double each) {
        return each > 0.0 ? each : 1.0;
      });
  const Eigen::MatrixXd shown = (estimate.combinations->B * scale.asDiagonal()).transpose();
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(shown);
  const Eigen::MatrixXd Q = qr.householderQ();
  stage.open = scale.asDiagonal() * Q.rightCols(Q.cols() - shown.cols());
  return stage;
}

/// Takes the motor's own gain out of (M, e): the torque that is left is u.
Eigen::MatrixXd WithoutGains(const Eigen::MatrixXd& triangle, const std::vector<MotorRow>& motors) {
  Eigen::MatrixXd torque = triangle;
  for (const MotorRow& motor : motors) {
    if (motor.gain >= 0) torque.col(motor.gain).setZero();
  }
  return torque;
}

/// Directions that leave gains as they are.
Eigen::MatrixXd WithoutGainsOf(const std::vector<MotorRow>& motors, Eigen::MatrixXd directions) {
  for (const MotorRow& motor : motors) {
    if (motor.gain >= 0) directions.row(motor.gain).setZero();
  }
  return directions;
}

/// A motor's gain, and the mean square of what its line leaves of what it is fed.
struct MotorLine {
  double gain;
  double square;
};

/// Its rows (M, e) as what its line explains, u and what is open.
Eigen::MatrixXd LineColumns(const Eigen::MatrixXd& rows, const std::vector<MotorRow>& motors,
                            const FirstStage& first) {
  const Eigen::MatrixXd torque = WithoutGains(rows, motors);
  const Eigen::Index p = rows.cols() - 1;
  Eigen::MatrixXd columns(rows.rows(), 1 + first.open.cols());
  columns << torque.leftCols(p) * first.x - torque.col(p), torque.leftCols(p) * first.open;
  return columns;
}

/// @param fitted  rows (M, e) that the line is fitted to.
/// @param all     triangle of all rows, which tell what it leaves.
MotorLine FitMotor(const MotorRow& motor, const std::vector<MotorRow>& motors,
                   const Eigen::MatrixXd& fitted, const Eigen::MatrixXd& all,
                   const FirstStage& first, double count) {
  const Eigen::MatrixXd fitted_columns = LineColumns(fitted, motors, first);
  const Eigen::MatrixXd columns = LineColumns(all, motors, first);
  if (motor.gain < 0) {  // u is less what the known gain makes of what the motor is fed
    const Eigen::Index open = first.open.cols();
    const Eigen::VectorXd z = LeastNorm(fitted_columns.rightCols(open), -fitted_columns.col(0));
    const double square = (columns.col(0) + columns.rightCols(open) * z).squaredNorm() / count;
    return {motor.known_gain, square / (motor.known_gain * motor.known_gain)};
  }
  const Eigen::VectorXd line = LeastNorm(fitted_columns, -fitted.col(motor.gain));
  if (!(line[0] > 0.0)) {
    throw EstimationFailure(
        Outcome::kRankDeficient,
        fmt::format("what '{}' is fed does not grow with the torque that measured rows tell "
                    "({:.3g} per unit of it): move joints beyond the sensor more, or give the gain",
                    motor.name, line[0]));
  }
  return {1.0 / line[0], (-all.col(motor.gain) - columns * line).squaredNorm() / count};
}

/// Rows along the instruments that the desired motion gives.
std::vector<Eigen::MatrixXd> AlongInstruments(const MotorRegression& regression,
                                              const Problem& problem,
                                              std::span<const Dataset> datasets,
                                              const FirstStage& first,
                                              const TwoStageOptions& options) {
  std::vector<Dataset> explained;
  for (const Dataset& dataset : datasets) {
    if (dataset.role() != Role::kIdentification) continue;
    explained.push_back(WithExplainedMotion(dataset, *options.instruments));
  }
  Problem everywhere = problem;
  for (EquationRows& rows : everywhere.rows) rows.dead_zone.resize(0);
  const RegressionRows rows(everywhere, explained, options.parallel_filter);
  const MotorRegression in_explained(everywhere, rows);
  const std::vector<MotorRow>& motors = regression.motors();
  return InstrumentedRows(regression, in_explained,
                          [&](const MotorRow& motor, const Eigen::MatrixXd& Me) {
                            Eigen::MatrixXd columns = LineColumns(Me, motors, first);
                            // What is known of u holds what a known gain makes of what the motor is
                            // fed.
                            if (motor.gain < 0)
                              columns = columns.rightCols(first.open.cols()).eval();
                            return columns;
                          });
}

}  // namespace

FieldTable Visit(TwoStageOptions& o) {
  FieldTable table;
  table.Add(
      "reweightings", o.reweightings,
      {.doc = "Rounds in which the first stage weighs its rows by their residuals", .lower = 0});
  table.Add("instruments", o.instruments,
            {.doc = "Take rows of drives along what the desired motion explains of the measured "
                    "one, for robots under control; null: as they are"});
  AddDriveDeadZone(o.dead_zone_rad_s, table);
  AddParallelFilter(o.parallel_filter, table);
  return table;
}

EstimatorNeeds TwoStage::needs() const {
  EstimatorNeeds needs =
      FilteredNeeds(options_.parallel_filter, {Capability::kAffine, Capability::kDriveRows});
  needs.takes_touched = true;
  if (options_.instruments) needs.channels.push_back(kDesiredPosition);
  return needs;
}

void TwoStage::CheckProblem(const Problem& problem) {
  CheckNeeds(problem);
  FindMotorRows(WithDriveDeadZone(problem, options_.dead_zone_rad_s));
  OfMeasuredRows(problem);
}

Estimate TwoStage::Identify(const Problem& problem, std::span<const Dataset> datasets) {
  const FirstStage first = FitMeasured(problem, datasets, options_);
  const Problem zoned = WithDriveDeadZone(problem, options_.dead_zone_rad_s);
  const RegressionRows rows(zoned, datasets, options_.parallel_filter);
  rows.CheckEnoughSamples();
  const MotorRegression regression(zoned, rows);
  const std::vector<Eigen::MatrixXd> triangles =
      regression.Triangles(first.x, [](Eigen::Index, double) { return 1.0; });
  const std::vector<Eigen::MatrixXd> fitted =
      options_.instruments ? AlongInstruments(regression, zoned, datasets, first, options_)
                           : triangles;
  const std::vector<MotorRow>& motors = regression.motors();
  const Eigen::Index p = regression.unknowns();

  Estimate estimate;
  estimate.x = first.x;
  std::vector<MotorLine> lines;
  for (std::size_t i = 0; i < motors.size(); ++i) {
    const double count = rows.counts()[motors[i].rows.front().first];
    lines.push_back(FitMotor(motors[i], motors, fitted[i], triangles[i], first, count));
    if (motors[i].gain >= 0) estimate.x[motors[i].gain] = lines.back().gain;
  }
  // Without noise all lines are exact.
  double most = 0.0;
  for (const MotorLine& line : lines) most = std::max(most, line.square);
  const Eigen::Index open = first.open.cols();
  Eigen::MatrixXd left(0, open + 1);
  for (std::size_t i = 0; i < motors.size(); ++i) {
    const double root =
        most > 0.0 ? std::sqrt(std::max(lines[i].square, kHiddenDirection * most)) : 1.0;
    const double weight = 1.0 / (lines[i].gain * root);
    const Eigen::MatrixXd torque = WithoutGains(fitted[i], motors);
    left.conservativeResize(left.rows() + fitted[i].rows(), Eigen::NoChange);
    left.bottomLeftCorner(fitted[i].rows(), open) = weight * torque.leftCols(p) * first.open;
    left.bottomRightCorner(fitted[i].rows(), 1) =
        weight * (fitted[i].col(p) - fitted[i].leftCols(p) * estimate.x);
  }
  estimate.x += WithoutGainsOf(motors, first.open) * LeastNorm(left.leftCols(open), left.col(open));
  estimate.knows_hidden = false;
  estimate.notes["covariance"] =
      "none stated: the second stage takes what the first one finds for exact";
  return estimate;
}

}  // namespace idbench
