#include "robots/control/pd_gravity.h"

#include <Eigen/Cholesky>
#include <numbers>
#include <utility>

#include "robots/plant/plant_error.h"
#include "robots/recording/channels.h"

namespace idbench {
namespace {

constexpr int kInertiaInstants = 64;  // of the motion that the mean inertia is taken of

Eigen::VectorXd ForEachJoint(const PerJoint& numbers, int dofs) {
  Eigen::VectorXd values(dofs);
  for (int j = 0; j < dofs; ++j) values(j) = numbers[static_cast<std::size_t>(j)];
  return values;
}

/// M(q), column by column: M·e_j = τ(q, 0, e_j) − τ(q, 0, 0).
Eigen::MatrixXd MassMatrix(const InverseDynamics& inverse_dynamics, const Eigen::VectorXd& q) {
  const Eigen::Index n = q.size();
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(n);
  Eigen::VectorXd at_rest(n);
  Eigen::VectorXd tau(n);
  Eigen::MatrixXd M(n, n);
  inverse_dynamics(q, zero, zero, at_rest);
  for (Eigen::Index j = 0; j < n; ++j) {
    inverse_dynamics(q, zero, Eigen::VectorXd::Unit(n, j), tau);
    M.col(j) = tau - at_rest;
  }
  return M;
}

}  // namespace

FieldTable Visit(PdGravityOptions& options) {
  FieldTable table;
  table
      .Add("kp_nm_rad", options.kp_nm_rad,
           {.doc = "Gain on the position error, one number or one per joint, in N/m for a "
                   "prismatic joint; null: from natural_frequency_hz and the inertia on the motion",
            .unit = "N·m/rad",
            .lower = 0})
      .Add("kd_nms_rad", options.kd_nms_rad,
           {.doc = "Gain on the velocity error, one number or one per joint, in N·s/m for a "
                   "prismatic joint; null: from damping_ratio",
            .unit = "N·m·s/rad",
            .lower = 0})
      .Add("natural_frequency_hz", options.natural_frequency_hz,
           {.doc = "Natural frequency of a joint that has its mean inertia on the motion while the "
                   "other joints are free; used if gains are null",
            .unit = "Hz",
            .lower = 0,
            .lower_open = true})
      .Add("damping_ratio", options.damping_ratio,
           {.doc = "Damping ratio of the same joint; used if gains are null",
            .lower = 0,
            .lower_open = true});
  AddFields(table, options.loop);
  AddStabilityCheck(table, options.natural_frequency_hz, options.damping_ratio,
                    options.loop.rate_hz, [&options] { return !options.kp_nm_rad.has_value(); });
  table.Check([&options](std::vector<Issue>& issues) {
    if (options.kp_nm_rad.has_value() == options.kd_nms_rad.has_value()) return;
    const bool kp = options.kp_nm_rad.has_value();
    issues.push_back({kp ? "/kd_nms_rad" : "/kp_nm_rad",
                      kp ? "missing, but kp_nm_rad is given" : "missing, but kd_nms_rad is given",
                      {"give both gains, or neither: they then follow from natural_frequency_hz "
                       "and damping_ratio"}});
  });
  return table;
}

PdGains GainsOf(const PdGravityOptions& options, const InverseDynamics& inverse_dynamics,
                const Motion& motion, int dofs) {
  if (options.kp_nm_rad) {
    return {ForEachJoint(*options.kp_nm_rad, dofs), ForEachJoint(*options.kd_nms_rad, dofs)};
  }
  Eigen::VectorXd inertia = Eigen::VectorXd::Zero(dofs);
  JointState desired = JointState::Zero(dofs);
  for (int i = 0; i < kInertiaInstants; ++i) {
    motion.Evaluate(motion.duration_s() * i / kInertiaInstants, desired);
    const Eigen::LLT<Eigen::MatrixXd> cholesky(MassMatrix(inverse_dynamics, desired.q));
    if (cholesky.info() != Eigen::Success) {
      throw PlantError(
          "pd_gravity: the controller's mass matrix is not positive definite on the motion: give "
          "kp_nm_rad and kd_nms_rad");
    }
    const Eigen::MatrixXd M_inverse = cholesky.solve(Eigen::MatrixXd::Identity(dofs, dofs));
    inertia += M_inverse.diagonal().cwiseInverse() / kInertiaInstants;
  }
  const double w = 2.0 * std::numbers::pi * options.natural_frequency_hz;
  return {w * w * inertia, 2.0 * options.damping_ratio * w * inertia};
}

PdGravity::PdGravity(PdGains gains, double rate_hz, InverseDynamics inverse_dynamics)
    : gains_(std::move(gains)),
      rate_hz_(rate_hz),
      inverse_dynamics_(std::move(inverse_dynamics)),
      zero_(Eigen::VectorXd::Zero(gains_.kp.size())) {}

void PdGravity::Act(const JointState& desired, const Reading& reading, Command& command) {
  const Eigen::VectorXd& q = reading[kJointPosition];
  // τ = ĝ(q) + Kp·(q_d − q) + Kd·(q̇_d − q̇)
  inverse_dynamics_(q, zero_, zero_, command.value);
  command.value += gains_.kp.cwiseProduct(desired.q - q);
  command.value += gains_.kd.cwiseProduct(desired.qd - reading[kJointVelocity]);
}

}  // namespace idbench
