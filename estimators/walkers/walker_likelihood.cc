#include "estimators/walkers/walker_likelihood.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <utility>

#include "estimators/interface/estimate.h"
#include "estimators/solvers/least_squares.h"

namespace idbench {
namespace {

constexpr Eigen::Index kEdge = AbsoluteMotion::kEdge;

/// Damping to begin with, up to which a small step means a minimum, and beyond which none is near.
constexpr double kFirstDamping = 1e-3, kUndamped = 1e-2, kStuck = 1e10;
/// By which damping grows after a step that failed, from the second number on.
constexpr double kDampingGrowth = 4.0, kLeastGrown = 1e-7;

/// Damping after a step that gained `ratio` of what was promised. Source: Madsen, Nielsen &
/// Tingleff, Methods for non-linear least squares problems, 2004, (2.21).
double Relaxed(double damping, double ratio) {
  const double away = 2.0 * ratio - 1.0;
  return damping * std::max(0.1, 1.0 - away * away * away);
}

/// The weighted sum of five neighbours; 0 within kEdge of the ends.
Eigen::MatrixXd Differentiated(const Eigen::MatrixXd& x, const std::array<double, 5>& weights) {
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(x.rows(), x.cols());
  const Eigen::Index inner = x.cols() - 2 * kEdge;
  for (Eigen::Index c = 0; c < 5; ++c) {
    result.middleCols(kEdge, inner) +=
        weights[static_cast<std::size_t>(c)] * x.middleCols(c, inner);
  }
  return result;
}

}  // namespace

WalkerLikelihood::WalkerLikelihood(const Problem& problem,
                                   const std::vector<WalkerRecording>& recordings,
                                   const std::vector<FcdMotion>& filtered, const Settings& settings)
    : names_(problem.parameters.names),
      n_(problem.model.dofs()),
      p_(problem.parameters.size()),
      derivatives_(n_, 4),
      J_(n_, AbsoluteMotion::kMostWindow) {
  int half_bandwidth = 0;
  for (std::size_t r = 0; r < recordings.size(); ++r) {
    AddRecording(problem, recordings[r], filtered[r], settings);
    half_bandwidth = std::max(half_bandwidth, parts_.back().motion->half_bandwidth());
  }
  arrow_ = std::make_unique<BandedArrow>(z_size_, half_bandwidth, p_);
  point_ = MakePoint();
  candidate_ = MakePoint();
}

void WalkerLikelihood::AddRecording(const Problem& problem, const WalkerRecording& recording,
                                    const FcdMotion& filtered, const Settings& settings) {
  const Differences differences = MakeDifferences(settings.differences, recording.Ts);
  const TorqueCovariance torques = CovarianceOfTorques(
      problem.model, DeclaredSigma(recording, recording.u), settings.free_row_variance_ratio);
  const Eigen::MatrixXd root = torques.WhiteningRoot();
  const Eigen::MatrixXd& q = recording.q.samples;
  if (parts_.empty()) epsilon_ = torques.epsilon;
  Part part;
  part.regressor = std::make_unique<WalkerRegressor>(*problem.parameters.lagrangian(), root, q,
                                                     Differentiated(q, differences.first),
                                                     Differentiated(q, differences.second));
  part.motion =
      MakeAbsoluteMotion(settings.absolute_angle, problem.model, recording, filtered, differences);
  part.free_rows = torques.free_rows;
  part.samples = recording.size();
  part.first_z = z_size_;
  z_size_ += part.motion->components() * part.samples;
  samples_ += part.samples;
  measurements_ += part.motion->measurement_count();
  const Eigen::Index inner = part.samples - 2 * kEdge;
  y_.conservativeResize(rows_ + n_ * inner);
  y_.tail(n_ * inner) = (root * recording.tau.middleCols(kEdge, inner)).reshaped();
  rows_ = y_.size();
  parts_.push_back(std::move(part));
}

template <class Samples, class Use>
void WalkerLikelihood::ForEachSample(Samples& samples, const Use& use) const {
  std::size_t at = 0;
  Eigen::Index row = 0;
  for (const Part& part : parts_) {
    for (Eigen::Index k = 0; k < part.samples; ++k, ++at) {
      const bool moves = k >= kEdge && k < part.samples - kEdge;
      use(part, samples[at], k, moves ? row : -1);
      if (moves) row += n_;
    }
  }
}

WalkerLikelihood::Point WalkerLikelihood::MakePoint() const {
  Point point;
  point.z.resize(z_size_);
  point.beta.resize(p_);
  point.samples.resize(static_cast<std::size_t>(samples_));
  point.Z.resize(rows_, p_);
  point.gram.resize(p_, p_);
  point.e.resize(rows_);
  return point;
}

void WalkerLikelihood::GoTo(const Eigen::VectorXd& z) {
  point_.z = z;
  if (!Evaluate(point_)) ThrowRankDeficient(point_);
}

bool WalkerLikelihood::Evaluate(Point& point) const {
  point.S = 0.0;
  ForEachSample(point.samples, [&](const Part& part, AbsoluteMotion::Sample& sample, Eigen::Index k,
                                   Eigen::Index row) {
    part.motion->At(k, point.z.data() + part.first_z, sample);
    for (int m = 0; m < sample.measured; ++m) point.S += sample.e[m] * sample.e[m];
    if (row >= 0) part.regressor->Rows(k, sample.angle, point.Z.middleRows(row, n_));
  });
  point.gram.noalias() = point.Z.transpose() * point.Z;  // noalias: neither is gram
  const Eigen::LLT<Eigen::MatrixXd> factor(point.gram);
  if (factor.info() != Eigen::Success) return false;
  point.beta = factor.solve(point.Z.transpose() * y_);
  point.e = y_ - point.Z * point.beta;
  point.S += point.e.squaredNorm();
  return std::isfinite(point.S);
}

void WalkerLikelihood::ThrowRankDeficient(const Point& point) const {
  StreamingQr qr(p_);
  qr.Add(point.Z, y_);
  throw EstimationFailure(Outcome::kRankDeficient, DescribeUndetermined(qr.Solve(), names_) +
                                                       "; use a richer motion, or fewer unknowns "
                                                       "(/problem/parametrisation/friction)");
}

void WalkerLikelihood::LineariseTorque(const Part& part, Eigen::Index k,
                                       const AbsoluteMotion::Sample& sample,
                                       const Eigen::VectorXd& beta) {
  part.regressor->Derivatives(k, sample.angle, beta, derivatives_);
  J_.leftCols(sample.window) = derivatives_.lazyProduct(sample.by_z.leftCols(sample.window));
}

void WalkerLikelihood::BuildNormalEquations(const Point& point) {
  arrow_->Reset(point.gram, point.Z.transpose() * point.e);
  ForEachSample(point.samples, [&](const Part& part, const AbsoluteMotion::Sample& sample,
                                   Eigen::Index k, Eigen::Index row) {
    const Eigen::Index first = part.first_z + sample.first;
    for (int m = 0; m < sample.measured; ++m) {
      arrow_->Add(first, sample.J.row(m).head(sample.window), sample.e[m]);
    }
    if (row < 0) return;
    LineariseTorque(part, k, sample, point.beta);
    arrow_->Add(first, J_.leftCols(sample.window), point.Z.middleRows(row, n_),
                point.e.segment(row, n_));
  });
}

double WalkerLikelihood::SumOfSquares(const Eigen::VectorXd& z, Eigen::VectorXd& beta) {
  GoTo(z);
  beta = point_.beta;
  return point_.S;
}

WalkerLikelihood::Minimum WalkerLikelihood::Minimise(const Eigen::VectorXd& z,
                                                     const Limits& limits) {
  GoTo(z);
  BuildNormalEquations(point_);
  Minimum minimum;
  double damping = kFirstDamping;
  Eigen::VectorXd dz, dbeta;
  while (minimum.iterations < limits.iterations && damping < kStuck && !minimum.converged) {
    ++minimum.iterations;
    bool gains = false;
    double promised = 0.0;
    if (arrow_->Factor(damping)) {
      promised = arrow_->Solve(dz, dbeta);
      candidate_.z = point_.z + dz;
      gains = Evaluate(candidate_) && candidate_.S < point_.S;
      const double small = limits.tolerance * std::max(point_.S, degrees_of_freedom());
      minimum.converged = promised <= small && damping <= kUndamped;
    }
    if (gains) {
      damping = Relaxed(damping, (point_.S - candidate_.S) / promised);
      std::swap(point_, candidate_);
      BuildNormalEquations(point_);
    } else {
      damping = std::max(damping, kLeastGrown) * kDampingGrowth;
    }
  }
  minimum.z = point_.z;
  minimum.beta = point_.beta;
  minimum.S = point_.S;
  return minimum;
}

std::optional<Eigen::MatrixXd> WalkerLikelihood::Covariance(const Minimum& minimum) {
  GoTo(minimum.z);
  BuildNormalEquations(point_);
  if (!arrow_->Factor(0.0)) return std::nullopt;
  BandedArrow::Rows of_z;
  Eigen::MatrixXd covariance;
  arrow_->InverseBorder(of_z, covariance);
  const Eigen::MatrixXd of_beta = covariance;
  ForEachSample(point_.samples, [&](const Part& part, const AbsoluteMotion::Sample& sample,
                                    Eigen::Index k, Eigen::Index row) {
    if (row < 0) return;
    LineariseTorque(part, k, sample, point_.beta);
    for (const int j : part.free_rows) {
      const Eigen::RowVectorXd moved =
          J_.row(j).head(sample.window) *
              of_z.middleRows(part.first_z + sample.first, sample.window) +
          point_.Z.row(row + j) * of_beta;
      covariance -= moved.transpose() * moved;
    }
  });
  return covariance;
}

}  // namespace idbench
