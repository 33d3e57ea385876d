#include "estimators/solvers/coloured_noise.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <complex>
#include <unsupported/Eigen/FFT>

namespace idbench {
namespace {

/// Up to this many lags a plain sum is faster than a transform.
constexpr Eigen::Index kPlainLags = 48;
/// Samples that are read at a time, at least.
constexpr Eigen::Index kLeastBlock = 512;

/// Columns 2k and 2k + 1 as real and imaginary part, so that one complex transform does both.
Eigen::VectorXcd Pair(const Eigen::MatrixXd& C, Eigen::Index first, Eigen::Index size) {
  Eigen::VectorXcd pair = Eigen::VectorXcd::Zero(size);
  pair.head(C.rows()).real() = C.col(first);
  if (first + 1 < C.cols()) pair.head(C.rows()).imag() = C.col(first + 1);
  return pair;
}

}  // namespace

ToeplitzGram::ToeplitzGram(const Eigen::Ref<const Eigen::VectorXd>& autocovariance,
                           Eigen::Index columns)
    : half_(autocovariance),
      past_(Eigen::MatrixXd::Zero(autocovariance.size() - 1, columns)),
      sum_(Eigen::MatrixXd::Zero(columns, columns)) {
  half_[0] *= 0.5;
}

void ToeplitzGram::Add(const Eigen::Ref<const Eigen::MatrixXd>& C) {
  assert(C.cols() == past_.cols());
  Eigen::MatrixXd stacked(past_.rows() + C.rows(), C.cols());
  stacked << past_, C;
  sum_.noalias() += C.transpose() * Convolve(stacked);
  past_ = stacked.bottomRows(past_.rows());
}

Eigen::MatrixXd ToeplitzGram::Convolve(const Eigen::MatrixXd& C) const {
  const Eigen::Index lags = past_.rows(), count = C.rows() - lags;
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(count, C.cols());
  if (lags <= kPlainLags) {
    for (Eigen::Index k = 0; k <= lags; ++k) result += half_[k] * C.middleRows(lags - k, count);
    return result;
  }
  // A circular convolution is the plain one behind the first `lags` samples.
  const auto size = static_cast<Eigen::Index>(std::bit_ceil(static_cast<std::size_t>(C.rows())));
  Eigen::FFT<double> fft;
  Eigen::VectorXcd response, spectrum, pair;
  fft.fwd(response, Pair(half_, 0, size));
  for (Eigen::Index k = 0; k < C.cols(); k += 2) {
    const Eigen::Index both = std::min<Eigen::Index>(2, C.cols() - k);
    if (C.middleCols(k, both).isZero(0.0)) continue;
    fft.fwd(spectrum, Pair(C, k, size));
    spectrum = spectrum.cwiseProduct(response).eval();
    fft.inv(pair, spectrum);
    result.col(k) = pair.segment(lags, count).real();
    if (both == 2) result.col(k + 1) = pair.segment(lags, count).imag();
  }
  return result;
}

Eigen::MatrixXd ColouredSums(const LinearRegression& regression,
                             const Eigen::Ref<const Eigen::VectorXd>& weights,
                             const std::vector<Eigen::VectorXd>& autocovariance) {
  assert(std::ssize(autocovariance) == regression.row_count());
  std::vector<ToeplitzGram> grams;
  Eigen::Index block = kLeastBlock;
  for (const Eigen::VectorXd& gamma : autocovariance) {
    const auto row = static_cast<int>(std::ssize(grams));
    grams.emplace_back(gamma, std::ssize(regression.UnknownsIn(row)));
    block = std::max(block, 2 * gamma.size());
  }
  regression.VisitColumns(block, [&](const RowColumns& columns) {
    ToeplitzGram& gram = grams[static_cast<std::size_t>(columns.row)];
    if (columns.first == 0) gram.BeginDataset();
    gram.Add(columns.A(Eigen::all, regression.UnknownsIn(static_cast<int>(columns.row))));
  });
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(regression.unknowns(), regression.unknowns());
  for (Eigen::Index row = 0; row < weights.size(); ++row) {
    const std::vector<int>& in = regression.UnknownsIn(static_cast<int>(row));
    sum(in, in) += weights[row] * weights[row] * grams[static_cast<std::size_t>(row)].Sum();
  }
  return sum;
}

Eigen::MatrixXd SandwichCovariance(const Eigen::MatrixXd& inverse, const Eigen::MatrixXd& data,
                                   const Eigen::MatrixXd& noise) {
  const Eigen::MatrixXd covariance = inverse + inverse * (noise - data) * inverse;
  return 0.5 * (covariance + covariance.transpose());
}

Eigen::MatrixXd ColouredCovariance(const LinearRegression& regression,
                                   const LeastSquaresSolution& solution,
                                   const Eigen::Ref<const Eigen::VectorXd>& weights,
                                   const std::vector<Eigen::VectorXd>& autocovariance) {
  return SandwichCovariance(solution.inverse, regression.WeightedSums(weights).AtA,
                            ColouredSums(regression, weights, autocovariance));
}

}  // namespace idbench
