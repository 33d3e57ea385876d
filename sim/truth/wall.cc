#include "sim/truth/wall.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/sensors/per_joint.h"
#include "sim/truth/mujoco_views.h"

namespace idbench {

WallContact::WallContact(const Wall& wall, const TrueRobot& robot)
    : wall_(wall),
      body_(robot.body_of(wall.link)),
      base_(robot.base().body),
      dofs_(robot.dofs()),
      n_W_(Eigen::Vector3d::Zero()),
      p_WT_W_(n_W_),
      force_W_(n_W_),
      J_mujoco_(3, robot.dofs()),
      J_(3, robot.dofs()) {
  for (int i = 0; i < robot.dofs(); ++i) dofs_[i] = robot.dof_address(i);
}

void WallContact::Find(const mjModel& model, const mjData& data) {
  const Eigen::Map<const RowMajor3> R_WL(data.xmat + 9 * body_), R_WB(data.xmat + 9 * base_);
  p_WT_W_ = ConstVector3(data.xpos + 3 * body_) + R_WL * wall_.p_LT_L;
  n_W_ = R_WB * wall_.normal_B;
  depth_ = n_W_.dot(ConstVector3(data.xpos + 3 * base_) + R_WB * wall_.p_BW_B - p_WT_W_);
  force_ = sliding_ = 0.0;
  force_W_.setZero();
  if (!(depth_ > 0.0)) return;
  mj_jac(&model, &data, J_mujoco_.data(), nullptr, p_WT_W_.data(), body_);
  const Eigen::Vector3d v_W =
      J_mujoco_ * Eigen::Map<const Eigen::VectorXd>(data.qvel, J_mujoco_.cols());
  force_ = std::max(0.0, wall_.stiffness * depth_ - wall_.damping * n_W_.dot(v_W));
  const Eigen::Vector3d along_W = v_W - n_W_.dot(v_W) * n_W_;
  sliding_ = wall_.friction * force_ / std::hypot(along_W.norm(), wall_.friction_width);
  force_W_ = force_ * n_W_ - sliding_ * along_W;
  for (Eigen::Index i = 0; i < dofs_.size(); ++i) J_.col(i) = J_mujoco_.col(dofs_[i]);
}

void WallContact::AddDamping(double h, Eigen::MatrixXd& M) const {
  const Eigen::RowVectorXd across = n_W_.transpose() * J_;
  M.noalias() += h * sliding_ * (J_.transpose() * J_);
  M.noalias() += h * (wall_.damping - sliding_) * (across.transpose() * across);
}

double WallContact::Mobility(const Eigen::LLT<Eigen::MatrixXd>& M) const {
  const Eigen::VectorXd across = J_.transpose() * n_W_;
  return across.dot(M.solve(across));
}

std::optional<std::string> WhyNoWalls(const MujocoPlantOptions& options,
                                      const MismatchOptions& mismatch) {
  if (!HasSemiImplicitStep(options)) {
    return fmt::format(
        "a wall needs a semi-implicit step: /plant/integrator \"implicitfast\", \"Euler\" or "
        "\"discrete\", not \"{}\"",
        options.integrator);
  }
  if (AnyNonZero(mismatch.frictionloss_nm)) {
    return "MuJoCo's frictionloss, a constraint, cannot be combined with a wall: declare the "
           "joint's coulomb_nm instead";
  }
  return {};
}

}  // namespace idbench
