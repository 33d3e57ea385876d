#include "robots/dynamics/end_effector_wrench.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace idbench {

EndEffectorWrench::EndEffectorWrench(const RobotModel& model)
    : model_(model),
      poses_(model.links().size()),
      J_(Eigen::MatrixXd::Zero(kWrenchSize, model.dofs())) {}

double EndEffectorWrench::Map(const Eigen::Ref<const Eigen::VectorXd>& q,
                              Eigen::Ref<Eigen::MatrixXd> T) {
  ForwardKinematics(model_, q, poses_);
  PointJacobian(model_, poses_, model_.end_effector().link, model_.end_effector().p_LE_L, J_);
  return WrenchFromTorque(J_, T);
}

double WrenchFromTorque(const Eigen::Ref<const Eigen::MatrixXd>& J, Eigen::Ref<Eigen::MatrixXd> T) {
  using Matrix6 = Eigen::Matrix<double, kWrenchSize, kWrenchSize>;
  using Vector6 = Eigen::Matrix<double, kWrenchSize, 1>;
  assert(J.rows() == kWrenchSize && T.rows() == kWrenchSize && T.cols() == J.cols());
  T.setConstant(std::numeric_limits<double>::quiet_NaN());
  const double reach = J.topRows<3>().colwise().norm().maxCoeff();
  if (J.cols() < kWrenchSize || !(reach > 0.0)) return 0.0;
  Vector6 scale = Vector6::Ones();
  scale.head<3>().setConstant(1.0 / reach);
  // G = (S J)(S J)ᵀ = V Λ Vᵀ,  (J Jᵀ)⁻¹ J = S V Λ⁻¹ Vᵀ S J
  Matrix6 G = Matrix6::Zero();
  for (Eigen::Index k = 0; k < J.cols(); ++k) {
    const Vector6 column = scale.cwiseProduct(J.col(k));
    G += column * column.transpose();
  }
  const Eigen::SelfAdjointEigenSolver<Matrix6> solver(G);
  const Vector6& squares = solver.eigenvalues();
  const double condition = std::sqrt(std::max(squares[0], 0.0) / squares[kWrenchSize - 1]);
  if (!(condition >= EndEffectorWrench::kLeastCondition)) return condition;
  const Matrix6 inverse = solver.eigenvectors() * squares.cwiseInverse().asDiagonal() *
                          solver.eigenvectors().transpose();
  const Matrix6 scaled = scale.asDiagonal() * inverse * scale.asDiagonal();
  for (Eigen::Index k = 0; k < J.cols(); ++k) T.col(k).noalias() = scaled * J.col(k);
  return condition;
}

}  // namespace idbench
