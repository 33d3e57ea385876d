#include "estimators/solvers/residual_noise.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <unsupported/Eigen/FFT>

#include "estimators/solvers/covariance_root.h"
#include "estimators/solvers/residual_statistics.h"

namespace idbench {
namespace {

constexpr Eigen::Index kMostOrder = 400;
/// Lags over which the columns' own correlation is looked at; more would only sharpen h(f).
constexpr Eigen::Index kColumnLags = 512;
constexpr Eigen::Index kMostLags = 8192;
constexpr double kNegligible = 1e-4;  ///< Of γ_0.
/// What a fit leaves of a frequency, at least: below, the residuals say nothing about it.
constexpr double kLeastLeft = 0.1;

Eigen::Index TransformSize(Eigen::Index samples) {
  return static_cast<Eigen::Index>(std::bit_ceil(static_cast<std::size_t>(samples)));
}

/// Σ_t a_t·a_{t−l} over columns a that arrive in blocks, l = 0 … L.
class LaggedGram {
 public:
  LaggedGram(Eigen::Index lags, Eigen::Index block, Eigen::Index columns)
      : past_(Eigen::MatrixXd::Zero(lags, columns)),
        spectrum_(Eigen::VectorXcd::Zero(TransformSize(block + 2 * lags))) {}

  void BeginDataset() { past_.setZero(); }

  void Add(const Eigen::MatrixXd& columns) {
    const Eigen::Index lags = past_.rows(), count = columns.rows();
    Eigen::MatrixXd stacked(lags + count, columns.cols());
    stacked << past_, columns;
    Eigen::VectorXcd early, late;
    for (Eigen::Index k = 0; k < columns.cols(); k += 2) {
      Eigen::VectorXcd both = Eigen::VectorXcd::Zero(spectrum_.size());
      both.head(stacked.rows()).real() = stacked.col(k);
      if (k + 1 < columns.cols()) both.head(stacked.rows()).imag() = stacked.col(k + 1);
      fft_.fwd(early, both);
      both.head(lags).setZero();
      fft_.fwd(late, both);
      spectrum_ += late.cwiseProduct(early.conjugate());
    }
    past_ = stacked.bottomRows(lags);
  }

  Eigen::VectorXd Sums() {
    Eigen::VectorXcd sums;
    fft_.inv(sums, spectrum_);
    return sums.head(past_.rows() + 1).real();
  }

 private:
  Eigen::MatrixXd past_;
  Eigen::VectorXcd spectrum_;
  Eigen::FFT<double> fft_;
};

/// Transform of a symmetric sequence c_0 … c_L, with a triangular taper: never negative where c is
/// an autocorrelation.
Eigen::VectorXd TaperedSpectrum(const Eigen::VectorXd& c, Eigen::Index size) {
  Eigen::VectorXcd sequence = Eigen::VectorXcd::Zero(size), spectrum;
  const Eigen::Index lags = std::min(c.size(), size / 2);
  for (Eigen::Index l = 0; l < lags; ++l) {
    const double taper = 1.0 - static_cast<double>(l) / static_cast<double>(lags);
    sequence[l] = taper * c[l];
    if (l > 0) sequence[size - l] = sequence[l];
  }
  Eigen::FFT<double> fft;
  fft.fwd(spectrum, sequence);
  return spectrum.real();
}

}  // namespace

std::vector<Eigen::VectorXd> ColumnCorrelation(const LinearRegression& regression,
                                               const WeightedFit& fit) {
  const Eigen::Index lags = std::clamp<Eigen::Index>(regression.samples() - 1, 1, kColumnLags);
  std::vector<Eigen::MatrixXd> roots;  // of N⁻¹ in the unknowns that enter a row
  std::vector<LaggedGram> grams;
  const Eigen::Index block = std::max<Eigen::Index>(kColumnLags, 2 * lags);
  for (int row = 0; row < regression.row_count(); ++row) {
    const std::vector<int>& in = regression.UnknownsIn(row);
    roots.push_back(RootWithoutRoundOff(fit.inverse(in, in)));
    grams.emplace_back(lags, block, roots.back().cols());
  }
  regression.VisitColumns(block, [&](const RowColumns& columns) {
    LaggedGram& gram = grams[static_cast<std::size_t>(columns.row)];
    if (columns.first == 0) gram.BeginDataset();
    gram.Add(columns.A(Eigen::all, regression.UnknownsIn(static_cast<int>(columns.row))) *
             roots[static_cast<std::size_t>(columns.row)]);
  });
  std::vector<Eigen::VectorXd> sums;
  for (LaggedGram& gram : grams) {
    sums.emplace_back(fit.weights[std::ssize(sums)] * gram.Sums());
  }
  return sums;
}

ResidualSpectrum::ResidualSpectrum(const std::vector<Eigen::MatrixXd>& residuals,
                                   const Eigen::VectorXd& counts)
    : counts_(counts) {
  for (const Eigen::MatrixXd& part : residuals) longest_ = std::max(longest_, part.rows());
  size_ = TransformSize(2 * longest_);
  const auto fewest = static_cast<Eigen::Index>(counts.minCoeff());
  most_lags_ = std::clamp<Eigen::Index>(fewest / 8, 1, std::min(kMostOrder, longest_ - 1));
  power_.assign(static_cast<std::size_t>(counts.size()), Eigen::VectorXd::Zero(size_));
  Eigen::FFT<double> fft;
  Eigen::VectorXcd spectrum;
  for (const Eigen::MatrixXd& part : residuals) {
    for (std::size_t row = 0; row < power_.size(); ++row) {
      Eigen::VectorXcd padded = Eigen::VectorXcd::Zero(size_);
      padded.head(part.rows()).real() = part.col(static_cast<Eigen::Index>(row));
      fft.fwd(spectrum, padded);
      power_[row] += spectrum.cwiseAbs2();
    }
  }
}

Eigen::VectorXd ResidualSpectrum::Lags(Eigen::Index row) const {
  Eigen::FFT<double> fft;
  Eigen::VectorXcd lags;
  fft.inv(lags, power_[static_cast<std::size_t>(row)].cast<std::complex<double>>().eval());
  return lags.head(most_lags_ + 1).real() / counts_[row];
}

void ResidualSpectrum::Correct(const std::vector<Eigen::VectorXd>& column_correlation) {
  for (std::size_t row = 0; row < power_.size(); ++row) {
    const double count = counts_[static_cast<Eigen::Index>(row)];
    const Eigen::ArrayXd left =
        1.0 - TaperedSpectrum(column_correlation[row], size_).array() / count;
    power_[row].array() /= left.max(kLeastLeft);
  }
}

std::vector<Eigen::VectorXd> ResidualSpectrum::Autocovariance() const {
  std::vector<Eigen::VectorXd> rows;
  for (Eigen::Index row = 0; row < counts_.size(); ++row) {
    const Eigen::VectorXd estimated = Lags(row);
    if (!(estimated[0] > 0.0)) {
      rows.emplace_back(Eigen::VectorXd::Zero(1));
      continue;
    }
    const std::vector<Autoregression> models = Autoregressions(estimated);
    Eigen::Index best = 0;
    double least = counts_[row] * std::log(models[0].v);
    for (Eigen::Index k = 1; k < std::ssize(models); ++k) {
      const double akaike = counts_[row] * std::log(models[static_cast<std::size_t>(k)].v) +
                            2.0 * static_cast<double>(k);
      if (akaike < least) {
        least = akaike;
        best = k;
      }
    }
    // A model of order k reproduces γ̂_0 … γ̂_k (Yule & Walker), and goes on by its recursion.
    const Eigen::VectorXd& a = models[static_cast<std::size_t>(best)].a;
    Eigen::VectorXd gamma = Eigen::VectorXd::Zero(std::min(longest_, kMostLags));
    gamma.head(best + 1) = estimated.head(best + 1);
    Eigen::Index last = best;
    for (Eigen::Index k = best + 1; k < gamma.size() && best > 0; ++k) {
      gamma[k] = a.dot(gamma.segment(k - best, best).reverse());
      if (std::abs(gamma[k]) > kNegligible * gamma[0]) last = k;
    }
    rows.emplace_back(gamma.head(last + 1));
  }
  return rows;
}

double LongRunRatio(const Eigen::VectorXd& autocovariance) {
  if (!(autocovariance[0] > 0.0)) return 1.0;
  return 2.0 * autocovariance.sum() / autocovariance[0] - 1.0;
}

}  // namespace idbench
