#include "robots/dynamics/parameters/pseudo_inertia.h"

#include <Eigen/Eigenvalues>

namespace idbench {
namespace {

constexpr double kBoundary = 1e-9;

}  // namespace

Eigen::Matrix4d PseudoInertia(const InertialParameters& p) {
  const double half_trace = 0.5 * (p[4] + p[6] + p[9]);
  Eigen::Matrix4d J;
  J << half_trace - p[4], -p[5], -p[7], p[1],  //
      -p[5], half_trace - p[6], -p[8], p[2],   //
      -p[7], -p[8], half_trace - p[9], p[3],   //
      p[1], p[2], p[3], p[0];
  return J;
}

InertialParameters FromPseudoInertia(const Eigen::Matrix4d& J) {
  const double trace = J(0, 0) + J(1, 1) + J(2, 2);
  InertialParameters p;
  p << J(3, 3), J(0, 3), J(1, 3), J(2, 3), trace - J(0, 0), -J(0, 1), trace - J(1, 1), -J(0, 2),
      -J(1, 2), trace - J(2, 2);
  return p;
}

Consistency PhysicalConsistency(const InertialParameters& parameters) {
  if (!parameters.allFinite() || parameters[0] < 0.0) return Consistency::kInconsistent;
  if (parameters[0] == 0.0) {
    return parameters.isZero(0.0) ? Consistency::kDegenerate : Consistency::kInconsistent;
  }
  const Eigen::Matrix3d I_com = FromStandard(parameters).I_com;
  const Eigen::Matrix3d sigma = 0.5 * I_com.trace() * Eigen::Matrix3d::Identity() - I_com;
  const double least = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(sigma, Eigen::EigenvaluesOnly)
                           .eigenvalues()
                           .minCoeff();
  if (least > kBoundary * sigma.trace()) return Consistency::kConsistent;
  return sigma.trace() >= 0.0 && least >= -kBoundary * sigma.trace() ? Consistency::kDegenerate
                                                                     : Consistency::kInconsistent;
}

InertialParameters ProjectToConsistent(const InertialParameters& parameters,
                                       double floor_fraction) {
  const Eigen::Matrix4d J = PseudoInertia(parameters);
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d> eigen(J);
  const double floor = floor_fraction * eigen.eigenvalues().cwiseMax(0.0).sum();
  const Eigen::Vector4d values = eigen.eigenvalues().cwiseMax(floor);
  return FromPseudoInertia(eigen.eigenvectors() * values.asDiagonal() *
                           eigen.eigenvectors().transpose());
}

}  // namespace idbench
