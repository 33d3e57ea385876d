#include "estimators/batch/irls.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "estimators/solvers/seen_unknowns.h"
#include "estimators/solvers/stated_covariance.h"

namespace idbench {
namespace {

/// Median of |u| of a standard normal u.
constexpr double kNormalMedian = 0.6745;
/// Part of the weighted prediction by which a round that ends the fit moves it at most.
constexpr double kSameFit = 1e-6;
/// Scales below this part of a row's signal are round-off.
constexpr double kScaleRoundOff = 1e-12;

/// φ, ψ and ψ′ of one of the two losses, at u = e/s.
struct Loss {
  double tuning;
  bool bisquare;

  double Weight(double u) const {
    const double size = std::abs(u);
    if (!bisquare) return size <= tuning ? 1.0 : tuning / size;
    const double left = 1.0 - size * size / (tuning * tuning);
    return size < tuning ? left * left : 0.0;
  }
  double Influence(double u) const { return u * Weight(u); }
  double Slope(double u) const {
    if (!bisquare) return std::abs(u) <= tuning ? 1.0 : 0.0;
    const double square = u * u / (tuning * tuning);
    return square < 1.0 ? (1.0 - square) * (1.0 - 5.0 * square) : 0.0;
  }
};

/// s_j of each row, limited below by round-off and by the cap.
Eigen::VectorXd Scales(const std::vector<Eigen::MatrixXd>& residuals,
                       const Eigen::VectorXd& mean_square, double ratio_cap) {
  Eigen::VectorXd scales(mean_square.size());
  std::vector<double> sizes;
  for (Eigen::Index row = 0; row < scales.size(); ++row) {
    sizes.clear();
    for (const Eigen::MatrixXd& e : residuals) {
      for (const double value : e.col(row)) {
        if (!std::isnan(value)) sizes.push_back(std::abs(value));
      }
    }
    const auto middle = sizes.begin() + std::ssize(sizes) / 2;
    std::ranges::nth_element(sizes, middle);
    scales[row] = std::max(*middle / kNormalMedian, kScaleRoundOff * std::sqrt(mean_square[row]));
  }
  const double largest = scales.maxCoeff();
  if (!(largest > 0.0)) return Eigen::VectorXd::Ones(scales.size());
  return scales.cwiseMax(largest / std::sqrt(ratio_cap));
}

/// Returns of(e_ij/s_j, s_j), 0 for what does not count.
template <class Function>
std::vector<Eigen::MatrixXd> Each(std::vector<Eigen::MatrixXd> residuals,
                                  const Eigen::VectorXd& scales, const Function& of) {
  for (Eigen::MatrixXd& part : residuals) {
    for (Eigen::Index row = 0; row < part.cols(); ++row) {
      for (double& e : part.col(row)) {
        e = std::isnan(e) ? 0.0 : of(e / scales[row], scales[row]);
      }
    }
  }
  return residuals;
}

/// Mean over the samples of each row that count.
Eigen::VectorXd Means(const std::vector<Eigen::MatrixXd>& values, const Eigen::VectorXd& counts) {
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(counts.size());
  for (const Eigen::MatrixXd& part : values) sum += part.colwise().sum().transpose();
  return sum.cwiseQuotient(counts);
}

/// The fit when it ended.
struct Ended {
  std::vector<Eigen::MatrixXd> residuals;
  Eigen::VectorXd scales;
  Loss loss;
};

void StateRobustCovariance(const LinearRegression& regression, const Ended& ended,
                           Estimate& estimate) {
  const auto& [residuals, scales, loss] = ended;
  const Eigen::VectorXd slope =
      Means(Each(residuals, scales, [&](double u, double) { return loss.Slope(u); }),
            regression.counts());
  if (!(slope.array() > 0.0).all()) {
    estimate.notes["covariance"] =
        "none stated: most residuals of a row are outliers, whose scale tells nothing";
    return;
  }
  // What a sample moves x by, as a residual of weighted least squares would.
  std::vector<Eigen::MatrixXd> influence =
      Each(residuals, scales, [&](double u, double scale) { return scale * loss.Influence(u); });
  for (Eigen::MatrixXd& part : influence) part *= slope.cwiseInverse().asDiagonal();
  const Eigen::VectorXd weights = slope.array() / scales.array().square();
  const LeastSquaresSolution shape = regression.Solve(weights);
  StateSolver(shape, estimate);
  const ResidualStatistics statistics = JudgeResiduals(
      influence, regression.counts(), regression.unknowns(), regression.declared_autocovariance());
  const Eigen::VectorXd variance = statistics.Variance();
  estimate.covariance = regression.declared_autocovariance().empty()
                            ? regression.Covariance(shape, weights, variance)
                            : UnderDeclaredShape(regression, shape.inverse, weights, variance);
  ReviewResiduals(regression, statistics,
                  {estimate.x, shape.inverse, weights, std::move(influence)}, estimate);
}

}  // namespace

FieldTable Visit(IrlsOptions& o) {
  FieldTable table;
  table.Add("huber", o.huber,
            {.doc = "Residual over its scale above which Huber's weight falls, as 1/|u|",
             .lower = 0.0,
             .lower_open = true});
  table.Add("huber_rounds", o.huber_rounds,
            {.doc = "Rounds with Huber's weights, before those with the bisquare", .lower = 0});
  table.Add("bisquare", o.bisquare,
            {.doc = "Residual over its scale from which on the bisquare leaves a row out",
             .lower = 0.0,
             .lower_open = true});
  table.Add("bisquare_rounds", o.bisquare_rounds,
            {.doc = "Rounds with the bisquare after which a fit that still moves has not converged",
             .lower = 1});
  table.Add("weight_ratio_cap", o.weight_ratio_cap,
            {.doc = "Greatest ratio between 1/scale² of two equation rows", .lower = 1.0});
  AddParallelFilter(o.parallel_filter, table);
  return table;
}

EstimatorNeeds Irls::needs() const {
  return FilteredNeeds(options_.parallel_filter, {Capability::kAffine});
}

Estimate Irls::Identify(const Problem& problem, std::span<const Dataset> datasets) {
  return EstimateSeen(problem, datasets, options_.parallel_filter,
                      [this](const LinearRegression& regression) { return Fit(regression); });
}

Estimate Irls::Fit(const LinearRegression& regression) const {
  Estimate estimate;
  estimate.x = regression.Solve(Eigen::VectorXd::Ones(regression.row_count())).x;
  Ended ended{regression.Residuals(estimate.x), {}, {options_.huber, false}};
  double moved = 0.0;
  for (int round = 1;; ++round) {
    if (round > options_.huber_rounds + options_.bisquare_rounds) {
      throw EstimationFailure(
          Outcome::kNotConverged,
          fmt::format("the prediction still moves by {:.2g} of itself after {} rounds with the "
                      "bisquare; set \"bisquare_rounds\" higher, or \"bisquare\", so that fewer "
                      "rows are left out",
                      moved, options_.bisquare_rounds));
    }
    if (round > options_.huber_rounds) ended.loss = {options_.bisquare, true};
    ended.scales = Scales(ended.residuals, regression.mean_square(), options_.weight_ratio_cap);
    const std::vector<Eigen::MatrixXd> weights =
        Each(ended.residuals, ended.scales,
             [&](double u, double scale) { return ended.loss.Weight(u) / (scale * scale); });
    const Eigen::VectorXd step = regression.SolveStep(Filled(ended.residuals), weights).x;
    estimate.x += step;
    ended.residuals = regression.Residuals(estimate.x);
    estimate.diagnostics["reweightings"] = round;
    const Eigen::MatrixXd AtA =
        regression.WeightedSums(ended.scales.array().square().inverse()).AtA;
    moved = std::sqrt(std::max(step.dot(AtA * step) / estimate.x.dot(AtA * estimate.x), 0.0));
    if (ended.loss.bisquare && moved <= kSameFit) break;
  }
  const std::vector<Eigen::MatrixXd> left_out =
      Each(ended.residuals, ended.scales,
           [&](double u, double) { return ended.loss.Weight(u) == 0.0 ? 1.0 : 0.0; });
  estimate.diagnostics["left_out_fraction"] =
      Means(left_out, regression.counts()).dot(regression.counts()) / regression.counts().sum();
  StateRobustCovariance(regression, ended, estimate);
  return estimate;
}

}  // namespace idbench
