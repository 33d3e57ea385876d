#include "estimators/solvers/seen_unknowns.h"

#include <Eigen/QR>
#include <algorithm>
#include <utility>
#include <vector>

#include "estimators/solvers/covariance_root.h"
#include "estimators/solvers/in_coordinates.h"
#include "estimators/solvers/seen_directions.h"
#include "robots/dynamics/parameters/regrouping.h"

namespace idbench {
namespace {

/// Part of the longest that a row of B·S must keep beside the others to count as moved by a prior.
constexpr double kLeastMoved = 1e-9;
/// Deviation of what a prior holds, over the usual one of other unknowns: their share of a
/// combination is its square.
constexpr double kSlight = 1e-5;

/// The problem in the unknowns that β keeps, with the names of base parameters.
Problem InKept(const Problem& problem, const std::vector<Eigen::Index>& kept,
               const Eigen::MatrixXd& B) {
  const Parametrisation& parameters = problem.parameters;
  const Eigen::Index p = parameters.size();
  Eigen::MatrixXd E = Eigen::MatrixXd::Zero(p, B.rows());
  for (Eigen::Index i = 0; i < B.rows(); ++i) E(kept[static_cast<std::size_t>(i)], i) = 1.0;
  Problem seen = InCoordinates(problem, Eigen::VectorXd::Zero(p), E);
  for (Eigen::Index i = 0; i < B.rows(); ++i) {
    const auto at = static_cast<std::size_t>(i), own = static_cast<std::size_t>(kept[at]);
    const bool regrouped = (B.row(i).array() != 0.0).count() > 1;
    seen.parameters.names[at] = parameters.names[own] + (regrouped ? "_R" : "");
    seen.parameters.units[at] = parameters.units[own];
  }
  seen.parameters.representative = true;
  return seen;
}

/// Returns S·(B·S)⁺, whose columns move β with the least ‖S⁻¹·δx‖; nothing if S does not let all of
/// β move.
std::optional<Eigen::MatrixXd> NearestBasis(const Eigen::MatrixXd& B, const Eigen::MatrixXd& S) {
  // Rows have different units.
  const Eigen::VectorXd scale = InverseColumnNorms((B * S).transpose());
  const Eigen::MatrixXd scaled = (scale.asDiagonal() * (B * S)).transpose();
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(scaled);
  qr.setThreshold(kLeastMoved);
  if (qr.rank() < B.rows()) return std::nullopt;
  // (scaledᵀ)⁺ = Q·R⁻ᵀ·Pᵀ of scaled = Q·R·Pᵀ.
  const Eigen::Index r = B.rows();
  const Eigen::MatrixXd permuted =
      qr.colsPermutation().transpose() * Eigen::MatrixXd(scale.asDiagonal());
  Eigen::MatrixXd z = Eigen::MatrixXd::Zero(S.cols(), r);
  z.topRows(r) =
      qr.matrixR().topLeftCorner(r, r).triangularView<Eigen::Upper>().transpose().solve(permuted);
  return S * (qr.householderQ() * z);
}

/// Returns a root of S·Sᵀ and slight deviations in the metric of `scale`, which move combinations
/// that S does not.
Eigen::MatrixXd LetMove(const Eigen::MatrixXd& S, const Eigen::VectorXd& scale) {
  std::vector<double> deviations;
  for (Eigen::Index k = 0; k < S.rows(); ++k) {
    const double own = S.row(k).norm();
    if (own > 0.0 && scale[k] > 0.0) deviations.push_back(own / scale[k]);
  }
  if (deviations.empty()) return scale.asDiagonal();
  const auto middle = deviations.begin() + std::ssize(deviations) / 2;
  std::ranges::nth_element(deviations, middle);
  Eigen::MatrixXd root(S.rows(), S.cols() + S.rows());
  root << S, Eigen::MatrixXd((kSlight * *middle * scale).asDiagonal());
  return root;
}

/// Returns a root with the directions that nothing is known of beside S, which move far more than
/// what it lets move, in the metric of the columns' norms.
Eigen::MatrixXd LetUnknownMove(const Eigen::MatrixXd& S, const Eigen::MatrixXd& unknown,
                               const Eigen::VectorXd& scale, const Eigen::MatrixXd& columns) {
  if (unknown.size() == 0) return S;
  double most = 0.0;
  for (Eigen::Index k = 0; k < S.rows(); ++k) {
    if (scale[k] > 0.0) most = std::max(most, S.row(k).norm() / scale[k]);
  }
  const Eigen::VectorXd of_unknown = InverseColumnNorms(columns * unknown);
  Eigen::MatrixXd root(S.rows(), S.cols() + unknown.cols());
  root << S,
      unknown * Eigen::MatrixXd((most > 0.0 ? most / kSlight : 1.0) * of_unknown.asDiagonal());
  return root;
}

/// Part of what the prior knows nothing of is hidden.
bool HidesUnknown(const Problem& problem) {
  const Eigen::MatrixXd& unknown = problem.parameters.prior->unknown;
  if (unknown.size() == 0) return false;
  const Eigen::MatrixXd columns = ColumnsOnFixedStates(WithSigmaOrOne(problem)) * unknown;
  const Eigen::VectorXd scale = InverseColumnNorms(columns);
  if (scale.isZero(0.0)) return true;
  try {
    return SeenDirections(columns * scale.asDiagonal(), false).cols() < unknown.cols();
  } catch (const EstimationFailure&) {
    return false;  // the data may tell more
  }
}

}  // namespace

std::optional<SeenUnknowns> FindSeenUnknowns(const Problem& problem) {
  const Parametrisation& parameters = problem.parameters;
  if (!MayHide(problem)) return std::nullopt;
  const Eigen::MatrixXd columns = ColumnsOnFixedStates(WithSigmaOrOne(problem));
  const Eigen::VectorXd scale = InverseColumnNorms(columns);
  const Eigen::MatrixXd scaled = columns * scale.asDiagonal();
  Eigen::MatrixXd directions;
  try {
    directions = SeenDirections(scaled, false);
  } catch (const EstimationFailure&) {
    return std::nullopt;  // the data may tell more
  }
  const Eigen::Index seen = directions.cols();
  if (seen == parameters.size()) return std::nullopt;
  const Regrouping regrouping = RegroupColumns(scaled);
  if (regrouping.K.rows() != seen) return std::nullopt;
  const std::vector<Eigen::Index>& kept = regrouping.independent;
  Eigen::MatrixXd B = regrouping.K;
  for (Eigen::Index i = 0; i < seen; ++i) {
    const double own = scale[kept[static_cast<std::size_t>(i)]];
    for (Eigen::Index k = 0; k < B.cols(); ++k) {
      if (B(i, k) != 0.0) B(i, k) *= own / scale[k];
    }
  }
  const auto& prior = parameters.prior;
  std::optional<Eigen::MatrixXd> basis;
  if (prior && prior->covariance) {
    const Eigen::MatrixXd S =
        LetUnknownMove(CovarianceRoot(*prior->covariance), prior->unknown, scale, columns);
    basis = NearestBasis(B, S);
    if (!basis) basis = NearestBasis(B, LetMove(S, scale));
  }
  if (!basis) basis = NearestBasis(B, scale.asDiagonal());
  if (!basis) return std::nullopt;
  const Eigen::VectorXd x0 =
      prior ? prior->mean : Eigen::VectorXd(Eigen::VectorXd::Zero(parameters.size()));
  Problem reduced = InKept(problem, kept, B);
  Eigen::VectorXd origin = x0 - *basis * (B * x0);
  return SeenUnknowns{std::move(reduced), std::move(B), std::move(origin), *std::move(basis)};
}

std::optional<SeenUnknowns> SeenBesidePrior(const Problem& problem) {
  if (!MayHide(problem)) return std::nullopt;
  const auto& prior = problem.parameters.prior;
  if (!prior || !prior->covariance) return FindSeenUnknowns(problem);
  if (!HidesUnknown(problem)) return std::nullopt;
  std::optional<SeenUnknowns> seen = FindSeenUnknowns(problem);
  if (!seen) return std::nullopt;
  const Eigen::MatrixXd& B = seen->B;
  const Eigen::MatrixXd covariance = B * *prior->covariance * B.transpose();
  seen->problem.parameters.prior = {.mean = B * prior->mean,
                                    .covariance = 0.5 * (covariance + covariance.transpose()),
                                    .unknown = IndependentColumns(B * prior->unknown)};
  return seen;
}

Estimate CarriedOver(const SeenUnknowns& seen, Estimate estimate) {
  estimate.knows_hidden = false;
  estimate.x = seen.origin + seen.basis * estimate.x;
  const Parametrisation& shown = seen.problem.parameters;
  estimate.combinations = {shown.names, shown.units, seen.B, seen.basis,
                           std::exchange(estimate.covariance, std::nullopt)};
  estimate.diagnostics["hidden_directions"] = static_cast<double>(seen.B.cols() - seen.B.rows());
  return estimate;
}

Estimate OfSeen(const SeenUnknowns& seen, Estimate estimate) {
  estimate.x = seen.B * estimate.x;
  estimate.covariance = std::move(estimate.combinations->covariance);
  estimate.combinations.reset();
  return estimate;
}

Estimate EstimateSeen(const Problem& problem, std::span<const Dataset> datasets,
                      const std::optional<ParallelFilter>& filter,
                      const std::function<Estimate(const LinearRegression&)>& fit) {
  const LinearRegression regression(problem, datasets, filter);
  std::optional<SeenUnknowns> seen;
  if (MayHide(problem) && regression.ColumnsMayDepend()) seen = FindSeenUnknowns(problem);
  Estimate estimate =
      seen ? fit(LinearRegression(seen->problem, datasets, filter)) : fit(regression);
  if (seen) return CarriedOver(*seen, std::move(estimate));
  estimate.knows_hidden = false;
  return estimate;
}

}  // namespace idbench
