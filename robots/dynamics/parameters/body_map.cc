#include "robots/dynamics/parameters/body_map.h"

#include <cmath>

namespace idbench {
namespace {

/// Ixx, Ixy, Iyy, Ixz, Iyz, Izz
Eigen::Matrix<double, 6, 1> Packed(const Eigen::Matrix3d& I) {
  Eigen::Matrix<double, 6, 1> packed;
  packed << I(0, 0), I(0, 1), I(1, 1), I(0, 2), I(1, 2), I(2, 2);
  return packed;
}

/// |h|²·1 − h·hᵀ
Eigen::Matrix3d Steiner(const Eigen::Vector3d& h) {
  return h.squaredNorm() * Eigen::Matrix3d::Identity() - h * h.transpose();
}

/// U of LogCholeskyMap.
Eigen::Matrix4d Factor(const LogCholeskyMap::Unknowns& x) {
  Eigen::Matrix4d U;
  U << std::exp(x[1]), x[4], x[6], x[7],  //
      0.0, std::exp(x[2]), x[5], x[8],    //
      0.0, 0.0, std::exp(x[3]), x[9],     //
      0.0, 0.0, 0.0, 1.0;
  return std::exp(x[0]) * U;
}

}  // namespace

InertialParameters FirstMomentsMap::Pi(const Unknowns& x) const {
  const Eigen::Vector3d h = x.segment<3>(1);
  InertialParameters pi;
  pi.head<4>() = x.head<4>();
  pi.tail<6>() = Packed(axes * x.tail<3>().asDiagonal() * axes.transpose() + Steiner(h) / x[0]);
  return pi;
}

Eigen::Matrix<double, kInertialCount, FirstMomentsMap::kSize> FirstMomentsMap::Jacobian(
    const Unknowns& x) const {
  const double m = x[0];
  const Eigen::Vector3d h = x.segment<3>(1);
  Eigen::Matrix<double, kInertialCount, kSize> J;
  J.setZero();
  J.topLeftCorner<4, 4>().setIdentity();
  // ∂I_o/∂m = −(|h|²·1 − h·hᵀ)/m²
  J.col(0).tail<6>() = Packed(-Steiner(h) / (m * m));
  for (int k = 0; k < 3; ++k) {
    // ∂I_o/∂h_k = (2·h_k·1 − e_k·hᵀ − h·e_kᵀ)/m,  ∂I_o/∂J_k = a_k·a_kᵀ
    Eigen::Matrix3d dI = 2.0 * h[k] * Eigen::Matrix3d::Identity();
    dI.row(k) -= h.transpose();
    dI.col(k) -= h;
    J.col(1 + k).tail<6>() = Packed(dI / m);
    J.col(4 + k).tail<6>() = Packed(axes.col(k) * axes.col(k).transpose());
  }
  return J;
}

FirstMomentsMap::Unknowns FirstMomentsMap::FromPi(const InertialParameters& pi) const {
  Unknowns x;
  x.head<4>() = pi.head<4>();
  x.tail<3>() = (axes.transpose() * FromStandard(pi).I_com * axes).diagonal();
  return x;
}

InertialParameters LogCholeskyMap::Pi(const Unknowns& x) const {
  const Eigen::Matrix4d U = Factor(x);
  return FromPseudoInertia(U * U.transpose());
}

Eigen::Matrix<double, kInertialCount, LogCholeskyMap::kSize> LogCholeskyMap::Jacobian(
    const Unknowns& x) const {
  const Eigen::Matrix4d U = Factor(x);
  const double scale = std::exp(x[0]);
  Eigen::Matrix<double, kInertialCount, kSize> J;
  J.col(0) = FromPseudoInertia(2.0 * U * U.transpose());
  // ∂U/∂x_k = u·e_i·e_jᵀ, so the pseudo-inertia changes by u·(e_i·U_jᵀ + U_j·e_iᵀ), U_j column j.
  constexpr int kRow[] = {0, 0, 1, 2, 0, 1, 0, 0, 1, 2};
  constexpr int kColumn[] = {0, 0, 1, 2, 1, 2, 2, 3, 3, 3};
  for (int k = 1; k < kSize; ++k) {
    const int i = kRow[k], j = kColumn[k];
    const double u = i == j ? U(i, i) : scale;
    Eigen::Matrix4d change = Eigen::Matrix4d::Zero();
    change.row(i) += u * U.col(j).transpose();
    change.col(i) += u * U.col(j);
    J.col(k) = FromPseudoInertia(change);
  }
  return J;
}

LogCholeskyMap::Unknowns LogCholeskyMap::FromPi(const InertialParameters& pi) const {
  const double m = pi[0];
  const Eigen::Vector3d t = pi.segment<3>(1) / m;
  // Σ/m − t·tᵀ = V·Vᵀ, V upper triangular, from its last column on.
  const Eigen::Matrix3d S = PseudoInertia(pi).topLeftCorner<3, 3>() / m - t * t.transpose();
  const double v33 = std::sqrt(S(2, 2));
  const double s23 = S(1, 2) / v33, s13 = S(0, 2) / v33;
  const double v22 = std::sqrt(S(1, 1) - s23 * s23);
  const double s12 = (S(0, 1) - s13 * s23) / v22;
  const double v11 = std::sqrt(S(0, 0) - s12 * s12 - s13 * s13);
  Unknowns x;
  x << 0.5 * std::log(m), std::log(v11), std::log(v22), std::log(v33), s12, s23, s13, t;
  return x;
}

}  // namespace idbench
