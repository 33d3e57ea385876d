#include "sim/truth/true_dynamics.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cassert>
#include <cmath>

#include "robots/dynamics/end_effector_wrench.h"
#include "sim/truth/mujoco_views.h"

namespace idbench {

TrueDynamics::TrueDynamics(const Scene& scene)
    : robot_(scene.robot),
      model_(robot_),
      data_(mj_makeData(&robot_.model())),
      forces_(Eigen::VectorXd::Zero(robot_.dofs())),
      load_(forces_),
      inertia_(Eigen::MatrixXd::Zero(robot_.dofs(), robot_.dofs())),
      velocities_(3, robot_.dofs()),
      turns_(3, robot_.dofs()),
      J_(kWrenchSize, robot_.dofs()),
      T_(kWrenchSize, robot_.dofs()) {
  if (scene.environment == nullptr) return;
  outside_.emplace(scene);
  if (scene.environment->motor_noise) noise_ = &*scene.environment->motor_noise;
}

void TrueDynamics::SetTime(double t) {
  model_.Set(t);
  friction_factor_ = robot_.FrictionFactor(t);
  if (outside_) outside_->Set(t);
  time_s_ = t;
}

Eigen::Matrix3d TrueDynamics::RotationOf(int body) const {
  return Eigen::Map<const RowMajor3>(data_->xmat + 9 * body);
}

void TrueDynamics::SetPosition(const Eigen::VectorXd& q) {
  assert(q.size() == robot_.dofs());
  for (int i = 0; i < robot_.dofs(); ++i) data_->qpos[robot_.qpos_address(i)] = q(i);
  mj_kinematics(&model_.get(), data_.get());
  mj_comPos(&model_.get(), data_.get());
  if (model_.get().ntendon > 0) mj_tendon(&model_.get(), data_.get());
}

void TrueDynamics::SetState(const Eigen::VectorXd& q, const Eigen::VectorXd& qd,
                            const Eigen::VectorXd& qdd) {
  SetPosition(q);
  for (int i = 0; i < robot_.dofs(); ++i) {
    data_->qvel[robot_.dof_address(i)] = qd(i);
    data_->qacc[robot_.dof_address(i)] = qdd(i);
  }
  mj_comVel(&model_.get(), data_.get());
  if (!outside_) return;
  outside_->Find(model_.get(), *data_);
  outside_->Apply(*data_);  // for mj_rnePostConstraint()
}

void TrueDynamics::Torque(const Eigen::VectorXd& q, const Eigen::VectorXd& qd,
                          const Eigen::VectorXd& qdd, Eigen::VectorXd& tau) {
  SetState(q, qd, qdd);
  mj_rne(&model_.get(), data_.get(), 1, forces_.data());
  if (outside_) outside_->SubtractTorques(model_.get(), *data_, forces_.data());
  for (int i = 0; i < robot_.dofs(); ++i) {
    const int dof = robot_.dof_address(i);
    tau(i) = forces_(dof) + model_.get().dof_armature[dof] * qdd(i) +
             robot_.FrictionTorque(i, qd(i), friction_factor_) + robot_.PositionTorque(i, q(i));
  }
  robot_.AddTermTorques(friction_factor_, qd, tau);
  robot_.AddRotorTorques(qdd, tau);
  if (robot_.friction().GrowsWithLoad()) AddLoadFriction(qd, qdd, tau);
  if (noise_ != nullptr) noise_->SubtractFrom(time_s_, tau);
}

void TrueDynamics::AddLoadFriction(const Eigen::VectorXd& qd, const Eigen::VectorXd& qdd,
                                   Eigen::VectorXd& tau) {
  for (int i = 0; i < robot_.dofs(); ++i) {
    const int dof = robot_.dof_address(i);
    load_(i) = forces_(dof) + model_.get().dof_armature[dof] * qdd(i);
  }
  robot_.AddRotorTorques(qdd, load_);
  for (int i = 0; i < robot_.dofs(); ++i) {
    tau(i) += robot_.friction().LoadTorque(i, load_(i), robot_.friction_shape().Coulomb(qd(i)),
                                           friction_factor_);
  }
}

void TrueDynamics::AddForceOn(int body, const Eigen::Vector3d& p_WP_W, Wrench& wrench) const {
  // Moment about C, then force. C is the centre of mass of everything under the same child of the
  // world.
  const ConstVector3 moment_at_C_W(data_->cfrc_int + 6 * body);
  const ConstVector3 force_on_body_W(data_->cfrc_int + 6 * body + 3);
  const ConstVector3 p_WC_W(data_->subtree_com + 3 * model_.get().body_rootid[body]);
  wrench.force_W += force_on_body_W;
  wrench.moment_W += moment_at_C_W + (p_WC_W - p_WP_W).cross(force_on_body_W);
}

void TrueDynamics::BaseWrench(const Eigen::VectorXd& q, const Eigen::VectorXd& qd,
                              const Eigen::VectorXd& qdd, Eigen::Ref<Eigen::VectorXd> wrench) {
  const mjModel& model = model_.get();
  const TrueBase& base = robot_.base();
  SetState(q, qd, qdd);
  mj_rnePostConstraint(&model, data_.get());
  const ConstVector3 p_WB_W(data_->xpos + 3 * base.body);
  Wrench sum;
  for (int body = 1; body < model.nbody; ++body) {
    const bool moves = model.body_weldid[body] != 0;
    if (!moves || model.body_weldid[model.body_parentid[body]] != 0) continue;
    AddForceOn(body, p_WB_W, sum);  // on this first moving body
  }
  // The base itself is only carried: F −= m·g, M −= (m·c) × g.
  const Eigen::Matrix3d R_WB = RotationOf(base.body);
  const Eigen::Vector3d gravity_B = R_WB.transpose() * ConstVector3(model.opt.gravity);
  wrench.head<3>() = R_WB.transpose() * sum.force_W - base.mass * gravity_B;
  wrench.tail<3>() = R_WB.transpose() * sum.moment_W - base.first_moment.cross(gravity_B);
}

bool TrueDynamics::IsPayload(int body) const {
  return std::ranges::find(robot_.payloads(), body, &TruePayload::body) != robot_.payloads().end();
}

void TrueDynamics::CutWrench(const TrueCut& cut, const Eigen::VectorXd& q,
                             const Eigen::VectorXd& qd, const Eigen::VectorXd& qdd,
                             Eigen::Ref<Eigen::VectorXd> wrench) {
  const mjModel& model = model_.get();
  SetState(q, qd, qdd);
  mj_rnePostConstraint(&model, data_.get());
  const Eigen::Matrix3d R_WL = RotationOf(cut.body);
  const Eigen::Vector3d p_WS_W =
      Eigen::Map<const Eigen::Vector3d>(data_->xpos + 3 * cut.body) + R_WL * cut.p_LS_L;
  const int link = model.body_weldid[cut.body];
  Wrench sum;
  for (int body = 1; body < model.nbody; ++body) {
    const bool of_link = model.body_weldid[body] == link;
    const bool on_link = model.body_weldid[model.body_parentid[body]] == link;
    const bool first_beyond =
        cut.link_beyond ? body == link : (of_link ? IsPayload(body) : on_link);
    if (first_beyond) AddForceOn(body, p_WS_W, sum);
  }
  if (outside_ && !cut.link_beyond) {
    // What touches bodies that are attached to the link acts on the link in the model.
    Wrench touched;
    outside_->AddWrench(p_WS_W, cut.body, touched.force_W, touched.moment_W);
    sum.force_W -= touched.force_W;
    sum.moment_W -= touched.moment_W;
  }
  const Eigen::Matrix3d R_SW = (R_WL * cut.R_LS).transpose();
  wrench.head<3>() = R_SW * sum.force_W;
  wrench.tail<3>() = R_SW * sum.moment_W;
  wrench += cut.offsets;
  for (const CableWave& cable : cut.cables) wrench[cable.component] += cable.At(q);
}

void TrueDynamics::ExternalWrench(const Eigen::VectorXd& q, const Eigen::VectorXd& qd,
                                  Eigen::Ref<Eigen::VectorXd> wrench) {
  wrench.setZero();
  if (!outside_ || !outside_->may_act()) return;
  SetPosition(q);
  for (int i = 0; i < robot_.dofs(); ++i) data_->qvel[robot_.dof_address(i)] = qd(i);
  outside_->Find(model_.get(), *data_);
  const int base = robot_.base().body;
  Wrench sum;
  constexpr int kAll = -1;
  outside_->AddWrench(Eigen::Map<const Eigen::Vector3d>(data_->xpos + 3 * base), kAll, sum.force_W,
                      sum.moment_W);
  const Eigen::Matrix3d R_BW = RotationOf(base).transpose();
  wrench.head<3>() = R_BW * sum.force_W;
  wrench.tail<3>() = R_BW * sum.moment_W;
}

void TrueDynamics::WrenchAtEndEffector(const Eigen::VectorXd& q, const Eigen::VectorXd& tau,
                                       Eigen::Ref<Eigen::VectorXd> wrench) {
  const TrueEndEffector& end = robot_.end_effector();
  SetPosition(q);
  const Eigen::Vector3d p_WE_W = Eigen::Map<const Eigen::Vector3d>(data_->xpos + 3 * end.body) +
                                 RotationOf(end.body) * end.p_LE_L;
  mj_jac(&model_.get(), data_.get(), velocities_.data(), turns_.data(), p_WE_W.data(), end.body);
  const Eigen::Matrix3d R_BW = RotationOf(robot_.base().body).transpose();
  for (int i = 0; i < robot_.dofs(); ++i) {
    J_.col(i).head<3>() = R_BW * velocities_.col(robot_.dof_address(i));
    J_.col(i).tail<3>() = R_BW * turns_.col(robot_.dof_address(i));
  }
  WrenchFromTorque(J_, T_);
  wrench.noalias() = T_ * tau;
}

ImuReading TrueDynamics::Imu(const Eigen::VectorXd& q, const Eigen::VectorXd& qd,
                             const Eigen::VectorXd& qdd) {
  assert(robot_.imu());
  const TrueImu& imu = *robot_.imu();
  SetState(q, qd, qdd);
  mj_rnePostConstraint(&model_.get(), data_.get());
  // Of the body's origin O in its own axes: angular, then linear. MuJoCo's accelerations are those
  // of a world that is accelerated against gravity.
  Eigen::Matrix<mjtNum, 6, 1> velocity;
  Eigen::Matrix<mjtNum, 6, 1> acceleration;
  constexpr int kLocal = 1;
  mj_objectVelocity(&model_.get(), data_.get(), mjOBJ_XBODY, imu.body, velocity.data(), kLocal);
  mj_objectAcceleration(&model_.get(), data_.get(), mjOBJ_XBODY, imu.body, acceleration.data(),
                        kLocal);
  const Eigen::Vector3d w = velocity.head<3>();
  // a_S = a_O + ẇ × p_OS + w × (w × p_OS)
  return {acceleration.tail<3>() + acceleration.head<3>().cross(imu.p_LS_L) +
              w.cross(w.cross(imu.p_LS_L)),
          w};
}

std::optional<double> TrueDynamics::Distance(const Eigen::VectorXd& q) {
  assert(robot_.distance_meter());
  const TrueDistanceMeter& meter = *robot_.distance_meter();
  SetPosition(q);
  const Eigen::Matrix3d R_WL = RotationOf(meter.body);
  const Eigen::Vector3d p_BS_W = ConstVector3(data_->xpos + 3 * meter.body) + R_WL * meter.p_LS_L -
                                 ConstVector3(data_->xpos + 3 * robot_.base().body);
  const Eigen::Vector3d down_W = ConstVector3(model_.get().opt.gravity).normalized();
  // (p_BS + d·axis)·down = 0
  const double distance = -p_BS_W.dot(down_W) / (R_WL * meter.axis_L).dot(down_W);
  if (!(distance >= 0.0) || !std::isfinite(distance)) return std::nullopt;
  return distance;
}

void TrueDynamics::MassMatrix(const Eigen::VectorXd& q, Eigen::MatrixXd& M) {
  SetPosition(q);
  mj_makeM(&model_.get(), data_.get());
  mj_fullM(&model_.get(), data_.get(), inertia_.data());
  for (int i = 0; i < robot_.dofs(); ++i) {
    for (int j = 0; j < robot_.dofs(); ++j) {
      M(i, j) = inertia_(robot_.dof_address(i), robot_.dof_address(j));
    }
  }
}

}  // namespace idbench
