#include "estimators/solvers/linear_regression.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace idbench {
namespace {

/// Samples that are triangularised at a time.
constexpr Eigen::Index kQrBlock = 512;
/// Squared part of a scaled column that may be round-off of sums: where columns depend, 1e-16 is
/// left over the least part of the columns before, which is more than this.
constexpr double kMaybeDependent = 1e-7;

[[noreturn]] void ThrowRankDeficient(const LeastSquaresSolution& solution,
                                     const std::vector<std::string>& names, bool of_base) {
  throw EstimationFailure(Outcome::kRankDeficient,
                          fmt::format("{}; use {}a richer motion, or a method that takes a prior",
                                      DescribeUndetermined(solution, names),
                                      of_base ? "" : "the parametrisation 'base', "));
}

}  // namespace

LinearRegression::LinearRegression(const Problem& problem, std::span<const Dataset> datasets,
                                   const std::optional<ParallelFilter>& filter)
    : RegressionRows(problem, datasets, filter) {
  SumUp();
}

void LinearRegression::SumUp() {
  sums_.assign(static_cast<std::size_t>(row_count()), NormalEquations::Zero(unknowns()));
  mean_square_ = Eigen::VectorXd::Zero(row_count());
  std::vector<Eigen::MatrixXd> grams(sums_.size());  // of (W_j, y_j)
  for (const Part& part : parts()) {
    const auto& [dynamics, rows, maps] = *part.configured;
    Dynamics::Scratch scratch(dynamics);
    if (part.filtered.empty()) rows.Gram(part.States(), part.y, scratch, grams);
    for (std::size_t r = 0; r < sums_.size(); ++r) {
      const auto row = static_cast<Eigen::Index>(r);
      if (!part.filtered.empty()) {
        Eigen::MatrixXd wide(part.y.rows(), part.filtered[r].cols() + 1);
        wide << part.filtered[r], OrZero(part.y.col(row));
        grams[r] = wide.transpose() * wide;
      }
      const RowMap& map = maps[r];
      const Eigen::Index last = grams[r].cols() - 1;
      const Eigen::MatrixXd WtW = grams[r].topLeftCorner(last, last);
      Eigen::VectorXd Wty = grams[r].col(last).head(last);
      const Eigen::MatrixXd WtWA = WtW * map.A;
      sums_[r].AtA += map.A.transpose() * WtWA;
      if (!map.pi0.isZero(0.0)) Wty -= WtW * map.pi0;
      sums_[r].Aty += map.A.transpose() * Wty;
      mean_square_[row] += grams[r](last, last);
      // Of drives the known part, as gains that are known, is what would be measured.
      if (is_of_drive(r)) mean_square_[row] += map.pi0.dot(WtW * map.pi0);
    }
  }
  mean_square_.array() /= counts().array();
}

NormalEquations LinearRegression::WeightedSums(
    const Eigen::Ref<const Eigen::VectorXd>& weights) const {
  NormalEquations sums = NormalEquations::Zero(unknowns());
  for (std::size_t r = 0; r < sums_.size(); ++r) {
    const double weight = weights[static_cast<Eigen::Index>(r)];
    sums.AtA += weight * sums_[r].AtA;
    sums.Aty += weight * sums_[r].Aty;
  }
  return sums;
}

bool LinearRegression::ColumnsMayDepend() const {
  Eigen::MatrixXd AtA = WeightedSums(Eigen::VectorXd::Ones(row_count())).AtA;
  const Eigen::VectorXd norms = AtA.diagonal().cwiseSqrt();
  if (!(norms.array() > 0.0).all()) return true;
  AtA = (norms.cwiseInverse().asDiagonal() * AtA * norms.cwiseInverse().asDiagonal()).eval();
  const Eigen::LLT<Eigen::MatrixXd> left(AtA);
  if (left.info() != Eigen::Success) return true;
  return !(left.matrixLLT().diagonal().array().square() > kMaybeDependent).all();
}

LeastSquaresSolution LinearRegression::Solve(
    const Eigen::Ref<const Eigen::VectorXd>& weights) const {
  CheckEnoughSamples();
  return SolveAbout(weights, nullptr);
}

LeastSquaresSolution LinearRegression::SolveStep(
    const std::vector<Eigen::MatrixXd>& residuals,
    const std::vector<Eigen::MatrixXd>& weights) const {
  CheckEnoughSamples();
  const auto part_of = [](const std::vector<Eigen::MatrixXd>& all, const RowColumns& columns) {
    return all[static_cast<std::size_t>(columns.dataset)]
        .col(columns.row)
        .segment(columns.first, columns.A.rows());
  };
  NormalEquations sums = NormalEquations::Zero(unknowns());
  VisitColumns(kQrBlock, [&](const RowColumns& columns) {
    const std::vector<int>& in = UnknownsIn(static_cast<int>(columns.row));
    const Eigen::VectorXd w = part_of(weights, columns);
    const Eigen::MatrixXd A = columns.A(Eigen::all, in);
    const Eigen::MatrixXd wA = w.asDiagonal() * A;
    sums.AtA(in, in) += A.transpose() * wA;
    sums.Aty(in) += wA.transpose() * part_of(residuals, columns);
  });
  std::optional<LeastSquaresSolution> solution = SolveNormalEquations(sums);
  if (!solution) {
    StreamingQr qr(unknowns());
    VisitColumns(kQrBlock, [&](const RowColumns& columns) {
      const Eigen::VectorXd root = part_of(weights, columns).cwiseSqrt();
      qr.Add(root.asDiagonal() * columns.A, root.cwiseProduct(part_of(residuals, columns)));
    });
    solution = qr.Solve();
  }
  if (!solution->determined()) ThrowRankDeficient(*solution, names(), is_of_base());
  return *std::move(solution);
}

LeastSquaresSolution LinearRegression::SolveRidge(
    double lambda, const Eigen::Ref<const Eigen::VectorXd>& centre) const {
  CheckEnoughSamples();
  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(row_count());
  const Eigen::VectorXd norms = SquaredColumnNorms(WeightedSums(ones).AtA);
  // Any positive penalty holds an unknown without effect at its centre.
  const double substitute = norms.maxCoeff();
  const Eigen::VectorXd root = norms.unaryExpr(
      [=](double norm) { return 1.0 / std::sqrt(lambda * (norm > 0.0 ? norm : substitute)); });
  return SolveWithPrior(ones, {centre, root.asDiagonal()});
}

LeastSquaresSolution LinearRegression::SolveWithPrior(
    const Eigen::Ref<const Eigen::VectorXd>& weights, const PriorCoordinates& prior) const {
  LeastSquaresSolution solution = SolveAbout(weights, &prior);
  solution.x = prior.mean + prior.root * solution.x;
  solution.inverse = prior.root * solution.inverse * prior.root.transpose();
  return solution;
}

LeastSquaresSolution LinearRegression::SolveAbout(const Eigen::Ref<const Eigen::VectorXd>& weights,
                                                  const PriorCoordinates* prior) const {
  NormalEquations sums = WeightedSums(weights);
  if (prior != nullptr) {
    sums.Aty -= sums.AtA * prior->mean;
    sums.AtA = (prior->root.transpose() * sums.AtA * prior->root).eval();
    sums.AtA.diagonal() += prior->Precision();
    sums.Aty = (prior->root.transpose() * sums.Aty).eval();
  }
  std::optional<LeastSquaresSolution> solution = SolveNormalEquations(sums);
  if (!solution) solution = SolveByQr(weights, prior);
  if (solution->determined()) return *std::move(solution);
  if (prior == nullptr) ThrowRankDeficient(*solution, names(), is_of_base());
  throw EstimationFailure(Outcome::kRankDeficient,
                          DescribeUndetermined(*prior, names(), solution->undetermined));
}

LeastSquaresSolution LinearRegression::SolveByQr(const Eigen::Ref<const Eigen::VectorXd>& weights,
                                                 const PriorCoordinates* prior) const {
  const Eigen::VectorXd centre =
      prior != nullptr ? prior->mean : Eigen::VectorXd(Eigen::VectorXd::Zero(unknowns()));
  StreamingQr qr(prior != nullptr ? prior->root.cols() : unknowns());
  std::vector<Eigen::MatrixXd> block;
  for (const Part& part : parts()) {
    const auto& [dynamics, rows, maps] = *part.configured;
    Dynamics::Scratch scratch(dynamics);
    for (Eigen::Index first = 0; first < part.y.rows(); first += kQrBlock) {
      const Eigen::Index count = std::min(kQrBlock, part.y.rows() - first);
      if (part.filtered.empty()) rows.Dense(part.States(first, count), scratch, block);
      for (std::size_t r = 0; r < maps.size(); ++r) {
        const auto row = static_cast<Eigen::Index>(r);
        const Eigen::MatrixXd W =
            part.filtered.empty() ? block[r] : part.filtered[r].middleRows(first, count);
        const Eigen::VectorXd pi = maps[r].pi0 + maps[r].A * centre;
        const double weight = std::sqrt(weights[row]);
        Eigen::MatrixXd WA = W * maps[r].A;
        if (prior != nullptr) WA *= prior->root;
        Eigen::VectorXd left = part.y.col(row).segment(first, count) - W * pi;
        for (Eigen::Index k = 0; k < count && has_gaps(); ++k) {
          if (std::isnan(left[k])) WA.row(k).setZero();
        }
        if (has_gaps()) left = OrZero(left);
        qr.Add(weight * WA, weight * left);
      }
    }
  }
  if (prior != nullptr) {
    const Eigen::Index stated = prior->root.cols() - prior->free;
    qr.Add(Eigen::MatrixXd::Identity(stated, prior->root.cols()), Eigen::VectorXd::Zero(stated));
  }
  return qr.Solve();
}

Eigen::VectorXd LinearRegression::MovedSquares(const Eigen::Ref<const Eigen::VectorXd>& squares,
                                               const LeastSquaresSolution& from,
                                               const LeastSquaresSolution& to) const {
  if (from.by_qr || to.by_qr) return ResidualSquares(to.x);
  const Eigen::VectorXd step = to.x - from.x;
  const Eigen::VectorXd doubled = to.x + from.x;
  Eigen::VectorXd moved = squares;
  for (std::size_t r = 0; r < sums_.size(); ++r) {
    // −2 δᵀ(Aᵀy − AᵀA x) + δᵀAᵀA δ = δᵀ(AᵀA (2x + δ) − 2 Aᵀy)
    moved[static_cast<Eigen::Index>(r)] += step.dot(sums_[r].AtA * doubled - 2.0 * sums_[r].Aty);
  }
  return moved;
}

Eigen::MatrixXd LinearRegression::Covariance(
    const LeastSquaresSolution& solution, const Eigen::Ref<const Eigen::VectorXd>& weights,
    const Eigen::Ref<const Eigen::VectorXd>& variance) const {
  const Eigen::VectorXd middle_weights = weights.array().square() * variance.array();
  const Eigen::MatrixXd covariance =
      solution.inverse * WeightedSums(middle_weights).AtA * solution.inverse;
  return 0.5 * (covariance + covariance.transpose());
}

}  // namespace idbench
