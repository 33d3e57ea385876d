#include <doctest/doctest.h>

#include "bench/cell/prepared_cell.h"
#include "bench/small_run_test.h"
#include "robots/dynamics/kinematics.h"

namespace idbench {
namespace {

TEST_CASE("A robot that follows a designed motion in MuJoCo stays within all its limits") {
  Json json = ParseJson(R"({
    "name": "r", "robot": {"model": "kuka_lwr4_mdh"},
    "plant": {"timestep_s": 0.001, "friction_integration": "implicit"}, "control": {"type": "computed_torque", "model": "truth"},
    "experiments": {"identification": {"motion": {
      "type": "exciting", "duration_s": 10, "floor_m": 0.25,
      "design": {"friction": ["viscous", "coulomb"], "coulomb_width_rad_s": 0.05}}}},
    "sensors": {"rate_hz": 1000, "joint_torque": {"noise_std_nm": 0.1}},
    "problem": {"parametrisation": {"friction": ["viscous", "coulomb"]}}, "estimators": {"ols": {}}})",
                        "test");
  bool exact = true;
  SUBCASE("exactly") { json["control"] = {{"type", "exact_replay"}}; }
  SUBCASE("by computed torque") { exact = false; }
  const LoadedScenario loaded = Load(json);
  RolloutStore rollouts;
  const PreparedCell cell(loaded, loaded.cells.front(), rollouts);
  const TrialData data = cell.Run(0);
  const Signals& clean = *data.clean[0];
  const RobotModel& model = cell.robot().model;
  const JointLimits& limits = model.limits();
  REQUIRE(clean.time_s.size() >= 10000);
  double follows = 0.0, lowest = 1.0;
  JointState desired = JointState::Zero(model.dofs());
  std::vector<Pose> poses(model.links().size());
  const auto showing = cell.MotionOf(data, "identification");
  REQUIRE(showing);
  const CollisionModel& collision = model.collision();
  for (Eigen::Index k = 0; k < clean.time_s.size(); ++k) {
    const Eigen::VectorXd q = clean[kJointPosition].row(k).transpose();
    showing->desired.motion->Evaluate(clean.time_s[k], desired);
    follows = std::max(follows, (q - desired.q).lpNorm<Eigen::Infinity>());
    ForwardKinematics(model, q, poses);
    for (const int s : collision.above_floor) {
      const CollisionSphere& each = collision.spheres[static_cast<std::size_t>(s)];
      const Pose pose = PoseOf({each.link, Eigen::Matrix3d::Identity(), each.p_LC_L}, poses);
      lowest = std::min(lowest, pose.p_BL_B.z());
    }
  }
  // Light joints stick and slip where friction reverses, which takes much of their torque.
  CHECK(follows < (exact ? 1e-12 : 0.02));
  CHECK(lowest > 0.25);  // the design keeps a clearance of 2 mm
  for (int j = 0; j < model.dofs(); ++j) {
    CAPTURE(j);
    CHECK(clean[kJointPosition].col(j).maxCoeff() < limits.upper[j]);
    CHECK(clean[kJointPosition].col(j).minCoeff() > limits.lower[j]);
    CHECK(clean[kJointVelocity].col(j).lpNorm<Eigen::Infinity>() < limits.velocity[j]);
    if (exact) {
      CHECK(clean[kJointAcceleration].col(j).lpNorm<Eigen::Infinity>() < limits.acceleration[j]);
    }
    CHECK(clean[kJointTorque].col(j).lpNorm<Eigen::Infinity>() < limits.effort[j]);
  }
}

}  // namespace
}  // namespace idbench
