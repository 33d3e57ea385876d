#include "estimators/walkers/zero_dynamics_likelihood.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace idbench {
namespace {

constexpr double kCoarseAngle = 1e-3;     ///< [rad] or, of a distance, [m]
constexpr double kCoarseTolerance = 0.1;  ///< Of S, where only the valley is looked for.
constexpr double kNearTolerance = 1e-4;   ///< Enough to tell minima apart.
constexpr double kTolerance = 1e-9;       ///< x is then within 1e-4·σ of the minimum.
constexpr double kLargestDamping = 1e8;
/// Time at the beginning that tells q1 and q̇1 [s], and the degree of the polynomial through it.
constexpr double kBeginning_s = 0.5;
constexpr int kBeginningDegree = 3;

[[noreturn]] void ThrowNoMotion() {
  throw EstimationFailure(Outcome::kDiverged,
                          "parameters and beginning have no motion: the angle runs away, or an "
                          "inertia is not positive");
}

/// Value and slope at 0 of the least-squares cubic through the first samples.
Eigen::Vector2d Beginning(const Eigen::RowVectorXd& q1, double Ts) {
  const Eigen::Index count = std::min<Eigen::Index>(std::lround(kBeginning_s / Ts), q1.size());
  Eigen::MatrixXd powers(count, kBeginningDegree + 1);
  for (Eigen::Index k = 0; k < count; ++k) {
    for (int d = 0; d <= kBeginningDegree; ++d)
      powers(k, d) = std::pow(Ts * static_cast<double>(k), d);
  }
  return powers.colPivHouseholderQr().solve(q1.head(count).transpose()).head<2>();
}

}  // namespace

SmoothSignals DrivenMotion(const WalkerRecording& recording, const Duration& knot) {
  Eigen::MatrixXd q = recording.q.samples.transpose();
  q.col(0).setZero();  // Of zeros the spline is 0.
  try {
    return QuinticSpline(q, recording.Ts, static_cast<int>(knot.CountAt(recording.Ts)), 2);
  } catch (const std::invalid_argument& error) {
    Refuse(fmt::format("{}: {}", recording.label, error.what()));
  }
}

void AddKnots(Duration& knot, FieldTable& table) {
  AddDuration(knot,
              {.key = "knot_s",
               .former = "knot_samples",
               .doc = "Time from knot to knot of the spline through the relative angles; null: it "
                      "passes through every sample",
               .may_be_absent = true},
              table);
}

ZeroDynamics MakeZeroDynamics(const Problem& problem, const WalkerRecording& recording,
                              const SmoothSignals& driven) {
  try {
    return {*problem.parameters.lagrangian(), problem.model.actuation(),
            StateSamples{driven.value, driven.rate, driven.acceleration}, recording.Ts};
  } catch (const std::invalid_argument& error) {
    Refuse(fmt::format("the first joint must be without a motor, and each other joint have one: {}",
                       error.what()));
  }
}

ZeroDynamicsLikelihood::ZeroDynamicsLikelihood(const Problem& problem,
                                               const std::vector<WalkerRecording>& recordings,
                                               AngleSensor sensor, const Duration& knot)
    : beta_size_(problem.parameters.size()) {
  for (const WalkerRecording& recording : recordings) {
    parts_.push_back(MakePart(problem, recording, sensor, knot));
    residuals_ += parts_.back().y.size() + parts_.back().u.size();
  }
  size_ = beta_size_ + 2 * static_cast<Eigen::Index>(parts_.size());
}

ZeroDynamicsLikelihood::Part ZeroDynamicsLikelihood::MakePart(const Problem& problem,
                                                              const WalkerRecording& recording,
                                                              AngleSensor sensor,
                                                              const Duration& knot) {
  Part part{.dynamics = MakeZeroDynamics(problem, recording, DrivenMotion(recording, knot))};
  part.u = recording.u.samples;
  part.u_sigma = DeclaredSigma(recording, recording.u);
  AngleReadings readings = ReadAngle(sensor, problem.model, recording);
  part.imu = IsImu(sensor);
  part.y_sigma = DeclaredSigma(sensor, readings, recording);
  part.coarse_sigma =
      part.imu ? part.y_sigma : Eigen::VectorXd(part.y_sigma.cwiseMax(kCoarseAngle));
  part.link = readings.link;
  part.y = std::move(readings.y);
  return part;
}

Eigen::VectorXd ZeroDynamicsLikelihood::Start(const Eigen::VectorXd& beta,
                                              const std::vector<WalkerRecording>& recordings,
                                              const std::vector<FcdMotion>& filtered) const {
  Eigen::VectorXd x(size_);
  x.head(beta_size_) = beta;
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    x.segment<2>(beta_size_ + 2 * static_cast<Eigen::Index>(p)) =
        Beginning(filtered[p].q.row(0), recordings[p].Ts);
  }
  return x;
}

bool ZeroDynamicsLikelihood::Evaluate(const Eigen::VectorXd& x, bool coarse, bool derivatives) {
  e_.resize(residuals_);
  if (derivatives) G_.setZero(size_, residuals_);
  Eigen::VectorXd unknowns(beta_size_ + 2);
  unknowns.head(beta_size_) = x.head(beta_size_);
  Eigen::Index first = 0;
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    Part& part = parts_[p];
    unknowns.tail<2>() = x.segment<2>(beta_size_ + 2 * static_cast<Eigen::Index>(p));
    if (!part.dynamics.Simulate(unknowns, derivatives, part.response)) return false;
    FillAngle(p, first, coarse, derivatives);
    FillMotors(p, first + part.y.size(), derivatives);
    first += part.y.size() + part.u.size();
  }
  return e_.allFinite();
}

void ZeroDynamicsLikelihood::FillAngle(std::size_t p, Eigen::Index first, bool coarse,
                                       bool derivatives) {
  const Part& part = parts_[p];
  const ZeroDynamics::Response& r = part.response;
  const Eigen::VectorXd& sigma = coarse ? part.coarse_sigma : part.y_sigma;
  const Eigen::Index rows = part.y.rows(), begins = beta_size_ + 2 * static_cast<Eigen::Index>(p);
  Eigen::Vector3d f = Eigen::Vector3d::Zero();
  // Rows of f by (q1, q̇1, q̈1).
  Eigen::Matrix3d by = Eigen::Matrix3d::Zero();
  for (Eigen::Index k = 0; k < part.y.cols(); ++k) {
    if (part.imu) {
      const AbsoluteAngle angle = AbsoluteAngle::Of(r.q1[k], r.qd1[k], r.qdd1[k]);
      const double g = part.link->gravity();
      f << part.link->Force(angle), angle.rate;
      by.col(0) << g * angle.cosine, -g * angle.sine, 0.0;
      by.col(1) << -2.0 * angle.rate * part.link->place(), 1.0;
      by.col(2) << part.link->lever(), 0.0;
    } else {
      f[0] = part.link ? part.link->Distance(r.q1[k]) : r.q1[k];
      by(0, 0) = part.link ? part.link->DistanceSlope(r.q1[k]) : 1.0;
    }
    for (Eigen::Index i = 0; i < rows; ++i) {
      const Eigen::Index at = first + rows * k + i;
      e_[at] = (part.y(i, k) - f[i]) / sigma[i];
      if (!derivatives) continue;
      const Eigen::Vector3d w = by.row(i).transpose() / sigma[i];
      const auto fill = [&](Eigen::Index to, Eigen::Index from, Eigen::Index count) {
        G_.col(at).segment(to, count) = w[0] * r.q1_by.col(k).segment(from, count);
        if (!part.imu) return;
        G_.col(at).segment(to, count) += w[1] * r.qd1_by.col(k).segment(from, count) +
                                         w[2] * r.qdd1_by.col(k).segment(from, count);
      };
      fill(0, 0, beta_size_);
      fill(begins, beta_size_, 2);
    }
  }
}

void ZeroDynamicsLikelihood::FillMotors(std::size_t p, Eigen::Index first, bool derivatives) {
  const Part& part = parts_[p];
  const Eigen::Index motors = part.u.rows(), begins = beta_size_ + 2 * static_cast<Eigen::Index>(p);
  for (Eigen::Index k = 0; k < part.u.cols(); ++k) {
    for (Eigen::Index m = 0; m < motors; ++m) {
      const Eigen::Index at = first + motors * k + m;
      e_[at] = (part.u(m, k) - part.response.u(k, m)) / part.u_sigma[m];
      if (!derivatives) continue;
      const auto by = part.response.u_by[static_cast<std::size_t>(m)].col(k);
      G_.col(at).head(beta_size_) = by.head(beta_size_) / part.u_sigma[m];
      G_.col(at).segment<2>(begins) = by.tail<2>() / part.u_sigma[m];
    }
  }
}

double ZeroDynamicsLikelihood::SumOfSquares(const Eigen::VectorXd& x) {
  return Evaluate(x, false, false) ? e_.squaredNorm() : std::numeric_limits<double>::infinity();
}

ZeroDynamicsLikelihood::Minimum ZeroDynamicsLikelihood::Approach(const Eigen::VectorXd& x,
                                                                 int iterations, Sought sought) {
  Minimum at{.x = x};
  Descend(at, iterations, kCoarseTolerance, true, sought);
  Descend(at, iterations, kNearTolerance, false, sought);
  return at;
}

void ZeroDynamicsLikelihood::Polish(Minimum& at, int iterations, Sought sought) {
  Descend(at, iterations, kTolerance, false, sought);
}

void ZeroDynamicsLikelihood::Descend(Minimum& at, int iterations, double tolerance, bool coarse,
                                     Sought sought) {
  if (!Evaluate(at.x, coarse, true)) ThrowNoMotion();
  at.S = e_.squaredNorm();
  at.converged = false;
  const Eigen::Index free = sought == Sought::kAll ? size_ : size_ - beta_size_;
  const double least = static_cast<double>(degrees_of_freedom());
  double damping = 1e-3;
  while (!at.converged && damping < kLargestDamping && at.iterations < iterations) {
    ++at.iterations;
    // Gauss-Newton in scaled unknowns. The gradient is exact: what normal equations lose of the
    // matrix costs iterations at most.
    const Eigen::MatrixXd G = G_.bottomRows(free);
    const Eigen::VectorXd scale = G.rowwise().norm().cwiseMax(1e-300).cwiseInverse();
    const Eigen::VectorXd gradient = scale.cwiseProduct(G * e_);
    const Eigen::MatrixXd H = scale.asDiagonal() * (G * G.transpose()) * scale.asDiagonal();
    double growth = 8.0;
    for (bool better = false; !better && damping < kLargestDamping;) {
      Eigen::MatrixXd damped = H;
      damped.diagonal().array() += damping;
      const Eigen::VectorXd step = damped.ldlt().solve(gradient);
      const double promised = 2.0 * gradient.dot(step) - step.dot(H * step);
      at.converged = promised <= tolerance * std::max(at.S, least);
      Eigen::VectorXd x = at.x;
      x.tail(free) += scale.cwiseProduct(step);
      const double gained = Evaluate(x, coarse, true) ? at.S - e_.squaredNorm() : -promised;
      better = gained >= 0.0;
      if (better) {
        at.x = x;
        at.S -= gained;
      } else if (at.converged) {
        break;
      }
      // A promise that is kept by half calls for more damping, lest steps go to and fro.
      if (gained > 0.75 * promised) {
        damping *= 0.1;
      } else if (gained < 0.5 * promised) {
        damping *= growth;
        growth *= 8.0;
      }
    }
  }
}

LeastSquaresSolution ZeroDynamicsLikelihood::Linearised(const Eigen::VectorXd& x) {
  if (!Evaluate(x, false, true)) ThrowNoMotion();
  StreamingQr qr(size_);
  qr.Add(G_.transpose(), e_);
  return qr.Solve();
}

}  // namespace idbench
