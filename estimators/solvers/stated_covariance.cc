#include "estimators/solvers/stated_covariance.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "estimators/solvers/coloured_noise.h"
#include "estimators/solvers/covariance_root.h"
#include "estimators/solvers/in_coordinates.h"
#include "estimators/solvers/residual_statistics.h"
#include "estimators/solvers/systematic_residuals.h"

namespace idbench {
namespace {

/// A variance that changes by less changes σ by less than a fifth.
constexpr double kMaterial = 0.5;
/// rms of what features move the unknowns by, in σ of the noise, above which σ is withheld: it
/// would then tell the error of the model.
constexpr double kMostShift = 2.0;
constexpr std::size_t kShownFindings = 3;
/// Of residuals over the declared σ, squared: data without noise.
constexpr double kNegligibleSquare = 0.01;
constexpr int kReweightingsByNoise = 3;
constexpr double kMostWeightRatio = 1e8;
/// Of eigenvalues that are 1.
constexpr double kRoundOff = 1e-6;

/// The upper one of two in the middle.
double MedianOf(Eigen::VectorXd values) {
  const auto middle = values.begin() + values.size() / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// What a covariance P = L·Lᵀ states, seen along the eigenvectors U of A = LᵀDL = U·diag(a)·Uᵀ.
class Sandwich {
 public:
  Sandwich(const Eigen::MatrixXd& P, const Eigen::MatrixXd& data) : root_(RootWithoutRoundOff(P)) {
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(root_.transpose() * data * root_);
    const Eigen::ArrayXd a = eigen.eigenvalues().array().max(0.0);
    along_ = root_ * eigen.eigenvectors();
    rest_ = (1.0 - a).max(0.0);
    scale_ = a.max(1.0).sqrt().inverse();
    wanders_ = a.maxCoeff() > 1.0 + kRoundOff;
  }

  /// Returns C(M) = L (1 − Q A Q + Q LᵀML Q) Lᵀ.
  Eigen::MatrixXd operator()(const Eigen::MatrixXd& noise) const { return Outside(Inside(noise)); }
  /// Returns the least C ≥ C(`least`) that has all eigenvalues of C(`noise`) beside C(`least`) that
  /// are above 1.
  Eigen::MatrixXd NoLess(const Eigen::MatrixXd& noise, const Eigen::MatrixXd& least) const {
    const Eigen::LLT<Eigen::MatrixXd> root(Inside(least));
    if (root.info() != Eigen::Success) return (*this)(noise);
    const Eigen::MatrixXd half = root.matrixL().solve(Inside(noise));
    const Eigen::MatrixXd beside = root.matrixL().solve(half.transpose());
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(beside);
    const Eigen::MatrixXd axes = root.matrixL() * eigen.eigenvectors();
    return Outside(axes * eigen.eigenvalues().cwiseMax(1.0).asDiagonal() * axes.transpose());
  }

  /// Returns true if P states more than all data leave: a filter that lets the unknowns wander.
  bool wanders() const { return wanders_; }
  /// Returns L Q² Lᵀ: what P would be if it did not.
  Eigen::MatrixXd OfFit() const {
    return along_ * scale_.cwiseAbs2().asDiagonal() * along_.transpose();
  }
  /// Returns the step to the fit of all data, along what wanders.
  /// @param gradient  Σ_j w_j·Aᵀ W_jᵀ e_j.
  Eigen::VectorXd ToFit(const Eigen::VectorXd& gradient) const {
    const Eigen::VectorXd step =
        scale_.unaryExpr([](double scale) { return scale < 1.0 ? scale * scale : 0.0; });
    return along_ * (step.asDiagonal() * (along_.transpose() * gradient));
  }

 private:
  Eigen::MatrixXd Inside(const Eigen::MatrixXd& noise) const {
    Eigen::MatrixXd inner =
        scale_.asDiagonal() * (along_.transpose() * noise * along_) * scale_.asDiagonal();
    inner.diagonal() += rest_;
    return inner;
  }
  Eigen::MatrixXd Outside(const Eigen::MatrixXd& inner) const {
    const Eigen::MatrixXd covariance = along_ * inner * along_.transpose();
    return 0.5 * (covariance + covariance.transpose());
  }

  Eigen::MatrixXd root_, along_;  ///< L, L·U.
  Eigen::VectorXd rest_, scale_;  ///< Diagonals of 1 − Q A Q and Q.
  bool wanders_;
};

/// The fit whose rows weigh as their residuals say: otherwise the noise of a row with much of it
/// moves x so that it shows in the residuals of the others, and is as slow as their columns.
/// @param squares  of the residuals of `solution`, per row.
WeightedFit WeightedByNoise(const LinearRegression& regression, LeastSquaresSolution solution,
                            Eigen::VectorXd squares) {
  const Eigen::VectorXd freedom = DegreesOfFreedom(regression.counts(), regression.unknowns());
  Eigen::VectorXd weights;
  for (int k = 0; k < kReweightingsByNoise; ++k) {
    const Eigen::ArrayXd variance = squares.cwiseMax(0.0).cwiseQuotient(freedom);
    const double most = variance.maxCoeff();
    weights = most > 0.0 ? Eigen::VectorXd(most / variance.max(most / kMostWeightRatio))
                         : Eigen::VectorXd(Eigen::VectorXd::Ones(squares.size()));
    const LeastSquaresSolution last = std::exchange(solution, regression.Solve(weights));
    squares = regression.MovedSquares(squares, last, solution);
  }
  return {solution.x, solution.inverse, weights, Filled(regression.Residuals(solution.x))};
}

/// Returns true if residuals are so small beside the declared σ that they tell nothing about it.
bool AreNegligible(const RegressionRows& regression, const Eigen::VectorXd& squares) {
  const Eigen::ArrayXd sigma = regression.sample_sigma().array();
  return sigma.size() > 0 &&
         (squares.array() < kNegligibleSquare * regression.counts().array() * sigma.square()).all();
}

/// γ of each row if its noise had the variance `variance[j]` and were as declared: independent, or
/// of the shape that processing gave it.
std::vector<Eigen::VectorXd> NoiseAsDeclared(const RegressionRows& regression,
                                             const Eigen::VectorXd& variance) {
  std::vector<Eigen::VectorXd> noise = regression.declared_autocovariance();
  noise.resize(static_cast<std::size_t>(variance.size()), Eigen::VectorXd::Ones(1));
  for (Eigen::Index j = 0; j < variance.size(); ++j) {
    Eigen::VectorXd& gamma = noise[static_cast<std::size_t>(j)];
    gamma *= variance[j] / gamma[0];
  }
  return noise;
}

/// The unknown whose variance differs most from another one, and its ratio to that.
struct MostChanged {
  Eigen::Index unknown = 0;
  double ratio = 1.0;
};
MostChanged MostChangedOf(const Eigen::MatrixXd& covariance, const Eigen::MatrixXd& reference) {
  const Eigen::VectorXd ratio = covariance.diagonal().binaryExpr(
      reference.diagonal(), [](double a, double b) { return b > 0.0 ? a / b : 1.0; });
  MostChanged most;
  (ratio.array() - 1.0).abs().maxCoeff(&most.unknown);
  most.ratio = ratio[most.unknown];
  return most;
}

Eigen::VectorXd VariancesOf(const std::vector<Eigen::VectorXd>& noise) {
  Eigen::VectorXd variance(std::ssize(noise));
  for (Eigen::Index j = 0; j < variance.size(); ++j) {
    variance[j] = noise[static_cast<std::size_t>(j)][0];
  }
  return variance;
}

ResidualStatistics JudgeOf(const RegressionRows& rows,
                           const std::vector<Eigen::MatrixXd>& residuals) {
  return JudgeResiduals(residuals, rows.counts(), rows.unknowns(), rows.declared_autocovariance());
}

/// The first behind which the others stand.
std::string TextOf(const std::vector<std::string>& findings) {
  const std::size_t shown = std::min(kShownFindings, findings.size());
  std::string text = findings.front();
  for (std::size_t k = 1; k < shown; ++k) text += (k == 1 ? "; also " : ", ") + findings[k];
  const std::size_t more = findings.size() - shown;
  return more > 0 ? fmt::format("{} and {} more", text, more) : text;
}

}  // namespace

CovarianceReview ReviewCovariance(const LinearRegression& regression, WeightedFit fit,
                                  const WeightedFit* noise_fit) {
  CovarianceReview review;
  review.beside_coloured = !regression.declared_autocovariance().empty();
  const NormalEquations sums = regression.WeightedSums(fit.weights);
  const Sandwich sandwich(fit.inverse, sums.AtA);
  if (sandwich.wanders()) {
    fit.inverse = sandwich.OfFit();
    fit.x += sandwich.ToFit(sums.Aty - sums.AtA * fit.x);
    fit.residuals = Filled(regression.Residuals(fit.x));
  }
  const WeightedFit& telling = noise_fit != nullptr ? *noise_fit : fit;
  // What a filter forgot is slow in its own residuals and, with equal weights, the noise of a loud
  // row in those of a quiet one.
  const bool others = noise_fit != nullptr || sandwich.wanders();
  if (others && !JudgeOf(regression, telling.residuals).correlated) return review;
  ResidualSpectrum spectrum(telling.residuals, regression.counts());
  const std::vector<Eigen::VectorXd> column_correlation = ColumnCorrelation(regression, telling);
  spectrum.Correct(column_correlation);
  const std::vector<Eigen::VectorXd> noise = spectrum.Autocovariance();
  const Eigen::MatrixXd as_declared =
      ColouredSums(regression, fit.weights, NoiseAsDeclared(regression, VariancesOf(noise)));
  Eigen::MatrixXd covariance =
      sandwich.NoLess(ColouredSums(regression, fit.weights, noise), as_declared);
  const MostChanged most = MostChangedOf(covariance, sandwich(as_declared));
  review.variance_ratio = most.ratio;
  review.most_changed = regression.names()[static_cast<std::size_t>(most.unknown)];
  review.correlated = most.ratio > 1.0 + kMaterial;
  if (!review.correlated) return review;
  SystematicResiduals systematic = FindSystematic(regression, telling, column_correlation, fit,
                                                  covariance.diagonal().cwiseMax(0.0).cwiseSqrt());
  review.findings = std::move(systematic.findings);
  review.shift_in_sigma = systematic.shift_in_sigma;
  review.withheld = review.shift_in_sigma > kMostShift;
  if (review.withheld) return review;
  if (!review.findings.empty()) covariance += systematic.shift * systematic.shift.transpose();
  review.covariance = std::move(covariance);
  return review;
}

void RecordReview(const CovarianceReview& review, Estimate& estimate) {
  if (!review.correlated) return;
  estimate.covariance = review.covariance;
  estimate.diagnostics["long_run_variance_ratio"] = review.variance_ratio;
  if (!review.findings.empty()) {
    estimate.diagnostics["systematic_shift_sigma"] = review.shift_in_sigma;
    estimate.notes["residuals"] = TextOf(review.findings);
  }
  if (review.withheld) {
    const std::string why = fmt::format(
        "residuals follow what no σ covers; {}; this moves the unknowns by {:.2g} times the σ of "
        "correlated noise",
        TextOf(review.findings), review.shift_in_sigma);
    estimate.notes["sigma"] = "withheld: " + why;
    estimate.notes["covariance"] = "none stated: " + why;
  } else {
    estimate.notes["sigma"] = fmt::format(
        "that of residuals correlated in time{}; the variance of {} is {:.3g} times that of {}",
        review.findings.empty() ? "" : ", and what they follow", review.most_changed,
        review.variance_ratio,
        review.beside_coloured ? "noise as processing coloured it" : "independent samples");
  }
  if (estimate.diagnostics.contains("normalised_innovation_squared")) {
    estimate.notes["innovations"] =
        "their size is no evidence for σ, as residuals are correlated in time";
  }
}

void ReviewResiduals(const LinearRegression& regression, const ResidualStatistics& statistics,
                     WeightedFit fit, Estimate& estimate, std::string_view unknown) {
  if (!statistics.correlated || AreNegligible(regression, statistics.squares)) return;
  CovarianceReview review = ReviewCovariance(regression, std::move(fit));
  if (!unknown.empty()) review.most_changed = unknown;
  RecordReview(review, estimate);
}

void ReviewStated(const Problem& problem, std::span<const Dataset> datasets, StatedFor noise,
                  Estimate& estimate) {
  if (!estimate.ok() || !estimate.covariance ||
      HaveRowsFrom(problem.equations(), RowsFrom::kStateRows)) {
    return;
  }
  std::optional<Problem> tangent;
  if (problem.parameters.affine() == nullptr) tangent = LinearisedAt(problem, estimate.x);
  const Problem& affine = tangent ? *tangent : problem;
  const RegressionRows rows(affine, datasets);
  if (rows.declared_sigma().size() == 0) return;
  const bool recolour = noise == StatedFor::kWhiteNoise && !rows.declared_autocovariance().empty();
  std::vector<Eigen::MatrixXd> residuals = Filled(rows.Residuals(estimate.x));
  const ResidualStatistics statistics = JudgeOf(rows, residuals);
  const bool tells = !problem.parameters.changes && statistics.correlated;
  if (!tells && !recolour) return;
  const LinearRegression regression(affine, datasets);
  const Eigen::VectorXd weights = rows.declared_sigma().array().square().inverse();
  WeightedFit fit{estimate.x, *estimate.covariance, weights, std::move(residuals)};
  if (recolour) {
    estimate.covariance =
        UnderDeclaredShape(regression, fit.inverse, weights, rows.sample_sigma().cwiseAbs2());
  }
  if (tells) ReviewResiduals(regression, statistics, std::move(fit), estimate);
}

Eigen::MatrixXd UnderDeclaredShape(const LinearRegression& regression,
                                   const Eigen::MatrixXd& inverse,
                                   const Eigen::Ref<const Eigen::VectorXd>& weights,
                                   const Eigen::Ref<const Eigen::VectorXd>& variance) {
  if (regression.declared_autocovariance().empty()) return inverse;
  return SandwichCovariance(
      inverse, regression.WeightedSums(weights).AtA,
      ColouredSums(regression, weights, NoiseAsDeclared(regression, variance)));
}

void StateSolver(const LeastSquaresSolution& solution, Estimate& estimate) {
  estimate.diagnostics["condition"] = solution.condition;
  if (solution.by_qr) {
    estimate.notes["solver"] = "QR: the scaled columns have a condition above 1e6";
  }
}

void StateCovariance(const LinearRegression& regression, const LeastSquaresSolution& solution,
                     const Eigen::Ref<const Eigen::VectorXd>& weights, Estimate& estimate) {
  StateSolver(solution, estimate);
  std::vector<Eigen::MatrixXd> residuals = Filled(regression.Residuals(solution.x));
  const ResidualStatistics statistics = JudgeResiduals(
      residuals, regression.counts(), regression.unknowns(), regression.declared_autocovariance());
  const Eigen::VectorXd variance = statistics.Variance();
  const Eigen::MatrixXd independent = regression.Covariance(solution, weights, variance);
  const Eigen::MatrixXd long_run =
      regression.Covariance(solution, weights, variance.cwiseProduct(statistics.long_run_ratio));
  estimate.diagnostics["long_run_variance_ratio"] = MostChangedOf(long_run, independent).ratio;
  estimate.covariance = regression.declared_autocovariance().empty()
                            ? independent
                            : UnderDeclaredShape(regression, solution.inverse, weights, variance);
  if (statistics.correlated) {
    const WeightedFit telling = WeightedByNoise(regression, solution, statistics.squares);
    RecordReview(
        ReviewCovariance(regression, {solution.x, solution.inverse, weights, std::move(residuals)},
                         &telling),
        estimate);
  }
  if (!estimate.covariance) return;
  const double percent_sigma = MedianOf(*estimate.percent_sigma());
  if (std::isfinite(percent_sigma)) estimate.diagnostics["percent_sigma_median"] = percent_sigma;
}

void ReviewStated(const std::optional<SeenUnknowns>& seen, const Problem& problem,
                  std::span<const Dataset> datasets, StatedFor noise, Estimate& estimate) {
  if (!seen) return ReviewStated(problem, datasets, noise, estimate);
  if (!estimate.combinations || !estimate.combinations->covariance) return;
  estimate = OfSeen(*seen, std::move(estimate));
  ReviewStated(seen->problem, datasets, noise, estimate);
  estimate = CarriedOver(*seen, std::move(estimate));
}

}  // namespace idbench
