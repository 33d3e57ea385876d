#include "robots/dynamics/parameters/log_det_newton.h"

#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace idbench {
namespace {

constexpr double kRoundOff = 1e-14;
constexpr double kQuadratic = 0.25;  ///< Below this δ, full steps converge quadratically.

/// Row and column of the element that a coordinate stands for.
struct Element {
  int i, j;
};
constexpr std::array<Element, kInertialCount> kElements = {
    {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {1, 1}, {1, 2}, {1, 3}, {2, 2}, {2, 3}, {3, 3}}};

/// E_k = scale·(e_i e_jᵀ + e_j e_iᵀ) has norm 1.
double Scale(Element e) { return e.i == e.j ? 0.5 : 0.5 * std::numbers::sqrt2; }

using BodyHessian = Eigen::Matrix<double, kInertialCount, kInertialCount>;

/// ⟨Y E_k Y, E_l⟩ = 2·scale_k·scale_l·(Y_im Y_jn + Y_in Y_jm) for E_k at (i, j) and E_l at (m, n).
BodyHessian CurvatureOf(const Eigen::Matrix4d& Y) {
  BodyHessian K;
  for (int k = 0; k < kInertialCount; ++k) {
    const Element a = kElements[static_cast<std::size_t>(k)];
    for (int l = 0; l <= k; ++l) {
      const Element b = kElements[static_cast<std::size_t>(l)];
      K(k, l) = 2.0 * Scale(a) * Scale(b) * (Y(a.i, b.i) * Y(a.j, b.j) + Y(a.i, b.j) * Y(a.j, b.i));
      K(l, k) = K(k, l);
    }
  }
  return K;
}

}  // namespace

const Eigen::Matrix4d& SymmetricBasis(int k) {
  static const std::array<Eigen::Matrix4d, kInertialCount> basis = [] {
    std::array<Eigen::Matrix4d, kInertialCount> all;
    for (std::size_t n = 0; n < all.size(); ++n) {
      const Element e = kElements[n];
      all[n].setZero();
      all[n](e.i, e.j) = all[n](e.j, e.i) = e.i == e.j ? 1.0 : 1.0 / std::numbers::sqrt2;
    }
    return all;
  }();
  return basis[static_cast<std::size_t>(k)];
}

InertialParameters SymmetricCoordinates(const Eigen::Matrix4d& X) {
  InertialParameters xi;
  for (int k = 0; k < kInertialCount; ++k) {
    const Element e = kElements[static_cast<std::size_t>(k)];
    xi[k] = Scale(e) * (X(e.i, e.j) + X(e.j, e.i));
  }
  return xi;
}

Eigen::Matrix4d SymmetricMatrix(const Eigen::Ref<const InertialParameters>& xi) {
  Eigen::Matrix4d X;
  for (int k = 0; k < kInertialCount; ++k) {
    const Element e = kElements[static_cast<std::size_t>(k)];
    X(e.i, e.j) = X(e.j, e.i) = e.i == e.j ? xi[k] : xi[k] / std::numbers::sqrt2;
  }
  return X;
}

LogDetNewton::LogDetNewton(LogDetProblem problem) : problem_(std::move(problem)) {
  const Eigen::Index size = problem_.M.cols();
  assert(problem_.Q.rows() == size && problem_.Q.cols() == size && problem_.r.size() == size);
  for (Eigen::Index i = 0; i < problem_.bodies(); ++i) {
    const auto moves = [&](Eigen::Index k) {
      return !problem_.M.col(k).segment(kInertialCount * i, kInertialCount).isZero(0.0);
    };
    Eigen::Index first = 0, last = size;
    while (first < size && !moves(first)) ++first;
    while (last > first && !moves(last - 1)) --last;
    columns_.push_back({first, last - first});
  }
  factors_.resize(columns_.size());
  xi_.resize(problem_.xi0.size());
  Qv_.resize(size);
  gradient_.resize(size);
  step_.resize(size);
  trial_.resize(size);
  hessian_.resize(size, size);
  KM_.resize(kInertialCount, size);
  // A factor that was never computed cannot be copied.
  for (auto& factor : factors_) factor.compute(Eigen::Matrix4d::Identity());
  hessian_factor_.compute(Eigen::MatrixXd::Identity(size, size));
}

bool LogDetNewton::Factor(const Eigen::VectorXd& v) {
  xi_ = problem_.xi0;
  for (std::size_t body = 0; body < factors_.size(); ++body) {
    const auto [first, count] = columns_[body];
    const Eigen::Index row = kInertialCount * static_cast<Eigen::Index>(body);
    auto xi = xi_.segment<kInertialCount>(row);
    xi.noalias() += problem_.M.block(row, first, kInertialCount, count) * v.segment(first, count);
    factors_[body].compute(Eigen::Matrix4d::Identity() + SymmetricMatrix(xi));
    if (factors_[body].info() != Eigen::Success) return false;
  }
  return (v.tail(problem_.positive).array() > 0.0).all();
}

double LogDetNewton::Cost(double mu, const Eigen::VectorXd& v) {
  if (!Factor(v)) return std::numeric_limits<double>::infinity();
  double barrier = -v.tail(problem_.positive).array().log().sum();
  for (const auto& llt : factors_) {
    barrier -= 2.0 * llt.matrixLLT().diagonal().array().log().sum();
  }
  Qv_.noalias() = problem_.Q * v;
  return 0.5 * v.dot(Qv_) - problem_.r.dot(v) + mu * barrier;
}

/// With Y = X⁻¹, −log det X has the gradient −⟨Y, E_k⟩ and the Hessian ⟨Y E_k Y, E_l⟩.
void LogDetNewton::AddBody(std::size_t body, double mu) {
  const auto [first, count] = columns_[body];
  const auto M = problem_.M.block(kInertialCount * static_cast<Eigen::Index>(body), first,
                                  kInertialCount, count);
  const Eigen::Matrix4d Y = factors_[body].solve(Eigen::Matrix4d::Identity());
  const InertialParameters pull = mu * SymmetricCoordinates(Y);
  gradient_.segment(first, count).noalias() -= M.transpose() * pull;
  const BodyHessian K = mu * CurvatureOf(Y);
  auto KM = KM_.leftCols(count);
  KM.noalias() = K * M;
  hessian_.block(first, first, count, count).noalias() += M.transpose() * KM;
}

bool LogDetNewton::Expand(double mu, const Eigen::VectorXd& v) {
  value_ = Cost(mu, v);
  assert(std::isfinite(value_));  // v is inside
  gradient_ = Qv_ - problem_.r;
  hessian_ = problem_.Q;
  for (std::size_t body = 0; body < factors_.size(); ++body) AddBody(body, mu);
  const auto positive = v.tail(problem_.positive).array();
  gradient_.tail(problem_.positive).array() -= mu / positive;
  hessian_.diagonal().tail(problem_.positive).array() += mu / positive.square();
  hessian_factor_.compute(hessian_);
  if (hessian_factor_.info() == Eigen::Success) return true;
  // Where heavy weights leave a curvature below round-off, a little more of the diagonal shortens
  // the step in that direction.
  hessian_.diagonal() *= 1.0 + kRoundOff * static_cast<double>(v.size());
  hessian_factor_.compute(hessian_);
  return hessian_factor_.info() == Eigen::Success;
}

/// The longest of the steps 1, ½, ¼ … that stays inside and gains a tenth of what the model
/// promises; 1/(1 + δ) always does but for round-off. 0 if no step stays inside.
double LogDetNewton::StepLength(double mu, const Eigen::VectorXd& v, double decrement) {
  const double shortest = decrement < kQuadratic ? 1.0 : 1.0 / (1.0 + decrement);
  double length = 1.0;
  while (length > shortest) {
    const double gain = 0.1 * length * mu * decrement * decrement;
    trial_ = v + length * step_;
    if (Cost(mu, trial_) <= value_ - gain) return length;
    length *= 0.5;
  }
  length = shortest;  // By theory that is inside; round-off may put it out.
  while (length > kRoundOff) {
    trial_ = v + length * step_;
    if (std::isfinite(Cost(mu, trial_))) return length;
    length *= 0.5;
  }
  return 0.0;
}

NewtonResult LogDetNewton::Minimise(double mu, double tolerance, Eigen::VectorXd& v,
                                    int most_steps) {
  NewtonResult result;
  for (; result.steps < most_steps; ++result.steps) {
    if (!Expand(mu, v)) {
      result.singular = true;
      break;
    }
    step_ = -gradient_;
    hessian_factor_.solveInPlace(step_);
    const double before =
        std::exchange(result.decrement, std::sqrt(std::max(0.0, -step_.dot(gradient_)) / mu));
    // From δ < ¼ a full step leaves 2δ² < δ/2.
    result.stagnated = result.steps > 0 && before < kQuadratic && result.decrement > 0.5 * before &&
                       result.decrement * result.decrement > tolerance;
    if (result.stagnated) break;
    const double length = StepLength(mu, v, result.decrement);
    if (length == 0.0) break;
    v += length * step_;
    result.converged = result.decrement * result.decrement <= tolerance;
    if (result.converged) break;
  }
  return result;
}

}  // namespace idbench
