#include "bench/lab_checks/lab_fit.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <utility>

namespace idbench {
namespace {

constexpr Eigen::Index kBlocks = LabRows::kBlocks;

Eigen::Index Ix(std::size_t i) { return static_cast<Eigen::Index>(i); }

/// From rows of joints, in what is scaled, to columns, as recorded.
FitScore ByColumn(const RowFits& by_joint, const DataChange& change) {
  FitScore score{by_joint.held_out, by_joint.rms, by_joint.relative, by_joint.samples,
                 by_joint.dissipated};
  for (Eigen::Index j = 0; j < by_joint.rms.size(); ++j) {
    const int d = change.torque_of[static_cast<std::size_t>(j)];
    const double scale = std::abs(change.torque_scale[d]);
    score.held_out.col(d) = by_joint.held_out.col(j) / (scale * scale);
    score.dissipated.col(d) = by_joint.dissipated.col(j) / scale;
    score.rms[d] = by_joint.rms[j] / scale;
    score.relative[d] = by_joint.relative[j];
    score.samples[d] = by_joint.samples[j];
  }
  return score;
}

}  // namespace

LabFit::LabFit(const Robot& robot, const LabRows& rows, bool guessed)
    : rows_(rows), guessed_(guessed), parameters_(robot, rows) {}
LabFit::~LabFit() = default;

const LabRegressor& LabFit::RegressorUnder(const Eigen::Vector3d& gravity) {
  if (!regressor_ || regressor_->model.gravity() != gravity) {
    regressor_ = std::make_unique<LabRegressor>(robot(), parameters_.base(), gravity);
  }
  return *regressor_;
}

std::unique_ptr<LabFit::BlockGrams> LabFit::MakeGrams(const DataChange& change,
                                                      const std::vector<Eigen::MatrixXd>& extras,
                                                      Eigen::Index blocks) {
  auto grams = std::make_unique<BlockGrams>();
  grams->change = change;
  const LabRegressor& regressor = RegressorUnder(change.gravity);
  const Eigen::MatrixXd q = rows_.Positions(change), qd = rows_.Velocities(change),
                        qdd = rows_.Accelerations(change),
                        torques = rows_.Torques(change.torque_delay_s);
  Dynamics::Scratch scratch(regressor.dynamics);
  std::vector<Eigen::MatrixXd> W;
  regressor.rows.Dense({q, qd, qdd}, scratch, W);
  const auto n = static_cast<std::size_t>(rows_.joints());
  grams->of.assign(static_cast<std::size_t>(blocks), std::vector<Eigen::MatrixXd>(n));
  grams->power.assign(static_cast<std::size_t>(blocks), std::vector<Eigen::VectorXd>(n));
  grams->counts.resize(blocks, Ix(n));
  const ParameterLayout& layout = regressor.dynamics.layout();
  int next = static_cast<int>(regressor.columns.size());
  for (std::size_t j = 0; j < n; ++j) {
    const int joint = static_cast<int>(j);
    std::vector<int>& columns = grams->columns.emplace_back(regressor.rows.ColumnsOf(joint));
    const Eigen::MatrixXd added = extras.empty() ? Eigen::MatrixXd(rows_.size(), 0) : extras[j];
    const Eigen::Index c = W[j].cols() + added.cols();
    Eigen::MatrixXd joined(rows_.size(), c + Ix(n));
    joined << W[j], added, torques;
    const Eigen::VectorXd mask = rows_.steady_sign().col(change.position_of[j]);
    joined = (mask.asDiagonal() * joined).eval();
    Eigen::MatrixXd power = Eigen::MatrixXd::Zero(rows_.size(), c);
    for (Eigen::Index k = 0; k < W[j].cols(); ++k) {
      const int of_pi =
          regressor.columns[static_cast<std::size_t>(columns[static_cast<std::size_t>(k)])];
      if (of_pi == layout.Joint(joint, JointParameter::kViscous) ||
          of_pi == layout.Joint(joint, JointParameter::kCoulomb)) {
        power.col(k) = joined.col(k).cwiseProduct(qd.col(Ix(j)));
      }
    }
    for (Eigen::Index k = 0; k < added.cols(); ++k) columns.push_back(next++);
    for (Eigen::Index b = 0; b < blocks; ++b) {
      const Eigen::Index first = b * rows_.size() / blocks,
                         count = (b + 1) * rows_.size() / blocks - first;
      grams->power[static_cast<std::size_t>(b)][j] =
          power.middleRows(first, count).colwise().sum().transpose();
      Eigen::MatrixXd& gram = grams->of[static_cast<std::size_t>(b)][j];
      gram.setZero(c + Ix(n), c + Ix(n));
      gram.selfadjointView<Eigen::Lower>().rankUpdate(joined.middleRows(first, count).transpose());
      gram.triangularView<Eigen::StrictlyUpper>() = gram.transpose();
      grams->counts(b, Ix(j)) = mask.segment(first, count).sum();
    }
  }
  return grams;
}

const LabFit::BlockGrams& LabFit::GramsOf(const DataChange& change, Eigen::Index blocks) {
  if (!grams_ || !grams_->change.SameRegressor(change) || std::ssize(grams_->of) != blocks ||
      grams_->change.torque_delay_s != change.torque_delay_s) {
    grams_ = MakeGrams(change, {}, blocks);
  }
  return *grams_;
}

std::vector<std::vector<RowSums>> LabFit::BlockGrams::Sums(const DataChange& with) const {
  std::vector<std::vector<RowSums>> sums(of.size(), std::vector<RowSums>(columns.size()));
  for (std::size_t b = 0; b < of.size(); ++b) {
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const Eigen::MatrixXd& gram = of[b][j];
      const Eigen::Index c = std::ssize(columns[j]);
      const int d = with.torque_of[j];
      const double scale = with.torque_scale[d];
      sums[b][j] = {gram.topLeftCorner(c, c), scale * gram.col(c + d).head(c),
                    scale * scale * gram(c + d, c + d), counts(Ix(b), Ix(j)), power[b][j]};
    }
  }
  return sums;
}

GaussianPrior LabFit::PriorOf(double trust, Eigen::Index extras) const {
  const Eigen::Index size = parameters_.mean().size();
  GaussianPrior prior{Eigen::MatrixXd::Zero(size + extras, size + extras),
                      Eigen::VectorXd::Zero(size + extras)};
  prior.information.topLeftCorner(size, size) = parameters_.information() / (trust * trust);
  prior.mean.head(size) = parameters_.mean();
  return prior;
}

FitScore LabFit::Score(const DataChange& change, double trust) {
  const BlockGrams& grams = GramsOf(change, kBlocks);
  return ByColumn(FitRows(grams.Sums(change), grams.columns, PriorOf(trust, 0)), change);
}

double LabFit::SearchLoss(const DataChange& change) {
  if (rows_.joints() <= kMostHeldOut) return Structure(change).Loss();
  const BlockGrams& grams = GramsOf(change, 1);
  const Eigen::VectorXd rms =
      RowDeviations(grams.Sums(change).front(), grams.columns, PriorOf(kStructure, 0));
  return rms.array().max(1e-300).log().sum() - change.torque_scale.array().abs().log().sum();
}

ExtraFit LabFit::WithExtras(const DataChange& change, const std::vector<Eigen::MatrixXd>& extras) {
  const std::unique_ptr<BlockGrams> grams = MakeGrams(change, extras, kBlocks);
  Eigen::Index added = 0;
  for (const Eigen::MatrixXd& each : extras) added += each.cols();
  const std::vector<std::vector<RowSums>> sums = grams->Sums(change);
  const RowFits fits = FitRows(sums, grams->columns, PriorOf(kStructure, added));
  ExtraFit fit{.score = ByColumn(fits, change), .coefficient = {}, .sigma = {}, .part = {}};
  Eigen::Index at = parameters_.mean().size();
  for (std::size_t j = 0; j < extras.size(); ++j) {
    const Eigen::Index k = extras[j].cols();
    const Eigen::VectorXd coefficient = fits.beta.segment(at, k);
    Eigen::VectorXd squares = Eigen::VectorXd::Zero(k), column = Eigen::VectorXd::Zero(k);
    double torque = 0.0;
    for (std::size_t b = 0; b < sums.size(); ++b) {
      squares += (fits.without[b].segment(at, k) - coefficient).cwiseAbs2();
      column += sums[b][j].WtW.diagonal().tail(k);
      torque += sums[b][j].yty;
    }
    const double blocks = static_cast<double>(sums.size());
    fit.coefficient.push_back(coefficient);
    fit.sigma.emplace_back((squares * (blocks - 1.0) / blocks).cwiseSqrt());
    fit.part.emplace_back(coefficient.cwiseAbs().cwiseProduct(column.cwiseSqrt()) /
                          std::sqrt(std::max(torque, 1e-300)));
    at += k;
  }
  return fit;
}

Taught LabFit::Teaches(const DataChange& change) {
  const BlockGrams& grams = GramsOf(change, kBlocks);
  const std::vector<std::vector<RowSums>> sums = grams.Sums(change);
  const RowFits fits = FitRows(sums, grams.columns, PriorOf(kStructure, 0));
  const Eigen::Index size = fits.beta.size();
  Taught taught{fits.beta, Eigen::MatrixXd::Zero(size, size)};
  for (const std::vector<RowSums>& block : sums) {
    for (std::size_t j = 0; j < block.size(); ++j) {
      const std::vector<int>& to = grams.columns[j];
      taught.information(to, to) += kIndependentPart * fits.weights[Ix(j)] * block[j].WtW;
    }
  }
  return taught;
}

double CriticalT(double hypotheses, double false_alarms) {
  const boost::math::students_t t(static_cast<double>(kBlocks - 1));
  return quantile(complement(t, false_alarms / hypotheses));
}

Gain GainOf(const FitScore& better, const FitScore& worse) {
  std::vector<double> gains;
  for (Eigen::Index b = 0; b < better.held_out.rows(); ++b) {
    double gain = 0.0;
    for (Eigen::Index j = 0; j < better.held_out.cols(); ++j) {
      if (!better.Explains(j) && !worse.Explains(j)) continue;
      const double ratio = 0.5 * std::log(worse.held_out(b, j) / better.held_out(b, j));
      if (std::isfinite(ratio)) gain += std::clamp(ratio, -Gain::kClip, Gain::kClip);
    }
    gains.push_back(gain);
  }
  const double count = static_cast<double>(gains.size());
  double mean = 0.0, squares = 0.0;
  for (const double each : gains) mean += each / count;
  for (const double each : gains) squares += (each - mean) * (each - mean);
  const double error = std::sqrt(squares / (count - 1.0) / count);
  if (mean == 0.0) return {0.0, 0.0};
  return {mean, mean / error};  // ±∞ where all blocks gain the same, clipped
}

}  // namespace idbench
