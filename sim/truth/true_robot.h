#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "robots/dynamics/dynamics.h"
#include "robots/mjspec.h"
#include "sim/truth/mismatch.h"
#include "sim/truth/motor.h"
#include "sim/truth/mujoco_options.h"
#include "sim/truth/payload.h"
#include "sim/truth/true_friction.h"

namespace idbench {

/// Part of a robot that is fixed to the ground: the frame of its base, and the base link's mass.
struct TrueBase {
  int body = 0;       ///< Body of the MuJoCo model whose frame is the base's; 0: the world.
  double mass = 0.0;  ///< [kg]
  Eigen::Vector3d first_moment = Eigen::Vector3d::Zero();  ///< m·c in the base's frame [kg·m].
};

/// End effector in the MuJoCo model: a point fixed to a body.
struct TrueEndEffector {
  int body = 0;
  Eigen::Vector3d p_LE_L = Eigen::Vector3d::Zero();  ///< In the body's frame [m].
};

/// True IMU: a point fixed to a body of the MuJoCo model, with the axes of that body.
struct TrueImu {
  int body = 0;
  Eigen::Vector3d p_LS_L = Eigen::Vector3d::Zero();  ///< In the body's frame [m].
};

/// Cut in the MuJoCo model, see Cut.
struct TrueCut {
  std::string name;
  int body = 0;  ///< That carries the link's frame.
  Eigen::Matrix3d R_LS = Eigen::Matrix3d::Identity();
  Eigen::Vector3d p_LS_L = Eigen::Vector3d::Zero();  ///< In the body's frame [m].
  bool link_beyond = true;
  /// Offsets of the sensor's force and moment [N, N·m].
  Eigen::Vector<double, 6> offsets = Eigen::Vector<double, 6>::Zero();
  std::vector<CableWave> cables = {};  ///< That bridge the sensor.
};

/// Distance meter in the MuJoCo model, see DistanceMeter.
struct TrueDistanceMeter {
  int body = 0;
  Eigen::Vector3d p_LS_L = Eigen::Vector3d::Zero();  ///< In the body's frame [m].
  Eigen::Vector3d axis_L = -Eigen::Vector3d::UnitZ();
};

/// Payload, and its body in the MuJoCo model, welded to its link.
struct TruePayload {
  Payload payload;
  int body;
};

/// Term that the robot has beside friction and rotor inertia of each joint, and its value θ ≠ 0.
struct TrueTerm {
  Term term;
  double value;
};

/// Parts of a true robot besides links, rotors and friction.
struct TrueParts {
  /// Its inertia counts in the base wrench; that of the MuJoCo model does not.
  TrueBase base = {};
  TrueEndEffector end_effector = {};
  std::vector<TruePayload> payloads = {};
  MismatchOptions mismatch = {};
  MotorOptions motors = {};
  Eigen::MatrixXd motors_of_torque = {};  ///< m × n, see MotorsOfJointTorque().
  Actuation actuation = {};
  std::optional<TrueImu> imu = {};
  std::optional<TrueDistanceMeter> distance_meter = {};
  std::vector<TrueCut> cuts = {};
  /// Those of the joints' torques; those of accelerations are tendons of the MuJoCo model, see
  /// CompileRobot().
  std::vector<TrueTerm> terms = {};
  std::vector<CableSpring> cables = {};  ///< Of the joints.
};

/// Robot that a simulation moves: rigid bodies, rotor inertias, friction. Only simulation and
/// metrics know its parameters.
///
/// Immutable, so that any number of plants in any number of threads can share one. Of the MuJoCo
/// model only kinematics, inertias, gravity and `armature` act. Contacts, joint stops, equality
/// constraints, springs, damping, frictionloss, fluid, gravity compensation and actuators are
/// switched off, because their forces would belong to no term of the robot's model:
///
///   τ = M(q)·q̈ + c(q, q̇) + g(q) + ia·q̈ + τ_f(q̇), with the friction τ_f of TrueFriction,
///
/// and the torques of its own terms, see Term.
///
/// A mismatch, if requested, adds cogging, the springs of cables and LuGre friction to τ, and
/// frictionloss with its own values as MuJoCo's constraint. With presliding, Coulomb friction
/// depends on the way: that of FrictionTorque() and AddTermTorques() is the one of steady sliding,
/// see Presliding. Friction may change with time, see FrictionFactor(). Under a tilted base gravity
/// is turned: world axes stay those of the base.
///
/// Payloads that come and go belong to the links that carry them: M, c and g are those
/// of the instant.
class TrueRobot {
 public:
  /// @param model        compiled, with rotor inertias ia in its `armature`.
  /// @param joint_names  the robot's joints in the order of all vectors; every joint of `model`.
  /// @throws std::invalid_argument if a joint is missing in the model, the model has others or one
  ///         that is neither hinge nor slide, a size of `friction` contradicts it, the integrator
  ///         is unknown, or friction cannot be implicit (WhyNotImplicit()).
  TrueRobot(ModelPtr model, std::vector<std::string> joint_names, TrueFriction friction,
            const MujocoPlantOptions& options, TrueParts parts = {});

  /// Returns the model with all payloads in full; see CurrentModel for those of an instant.
  const mjModel& model() const { return *model_; }
  int dofs() const { return static_cast<int>(joint_names_.size()); }
  const std::vector<std::string>& joint_names() const { return joint_names_; }
  const MujocoPlantOptions& options() const { return options_; }
  const TrueFriction& friction() const { return friction_; }
  const TrueBase& base() const { return parts_.base; }
  const TrueEndEffector& end_effector() const { return parts_.end_effector; }
  const std::vector<TruePayload>& payloads() const { return parts_.payloads; }
  const MismatchOptions& mismatch() const { return parts_.mismatch; }
  const MotorOptions& motors() const { return parts_.motors; }
  const Eigen::MatrixXd& motors_of_torque() const { return parts_.motors_of_torque; }
  const Actuation& actuation() const { return parts_.actuation; }
  const std::optional<TrueImu>& imu() const { return parts_.imu; }
  const std::optional<TrueDistanceMeter>& distance_meter() const { return parts_.distance_meter; }
  const std::vector<TrueCut>& cuts() const { return parts_.cuts; }
  const std::vector<TrueTerm>& terms() const { return parts_.terms; }
  const std::vector<CableSpring>& cables() const { return parts_.cables; }
  FrictionShape friction_shape() const { return {options_.coulomb_width_rad_s}; }

  /// Return the address of joint i in MuJoCo's vectors: in qpos, and in qvel, qacc, qfrc_….
  int qpos_address(int i) const { return model_->jnt_qposadr[JointId(i)]; }
  int dof_address(int i) const { return model_->jnt_dofadr[JointId(i)]; }
  /// Returns the body of the MuJoCo model that joint i moves: it carries the frame of link i.
  int body_of(int link) const { return model_->jnt_bodyid[JointId(link)]; }
  /// Returns the name of the joint whose degree of freedom has this address.
  const std::string& JointAt(int dof_address) const;
  /// Return the range of joint i [rad or m], ±infinity without one.
  double lower(int i) const;
  double upper(int i) const;

  /// Returns the torque of joint i that depends on position alone, of cogging and cables [N·m or
  /// N].
  double PositionTorque(int i, double q) const;
  /// Returns κ(t): friction at the time t [s] since the start of an experiment is that multiple of
  /// the friction at its start, see FrictionWarmUpOptions; exactly 1 if it does not warm up.
  double FrictionFactor(double t) const {
    return mismatch().friction_warm_up ? mismatch().friction_warm_up->FactorAt(t) : 1.0;
  }
  /// Returns the greatest κ(t).
  double GreatestFrictionFactor() const {
    return mismatch().friction_warm_up ? mismatch().friction_warm_up->GreatestFactor() : 1.0;
  }
  /// Returns τ_f of joint i at velocity `qd` [N·m or N], with the friction that is `factor` times
  /// that at the start, without what its load adds: see TrueFriction::LoadTorque().
  double FrictionTorque(int i, double qd, double factor) const {
    return friction_.Torque(i, qd, options_.coulomb_width_rad_s, factor);
  }
  /// Adds the torques of its own terms that depend on velocities, and constant ones [N·m or N].
  /// @param factor  as above; constant torques stay.
  void AddTermTorques(double factor, const Eigen::VectorXd& qd, Eigen::VectorXd& tau) const;
  /// Adds the torques of its own terms that depend on accelerations [N·m or N].
  void AddRotorTorques(const Eigen::VectorXd& qdd, Eigen::VectorXd& tau) const;

 private:
  int JointId(int i) const { return joint_ids_[static_cast<std::size_t>(i)]; }

  ModelPtr model_;
  std::vector<std::string> joint_names_;
  std::vector<int> joint_ids_;
  TrueFriction friction_;
  MujocoPlantOptions options_;
  TrueParts parts_;
};

}  // namespace idbench
