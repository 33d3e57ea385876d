#include "sim/true_dynamics.h"

#include <cassert>

namespace idbench {

TrueDynamics::TrueDynamics(const TrueRobot& robot)
    : robot_(robot),
      data_(mj_makeData(&robot.model())),
      forces_(Eigen::VectorXd::Zero(robot.dofs())),
      inertia_(Eigen::MatrixXd::Zero(robot.dofs(), robot.dofs())) {}

void TrueDynamics::SetPosition(const Eigen::VectorXd& q) {
  assert(q.size() == robot_.dofs());
  for (int i = 0; i < robot_.dofs(); ++i) data_->qpos[robot_.qpos_address(i)] = q(i);
  mj_kinematics(&robot_.model(), data_.get());
  mj_comPos(&robot_.model(), data_.get());
}

void TrueDynamics::Torque(const Eigen::VectorXd& q, const Eigen::VectorXd& qd,
                          const Eigen::VectorXd& qdd, Eigen::VectorXd& tau) {
  SetPosition(q);
  for (int i = 0; i < robot_.dofs(); ++i) {
    data_->qvel[robot_.dof_address(i)] = qd(i);
    data_->qacc[robot_.dof_address(i)] = qdd(i);
  }
  mj_comVel(&robot_.model(), data_.get());
  mj_rne(&robot_.model(), data_.get(), 1, forces_.data());
  for (int i = 0; i < robot_.dofs(); ++i) {
    const int dof = robot_.dof_address(i);
    tau(i) =
        forces_(dof) + robot_.model().dof_armature[dof] * qdd(i) + robot_.FrictionTorque(i, qd(i));
  }
}

void TrueDynamics::MassMatrix(const Eigen::VectorXd& q, Eigen::MatrixXd& M) {
  SetPosition(q);
  mj_makeM(&robot_.model(), data_.get());
  mj_fullM(&robot_.model(), data_.get(), inertia_.data());
  for (int i = 0; i < robot_.dofs(); ++i) {
    for (int j = 0; j < robot_.dofs(); ++j) {
      M(i, j) = inertia_(robot_.dof_address(i), robot_.dof_address(j));
    }
  }
}

}  // namespace idbench
