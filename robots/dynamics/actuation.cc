#include "robots/dynamics/actuation.h"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <stdexcept>

namespace idbench {

bool HasMotorOnEachJoint(const RobotModel& model) {
  const Actuation& actuation = model.actuation();
  return actuation.names == model.joint_names() && actuation.B.isIdentity(0.0) &&
         actuation.zero.isZero(0.0);
}

std::vector<std::string> UndrivenJoints(const RobotModel& model) {
  std::vector<std::string> undriven;
  for (int i = 0; i < model.dofs(); ++i) {
    if (model.actuation().B.row(i).isZero(0.0)) undriven.push_back(model.link(i).joint);
  }
  return undriven;
}

Eigen::MatrixXd MotorsOfJointTorque(const Actuation& actuation) {
  const Eigen::MatrixXd& B = actuation.B;
  if (B.cols() == 0 || Eigen::ColPivHouseholderQR<Eigen::MatrixXd>(B).rank() < B.cols()) {
    throw std::invalid_argument(
        "MotorsOfJointTorque: motors that drive no joint, or joints as others do, cannot be told "
        "apart");
  }
  // B⁺ = (BᵀB)⁻¹Bᵀ: exact for motors one to a joint, and B holds a few small numbers.
  return (B.transpose() * B).llt().solve(B.transpose());
}

}  // namespace idbench
