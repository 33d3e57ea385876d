#include "robots/dynamics/end_effector_wrench.h"

#include <fmt/format.h>

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
  const double condition = WrenchFromTorque(J_, T);
  if (condition < kLeastCondition) T.setConstant(std::numeric_limits<double>::quiet_NaN());
  return condition;
}

std::string EndEffectorWrench::WhyNone(const Eigen::Ref<const Eigen::VectorXd>& q) {
  Eigen::MatrixXd T(kWrenchSize, model_.dofs());
  return fmt::format(
      "the end effector's Jacobian has the reciprocal condition "
      "{:.2g}, a wrench there takes at least {:g}; keep the motion away from it",
      Map(q, T), kLeastCondition);
}

std::unique_ptr<TorqueMap> MakeEndEffectorWrench(const RobotModel& model) {
  return std::make_unique<EndEffectorWrench>(model);
}

double WrenchFromTorque(const Eigen::Ref<const Eigen::MatrixXd>& J, Eigen::Ref<Eigen::MatrixXd> T) {
  using Matrix6 = Eigen::Matrix<double, kWrenchSize, kWrenchSize>;
  using Vector6 = Eigen::Matrix<double, kWrenchSize, 1>;
  assert(J.rows() == kWrenchSize && T.rows() == kWrenchSize && T.cols() == J.cols());
  const double reach = J.topRows<3>().colwise().norm().maxCoeff();
  Vector6 scale = Vector6::Ones();
  if (reach > 0.0) scale.head<3>().setConstant(1.0 / reach);
  // G = (S J)(S J)ᵀ = V Λ Vᵀ,  (J Jᵀ)⁻¹ J = S V Λ⁻¹ Vᵀ S J
  Matrix6 G = Matrix6::Zero();
  for (Eigen::Index k = 0; k < J.cols(); ++k) {
    const Vector6 column = scale.cwiseProduct(J.col(k));
    G += column * column.transpose();
  }
  const Eigen::SelfAdjointEigenSolver<Matrix6> solver(G);
  const Vector6& squares = solver.eigenvalues();
  constexpr double kNothing = 1e-12;  // of a squared singular value beside the largest
  const double least = kNothing * squares[kWrenchSize - 1];
  const Vector6 inverse_squares =
      (squares.array() > least).select(squares.cwiseInverse(), Vector6::Zero());
  const Matrix6 inverse =
      solver.eigenvectors() * inverse_squares.asDiagonal() * solver.eigenvectors().transpose();
  const Matrix6 scaled = scale.asDiagonal() * inverse * scale.asDiagonal();
  for (Eigen::Index k = 0; k < J.cols(); ++k) T.col(k).noalias() = scaled * J.col(k);
  return squares[0] > least ? std::sqrt(squares[0] / squares[kWrenchSize - 1]) : 0.0;
}

}  // namespace idbench
