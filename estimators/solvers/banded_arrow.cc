#include "estimators/solvers/banded_arrow.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cassert>
#include <cmath>

namespace idbench {

BandedArrow::BandedArrow(Eigen::Index size, Eigen::Index half_bandwidth, Eigen::Index border)
    : half_bandwidth_(half_bandwidth),
      band_(size, half_bandwidth + 1),
      C_(size, border + 1),
      B_(border, border),
      b_(border),
      factor_(size, half_bandwidth + 1),
      X_(size, border + 1),
      schur_(border, border) {
  Reset(Eigen::MatrixXd::Zero(border, border), Eigen::VectorXd::Zero(border));
}

void BandedArrow::Reset(const Eigen::MatrixXd& B, const Eigen::VectorXd& b) {
  band_.setZero();
  C_.setZero();
  B_ = B;
  b_ = b;
}

void BandedArrow::Add(Eigen::Index first, const Eigen::Ref<const Rows>& J,
                      const Eigen::Ref<const Rows>& Z, const Eigen::Ref<const Eigen::VectorXd>& e) {
  const Eigen::Index p = Z.cols();
  for (Eigen::Index r = 0; r < J.rows(); ++r) {
    Add(first, J.row(r), e[r]);
    // Plain loops: rows are too short for what Eigen does before and behind its own.
    const double* const z = Z.row(r).data();
    for (Eigen::Index c = 0; c < J.cols(); ++c) {
      const double weight = J(r, c);
      double* const to = C_.row(first + c).data();
      for (Eigen::Index k = 0; k < p; ++k) to[k] += weight * z[k];
    }
  }
}

void BandedArrow::Add(Eigen::Index first, const Eigen::Ref<const Eigen::RowVectorXd>& J, double e) {
  assert(J.size() <= half_bandwidth_ + 1 && first >= 0 && first + J.size() <= size());
  const double* const j = J.data();
  for (Eigen::Index c = 0; c < J.size(); ++c) {
    double* const to = band_.row(first + c).data() + half_bandwidth_ - c;
    for (Eigen::Index d = 0; d <= c; ++d) to[d] += j[c] * j[d];
    C_(first + c, C_.cols() - 1) += j[c] * e;
  }
}

bool BandedArrow::Factor(double lambda) {
  lambda_ = lambda;
  const Eigen::Index w = half_bandwidth_, p = B_.cols();
  for (Eigen::Index i = 0; i < size(); ++i) {
    // L(i, j) = (A(i, j) − Σ_k L(i, k)·L(j, k)) / L(j, j), and the same for (C, a) on the right.
    const Eigen::Index first = std::max<Eigen::Index>(0, i - w);
    X_.row(i) = C_.row(i);
    double diagonal = (1.0 + lambda) * band_(i, w);
    for (Eigen::Index j = first; j < i; ++j) {
      const Eigen::Index shared = j - first;
      const double sum = factor_.row(i)
                             .segment(w - i + first, shared)
                             .dot(factor_.row(j).segment(w - j + first, shared));
      const double entry = (band_(i, w - i + j) - sum) / factor_(j, w);
      factor_(i, w - i + j) = entry;
      X_.row(i) -= entry * X_.row(j);
      diagonal -= entry * entry;
    }
    if (!(diagonal > 0.0)) return false;
    factor_(i, w) = std::sqrt(diagonal);
    X_.row(i) /= factor_(i, w);
  }
  schur_ = B_ - X_.leftCols(p).transpose() * X_.leftCols(p);
  return Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>>(schur_).info() == Eigen::Success;  // in place
}

double BandedArrow::Solve(Eigen::VectorXd& dz, Eigen::VectorXd& dbeta) const {
  const Eigen::Index p = B_.cols();
  dbeta = b_ - X_.leftCols(p).transpose() * X_.col(p);
  schur_.triangularView<Eigen::Lower>().solveInPlace(dbeta);
  schur_.triangularView<Eigen::Lower>().adjoint().solveInPlace(dbeta);
  Rows x = X_.col(p) - X_.leftCols(p) * dbeta;
  BackSubstitute(x);
  dz = x;
  const auto a = C_.col(p);
  return a.dot(dz) + b_.dot(dbeta) + lambda_ * band_.col(half_bandwidth_).dot(dz.cwiseProduct(dz));
}

void BandedArrow::InverseBorder(Rows& of_z, Eigen::MatrixXd& of_beta) const {
  const Eigen::Index p = B_.cols();
  of_beta.setIdentity(p, p);
  schur_.triangularView<Eigen::Lower>().solveInPlace(of_beta);
  schur_.triangularView<Eigen::Lower>().adjoint().solveInPlace(of_beta);
  of_z = -X_.leftCols(p) * of_beta;
  BackSubstitute(of_z);
}

void BandedArrow::BackSubstitute(Rows& x) const {
  const Eigen::Index w = half_bandwidth_;
  for (Eigen::Index i = size() - 1; i >= 0; --i) {
    x.row(i) /= factor_(i, w);
    for (Eigen::Index j = std::max<Eigen::Index>(0, i - w); j < i; ++j) {
      x.row(j) -= factor_(i, w - i + j) * x.row(i);
    }
  }
}

}  // namespace idbench
