#include "estimators/solvers/seen_directions.h"

#include <fmt/format.h>

#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>

#include "estimators/interface/estimate.h"
#include "estimators/interface/sample.h"
#include "estimators/solvers/least_squares.h"
#include "estimators/solvers/sample_regression.h"
#include "robots/dynamics/parameters/base_parameters.h"

namespace idbench {
namespace {

/// States on which the directions are looked for.
constexpr Eigen::Index kStates = 200;
/// Singular values below this part of the largest may be round-off.
constexpr double kMaybeZero = 1e-10;
/// By which the last kept stands above the first dropped.
constexpr double kLeastGap = 1e6;
/// By which the squared part of an unknown that shows differs from 1 where all of it does.
constexpr double kAllShown = 1e-9;

}  // namespace

bool DeclaresAllSigma(const Problem& problem) {
  return std::ranges::all_of(problem.rows, [](const EquationRows& rows) {
    return rows.sigma.size() > 0 && (rows.sigma.array() > 0.0).all();
  });
}

Problem WithSigmaOrOne(Problem problem) {
  if (DeclaresAllSigma(problem)) return problem;
  for (EquationRows& rows : problem.rows) {
    rows.sigma = Eigen::VectorXd::Ones(rows.count(problem.model));
    rows.sample_sigma.resize(0);
    rows.autocorrelation.resize(0);
  }
  return problem;
}

Eigen::MatrixXd ColumnsOnFixedStates(const Problem& problem) {
  const FixedStates states = MakeFixedStates(problem.model, kStates, StateSet::kSeenDirections);
  SampleRegression regression(problem);
  Sample sample(problem);
  const Eigen::Index rows = problem.row_count(), unknowns = problem.parameters.size();
  const std::vector<int> configurations = problem.model.IdentifiedConfigurations();
  Eigen::MatrixXd stacked =
      Eigen::MatrixXd::Zero(std::ssize(configurations) * kStates * rows, unknowns);
  Eigen::Index at = 0;
  for (const int configuration : configurations) {
    sample.configuration = configuration;
    for (Eigen::Index i = 0; i < kStates; ++i, at += rows) {
      sample.q = states.q.row(i);
      sample.qd = states.qd.row(i);
      sample.qdd = states.qdd.row(i);
      if (sample.inputs.size() > 0) sample.inputs = states.inputs.row(i);
      regression.Evaluate(sample);
      // Near singular configurations there is no wrench at the end effector.
      if (regression.H().allFinite()) stacked.middleRows(at, rows) = regression.H();
    }
  }
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(stacked);
  const Eigen::Index height = std::min(stacked.rows(), unknowns);
  return qr.matrixQR().topRows(height).triangularView<Eigen::Upper>();
}

Eigen::VectorXd InverseColumnNorms(const Eigen::MatrixXd& columns) {
  const Eigen::VectorXd norms = columns.colwise().norm().transpose();
  const double least = kZeroColumn * norms.maxCoeff();
  return norms.unaryExpr([least](double norm) { return norm > least ? 1.0 / norm : 0.0; });
}

Eigen::MatrixXd SeenDirections(const Eigen::MatrixXd& columns, bool of_base) {
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(columns, Eigen::ComputeFullV);
  const Eigen::VectorXd& values = svd.singularValues();
  Eigen::Index seen = 0;
  while (seen < values.size() && values[seen] > kMaybeZero * values[0]) ++seen;
  if (seen == 0) Refuse("no unknown has any effect");
  if (seen < values.size() && values[seen - 1] < kLeastGap * values[seen]) {
    Refuse(fmt::format(
        "the number of base parameters is not certain: singular value {} is only {:.2g} "
        "times the next; {}",
        seen, values[seen - 1] / values[seen],
        of_base ? "some of them have hardly any effect: take these for known"
                : "use the parametrisation 'base'"));
  }
  return svd.matrixV().leftCols(seen);
}

bool HidesBodies(const Problem& problem) {
  if (!MayHide(problem)) return false;
  const Eigen::MatrixXd columns = ColumnsOnFixedStates(WithSigmaOrOne(problem));
  Eigen::MatrixXd seen;
  try {
    seen = SeenDirections(columns * InverseColumnNorms(columns).asDiagonal(), false);
  } catch (const EstimationFailure&) {
    return false;
  }
  const Eigen::Index inertial = ParameterLayout(problem.model).inertial_size();
  const Eigen::MatrixXd& A = problem.parameters.affine()->A;
  for (Eigen::Index k = 0; k < seen.rows(); ++k) {
    const bool moves = !A.col(k).head(inertial).isZero(0.0);
    if (moves && seen.row(k).squaredNorm() < 1.0 - kAllShown) return true;
  }
  return false;
}

bool MayHide(const Problem& problem) {
  const Parametrisation& parameters = problem.parameters;
  return !parameters.representative && parameters.affine() != nullptr && parameters.size() > 0 &&
         !HaveRowsFrom(problem.equations(), RowsFrom::kStateRows);
}

}  // namespace idbench
