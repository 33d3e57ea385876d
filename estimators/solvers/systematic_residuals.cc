#include "estimators/solvers/systematic_residuals.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>

#include "estimators/solvers/coloured_noise.h"
#include "estimators/solvers/residual_statistics.h"

namespace idbench {
namespace {

constexpr double kFalseFindings = 1e-3;  ///< Of fits.
/// Part of a feature that the columns must leave, for it to be told from them.
constexpr double kLeastNew = 0.02;
constexpr double kLeastFreedom = 3.0;
constexpr Eigen::Index kFeatureBlock = 512;

/// One row of one dataset as features see it.
struct RowMotion {
  Eigen::VectorXd q, qd, qdd;  ///< Of its joint; empty without one.
  Eigen::VectorXd derivative;  ///< Of the predicted side [1/s].
};

struct Feature {
  const char* words;
  Eigen::VectorXd (*of)(const RowMotion& motion);
  bool of_joint = true;
};

const std::array kFeatures = std::to_array<Feature>({
    {"are a constant (bias, or an offset missing?)",
     [](const RowMotion& m) -> Eigen::VectorXd {
       return Eigen::VectorXd::Ones(m.derivative.size());
     },
     false},
    {"follow dτ/dt (delay?)", [](const RowMotion& m) { return m.derivative; }, false},
    {"follow sign(q̇) (Coulomb friction missing?)",
     [](const RowMotion& m) -> Eigen::VectorXd { return m.qd.array().sign(); }},
    {"follow q̇ (viscous friction missing?)", [](const RowMotion& m) { return m.qd; }},
    {"follow q̈ (rotor inertia missing?)", [](const RowMotion& m) { return m.qdd; }},
    {"follow sin(q) (gravity, payload or encoder?)",
     [](const RowMotion& m) -> Eigen::VectorXd { return m.q.array().sin(); }},
    {"follow cos(q) (gravity, payload or encoder?)",
     [](const RowMotion& m) -> Eigen::VectorXd { return m.q.array().cos(); }},
});

/// A column of F: a feature of a row.
struct Candidate {
  Eigen::Index row;
  const Feature* feature;
};

/// dv/dt by central differences.
Eigen::VectorXd Derivative(const Eigen::VectorXd& v, const Eigen::VectorXd& time_s) {
  const Eigen::Index last = v.size() - 1;
  Eigen::VectorXd d = Eigen::VectorXd::Zero(v.size());
  for (Eigen::Index i = 0; i <= last && last > 0; ++i) {
    const Eigen::Index a = std::max<Eigen::Index>(i - 1, 0), b = std::min(i + 1, last);
    d[i] = (v[b] - v[a]) / (time_s[b] - time_s[a]);
  }
  return d;
}

/// Features of rows as further columns F of a fit.
class FeatureColumns {
 public:
  FeatureColumns(const LinearRegression& regression, const WeightedFit& fit)
      : regression_(regression), fit_(fit) {
    for (int row = 0; row < regression.row_count(); ++row) {
      for (const Feature& feature : kFeatures) {
        if (feature.of_joint && regression.JointOf(row) < 0) continue;
        candidates_.push_back({row, &feature});
      }
    }
    Evaluate();
    Project();
    KeepNew();
  }

  Eigen::Index size() const { return std::ssize(candidates_); }
  const Candidate& operator[](Eigen::Index k) const {
    return candidates_[static_cast<std::size_t>(k)];
  }

  /// Returns Σ_j w_j F_jᵀ e_j.
  Eigen::VectorXd Products(const std::vector<Eigen::MatrixXd>& residuals) const {
    Eigen::VectorXd sums = Eigen::VectorXd::Zero(size());
    for (std::size_t d = 0; d < values_.size(); ++d) {
      for (Eigen::Index k = 0; k < size(); ++k) {
        const Eigen::Index row = (*this)[k].row;
        sums[k] += fit_.weights[row] * values_[d].col(k).dot(residuals[d].col(row));
      }
    }
    return sums;
  }
  /// Returns S⁻¹·`right`.
  Eigen::MatrixXd Solve(const Eigen::MatrixXd& right) const { return left_.ldlt().solve(right); }
  /// Returns −N⁻¹ G θ: what the unknowns of a fit with any weights move by.
  Eigen::VectorXd Shift(Eigen::VectorXd theta, const WeightedFit& moved) const {
    for (Eigen::Index k = 0; k < size(); ++k) {  // G holds the weight of the feature's row
      const Eigen::Index row = (*this)[k].row;
      theta[k] *= moved.weights[row] / fit_.weights[row];
    }
    return -moved.inverse * (products_ * theta);
  }

  /// Returns what is left of the residuals beside the features, 0 where a row is left out.
  std::vector<Eigen::MatrixXd> Left(const Eigen::VectorXd& theta) const {
    std::vector<Eigen::MatrixXd> left = regression_.Residuals(fit_.x + Shift(theta, fit_));
    for (std::size_t d = 0; d < left.size(); ++d) {
      for (Eigen::Index k = 0; k < size(); ++k) {
        left[d].col((*this)[k].row) -= theta[k] * values_[d].col(k);
      }
      FillGaps(left[d]);
    }
    return left;
  }

  /// Returns the covariance of Σ_j w_j F̃_jᵀ e_j, F̃ = F − W A N⁻¹ G.
  Eigen::MatrixXd ColouredProducts(const std::vector<Eigen::VectorXd>& autocovariance) const {
    const Eigen::MatrixXd explained = fit_.inverse * products_;
    std::vector<ToeplitzGram> grams;
    Eigen::Index block = kFeatureBlock;
    for (const Eigen::VectorXd& gamma : autocovariance) {
      grams.emplace_back(gamma, size());
      block = std::max(block, 2 * gamma.size());
    }
    regression_.VisitColumns(block, [&](const RowColumns& columns) {
      ToeplitzGram& gram = grams[static_cast<std::size_t>(columns.row)];
      if (columns.first == 0) gram.BeginDataset();
      Eigen::MatrixXd projected = -columns.A * explained;
      for (Eigen::Index k = 0; k < size(); ++k) {
        if ((*this)[k].row == columns.row) projected.col(k) += Segment(columns, k);
      }
      gram.Add(projected);
    });
    Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(size(), size());
    for (Eigen::Index row = 0; row < fit_.weights.size(); ++row) {
      sum += std::pow(fit_.weights[row], 2) * grams[static_cast<std::size_t>(row)].Sum();
    }
    return sum;
  }

 private:
  Eigen::VectorXd Segment(const RowColumns& columns, Eigen::Index k) const {
    return values_[static_cast<std::size_t>(columns.dataset)].col(k).segment(columns.first,
                                                                             columns.A.rows());
  }
  /// Values of all candidates, samples × candidates: each enters the row of its candidate alone.
  void Evaluate();
  /// G, and S of all candidates.
  void Project();
  /// Keeps those of which the columns and the others leave something, the newest first.
  void KeepNew();

  const LinearRegression& regression_;
  const WeightedFit& fit_;
  std::vector<Candidate> candidates_;
  std::vector<Eigen::MatrixXd> values_;  ///< F per dataset; 0 where a row is left out.
  Eigen::MatrixXd products_;             ///< G, p × features.
  Eigen::VectorXd squares_;              ///< Diagonal of Fᵀ w F.
  Eigen::MatrixXd left_;                 ///< S.
};

void FeatureColumns::Evaluate() {
  const std::vector<Eigen::MatrixXd> residuals = regression_.Residuals(fit_.x);
  for (std::size_t d = 0; d < residuals.size(); ++d) {
    const SampledStates states = regression_.StatesOf(d);
    Eigen::MatrixXd F(residuals[d].rows(), size());
    for (Eigen::Index k = 0; k < size(); ++k) {
      const auto& [row, feature] = (*this)[k];
      RowMotion motion;
      const int joint = regression_.JointOf(static_cast<int>(row));
      if (joint >= 0) {
        motion = {states.q.col(joint), states.qd.col(joint), states.qdd.col(joint), {}};
      }
      motion.derivative = Derivative(states.y.col(row) - residuals[d].col(row), states.time_s);
      F.col(k) = feature->of(motion);
      for (Eigen::Index i = 0; i < F.rows(); ++i) {
        if (std::isnan(residuals[d](i, row))) F(i, k) = 0.0;
      }
    }
    FillGaps(F);  // beside rows that are left out there is no derivative
    values_.push_back(std::move(F));
  }
}

void FeatureColumns::Project() {
  products_ = Eigen::MatrixXd::Zero(fit_.x.size(), size());
  regression_.VisitColumns(kFeatureBlock, [&](const RowColumns& columns) {
    for (Eigen::Index k = 0; k < size(); ++k) {
      if ((*this)[k].row != columns.row) continue;
      products_.col(k) += fit_.weights[columns.row] * (columns.A.transpose() * Segment(columns, k));
    }
  });
  left_ = -products_.transpose() * fit_.inverse * products_;
  squares_ = Eigen::VectorXd::Zero(size());
  for (Eigen::Index i = 0; i < size(); ++i) {
    for (Eigen::Index k = 0; k < size(); ++k) {
      if ((*this)[i].row != (*this)[k].row) continue;
      double product = 0.0;
      for (const Eigen::MatrixXd& F : values_) product += F.col(i).dot(F.col(k));
      product *= fit_.weights[(*this)[i].row];
      left_(i, k) += product;
      if (i == k) squares_[i] = product;
    }
  }
}

void FeatureColumns::KeepNew() {
  Eigen::MatrixXd remaining = left_;
  std::vector<Eigen::Index> kept;
  for (Eigen::Index step = 0; step < size(); ++step) {
    Eigen::VectorXd part = Eigen::VectorXd::Zero(size());
    for (Eigen::Index k = 0; k < size(); ++k) {
      const bool used = std::ranges::find(kept, k) != kept.end();
      if (!used && squares_[k] > 0.0) part[k] = remaining(k, k) / squares_[k];
    }
    Eigen::Index newest = 0;
    if (!(part.size() > 0 && part.maxCoeff(&newest) > kLeastNew)) break;
    kept.push_back(newest);
    const Eigen::VectorXd column = remaining.col(newest);
    remaining -= column * column.transpose() / column[newest];
  }
  std::ranges::sort(kept);
  std::vector<Candidate> candidates;
  for (const Eigen::Index k : kept) candidates.push_back((*this)[k]);
  candidates_ = std::move(candidates);
  for (Eigen::MatrixXd& F : values_) F = F(Eigen::all, kept).eval();
  products_ = products_(Eigen::all, kept).eval();
  left_ = left_(kept, kept).eval();
}

/// |t| that white noise exceeds with `probability` on either side.
double LimitOfT(double freedom, double probability) {
  const boost::math::students_t t(std::max(freedom, kLeastFreedom));
  return boost::math::quantile(boost::math::complement(t, 0.5 * probability));
}

std::string PlaceOf(const LinearRegression& regression, Eigen::Index row) {
  const int joint = regression.JointOf(static_cast<int>(row));
  return joint >= 0 ? fmt::format("of joint {}", joint + 1)
                    : fmt::format("of equation row {}", row + 1);
}

}  // namespace

SystematicResiduals FindSystematic(const LinearRegression& regression, const WeightedFit& fit,
                                   const std::vector<Eigen::VectorXd>& column_correlation,
                                   const WeightedFit& moved, const Eigen::VectorXd& sigma) {
  const FeatureColumns features(regression, fit);
  if (features.size() == 0) return {};
  const Eigen::VectorXd theta = features.Solve(features.Products(fit.residuals));
  ResidualSpectrum spectrum(features.Left(theta), regression.counts());
  spectrum.Correct(column_correlation);
  const std::vector<Eigen::VectorXd> noise = spectrum.Autocovariance();
  const Eigen::MatrixXd half = features.Solve(features.ColouredProducts(noise));
  const Eigen::VectorXd variance = features.Solve(half.transpose()).diagonal();
  std::vector<std::pair<double, Eigen::Index>> found;  // −|t| over its limit
  for (Eigen::Index k = 0; k < features.size(); ++k) {
    const Eigen::Index row = features[k].row;
    const double freedom = regression.counts()[row] /
                           std::max(1.0, LongRunRatio(noise[static_cast<std::size_t>(row)]));
    const double t = std::abs(theta[k]) / std::sqrt(std::max(variance[k], 0.0));
    const double limit = LimitOfT(freedom, kFalseFindings / static_cast<double>(features.size()));
    if (t > limit) found.emplace_back(-t / limit, k);
  }
  std::ranges::sort(found);
  SystematicResiduals result;
  Eigen::VectorXd certain = Eigen::VectorXd::Zero(theta.size());
  for (const auto& [t, k] : found) {
    certain[k] = theta[k];
    result.findings.push_back(
        fmt::format("{} {}", PlaceOf(regression, features[k].row), features[k].feature->words));
  }
  if (found.empty()) return result;
  result.shift = features.Shift(certain, moved);
  const Eigen::VectorXd in_sigma = result.shift.binaryExpr(
      sigma, [](double step, double s) { return s > 0.0 ? step / s : 0.0; });
  result.shift_in_sigma = in_sigma.norm() / std::sqrt(static_cast<double>(in_sigma.size()));
  return result;
}

}  // namespace idbench
