#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "robots/dynamics/collision_model.h"
#include "robots/dynamics/terms.h"

namespace idbench {

enum class JointType { kRevolute, kPrismatic };

/// Moving link together with the joint that moves it.
///
/// The link's frame L is the body frame of the model file. At joint position q its pose in the
/// parent's frame P is, with a = `axis`, c = `anchor` and δ = q − `reference`,
///   revolute:  R_PL = R0·Rot(a, δ),  p_PL_P = p0 + R0·(c − Rot(a, δ)·c)
///   prismatic: R_PL = R0,            p_PL_P = p0 + δ·R0·a.
struct Link {
  std::string name;
  std::string joint;  ///< Name of the joint.
  int parent = -1;    ///< Index of the parent link, −1 for the base.
  JointType type = JointType::kRevolute;
  /// R_PL at q = reference.
  Eigen::Matrix3d R0 = Eigen::Matrix3d::Identity();
  Eigen::Vector3d p0 = Eigen::Vector3d::Zero();      ///< p_PL_P at q = reference [m].
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();   ///< Joint axis, a unit vector in L.
  Eigen::Vector3d anchor = Eigen::Vector3d::Zero();  ///< Point on the joint axis, in L [m].
  double reference = 0.0;  ///< Joint position at the pose (R0, p0) [rad or m].
  /// True for a link that only separates two joints of one body of the model file; it has
  /// no parameters.
  bool massless = false;
};

/// Limits of all joints, n each: position, speed, acceleration in SI units, effort [N·m or N];
/// ±infinity if a joint has none.
struct JointLimits {
  Eigen::VectorXd lower, upper, velocity, acceleration, effort;
};

/// Point E, fixed to a link, where the robot meets its environment.
struct EndEffector {
  int link = 0;
  Eigen::Vector3d p_LE_L = Eigen::Vector3d::Zero();  ///< E in the link's frame [m].
};

/// Motors and the joints that they drive: τ = B·u with u the motors' torques [N·m].
struct Actuation {
  std::vector<std::string> names;  ///< Names of the m motors.
  /// n × m [1, or 1/m for a motor on a prismatic joint]; a row of zeros is a joint without motor.
  Eigen::MatrixXd B;
  /// q₀, n: joint positions at which all motors' positions q_m = Bᵀ(q − q₀) are 0 [rad or m];
  /// empty for 0.
  Eigen::VectorXd zero = {};
};

/// Inertial measurement unit at a point S of a link, with the axes of the link.
struct ImuMount {
  int link = 0;
  Eigen::Vector3d p_LS_L = Eigen::Vector3d::Zero();  ///< S in the link's frame [m].
};

/// Distance meter at a point S of a link. It measures along its optical axis down to the ground,
/// the horizontal plane through the base's origin.
struct DistanceMeter {
  int link = 0;
  Eigen::Vector3d p_LS_L = Eigen::Vector3d::Zero();  ///< S in the link's frame [m].
  /// Optical axis, a unit vector in the link's frame.
  Eigen::Vector3d axis_L = -Eigen::Vector3d::UnitZ();
};

/// Cut through the tree at a frame S fixed to a link, as by a force/torque sensor. What lies beyond
/// it are the links that this one carries, and the link itself or not.
struct Cut {
  std::string name;
  int link = 0;
  Eigen::Matrix3d R_LS = Eigen::Matrix3d::Identity();  ///< Axes of S in the link's.
  Eigen::Vector3d p_LS_L = Eigen::Vector3d::Zero();    ///< S in the link's frame [m].
  bool link_beyond = true;  ///< The link's own inertia lies beyond, as with a sensor at its joint.
};

/// Body A fixed to a link, with inertial parameters of its own: a tool, a load, or the part of a
/// link beyond a force/torque sensor. It lies beyond every cut through its link.
struct AttachedBody {
  std::string name;
  int link = 0;
  Eigen::Matrix3d R_LA = Eigen::Matrix3d::Identity();  ///< Axes of A in the link's.
  Eigen::Vector3d p_LA_L = Eigen::Vector3d::Zero();    ///< Origin of A in the link's frame [m].
  bool known = false;  ///< Its parameters are given, none is to be estimated.
};

/// Term that has a value of its own in a configuration. Indices into TermsOf() the model.
struct OwnTerm {
  int shared = 0;  ///< The one that all other configurations share.
  int own = 0;     ///< The one that acts here in its place, and nowhere else.

  bool operator==(const OwnTerm&) const = default;
};

/// What is attached to the robot while some data are recorded, and what else is other than in other
/// data.
struct Configuration {
  std::string name;
  std::vector<int> attached = {};  ///< Indices into RobotModel::attached(), increasing.
  bool identified = true;          ///< Some of its data are for identification.
  std::vector<OwnTerm> own = {};
  /// Body that something touches, anywhere and with any force, link or attached one; −1: nothing
  /// touches the robot, as far as anybody knows.
  int touched = -1;
};

/// Tree of revolute and prismatic joints on a fixed base: kinematics, gravity and limits, but no
/// value that an estimator has to find.
class RobotModel {
 public:
  RobotModel() = default;

  /// @param links    in depth-first order: each link's descendants directly follow it.
  /// @param gravity  acceleration of free fall in base axes [m/s²].
  /// @throws std::invalid_argument if the order is not depth-first, an axis is not a unit vector, a
  ///         name occurs twice, or a limit does not have n entries.
  RobotModel(std::string name, std::string base_name, std::vector<Link> links,
             const Eigen::Vector3d& gravity, JointLimits limits);

  const std::string& name() const { return name_; }
  const std::string& base_name() const { return base_name_; }
  int dofs() const { return static_cast<int>(links_.size()); }
  const std::vector<Link>& links() const { return links_; }
  const Link& link(int i) const { return links_[static_cast<std::size_t>(i)]; }
  /// Bodies are the base, −1, the links, 0 … n − 1, and what can be attached to these, from n on;
  /// this is the index behind the last one.
  int body_end() const { return dofs() + static_cast<int>(attached_.size()); }
  const std::string& BodyName(int body) const;
  /// Returns the body's index if it is a link or the base, else that of the link that carries it.
  int CarrierOf(int body) const;
  const Eigen::Vector3d& gravity() const { return gravity_; }
  const JointLimits& limits() const { return limits_; }

  /// Returns the number of links that joint i carries, its own included: links i … i + size − 1.
  int subtree_size(int i) const { return subtree_sizes_[static_cast<std::size_t>(i)]; }

  /// Returns the end effector; by default the origin of the last link.
  const EndEffector& end_effector() const { return end_effector_; }
  /// @throws std::invalid_argument if the robot does not have that link.
  void SetEndEffector(const EndEffector& end_effector);

  /// Returns the actuation; by default one motor per joint, with the joint's name.
  const Actuation& actuation() const { return actuation_; }
  /// @throws std::invalid_argument if B or q₀ has another number of rows or columns, an entry is
  ///         not finite, or a motor's name occurs twice.
  void SetActuation(Actuation actuation);

  /// Returns the terms that the model has beside fv, fc, fo and ia of each joint; none by default.
  const std::vector<Term>& terms() const { return terms_; }
  /// @throws std::invalid_argument if the robot lacks a joint, cut or input of a term, a term acts
  /// on
  ///         no row or is not linear in the acceleration, a name occurs twice, or v_s is not
  ///         positive.
  void SetTerms(std::vector<Term> terms);
  /// Returns the number of columns of StateSamples::inputs: what each of n motors is fed and, if a
  /// term is of a sensor's calibration, the measured wrench of each cut.
  int input_count() const;
  /// Returns the first of the six inputs that are the wrench of a cut.
  int WrenchInput(int cut) const { return dofs() + 6 * cut; }

  /// Returns the cuts at which wrenches are of interest; none by default.
  const std::vector<Cut>& cuts() const { return cuts_; }
  /// @throws std::invalid_argument if the robot lacks a cut's link, a name is empty or occurs
  /// twice,
  ///         R_LS is no rotation, or p_LS_L is not finite.
  void SetCuts(std::vector<Cut> cuts);
  /// Returns the index of the cut called `name`, −1 if there is none.
  int CutIndex(std::string_view name) const;

  /// Returns the bodies that can be attached; none by default.
  const std::vector<AttachedBody>& attached() const { return attached_; }
  /// Returns the configurations, of which there is at least one; by default it has no name, and
  /// nothing is attached.
  const std::vector<Configuration>& configurations() const { return configurations_; }
  /// @throws std::invalid_argument if the robot lacks a link, a name is empty or that of another
  ///         body, R_LA is no rotation, p_LA_L is not finite, there is no configuration or two have
  ///         the same name, or one attaches a body that is not there or not in increasing order, or
  ///         is touched at one that is not there.
  void SetAttached(std::vector<AttachedBody> attached, std::vector<Configuration> configurations);
  /// Returns the index of the configuration called `name`, −1 if there is none.
  int ConfigurationIndex(std::string_view name) const;
  /// Returns the terms that do not act in a configuration: those of which it has its own, and what
  /// others have of their own. Increasing indices into TermsOf() the model.
  std::vector<int> AbsentTerms(int configuration) const;
  /// Returns the indices of the configurations that have data for identification.
  std::vector<int> IdentifiedConfigurations() const;
  /// Returns true if a body lies beyond a cut.
  bool IsBeyond(int body, const Cut& cut) const;

  /// Return the mounts of the sensors, as far as estimators know them; nothing if there is none.
  const std::optional<ImuMount>& imu() const { return imu_; }
  const std::optional<DistanceMeter>& distance_meter() const { return distance_meter_; }
  /// @throws std::invalid_argument if the robot does not have that link, or the optical axis is not
  ///         a unit vector.
  void SetImu(const ImuMount& imu);
  void SetDistanceMeter(const DistanceMeter& meter);

  /// Returns what of the robot must not meet; nothing by default.
  const CollisionModel& collision() const { return collision_; }
  /// @throws std::invalid_argument if the robot lacks a sphere's link (−1 is the base), a name is
  ///         empty or occurs twice, a centre or a radius is not finite, a radius is not positive,
  ///         `pairs` or `above_floor` name a sphere that is not there, or a pair is of a sphere
  ///         with itself.
  void SetCollision(CollisionModel collision);

  /// Returns the index of the joint called `name`, −1 if there is none.
  int JointIndex(const std::string& name) const;
  std::vector<std::string> joint_names() const;

 private:
  void CheckLink(int link, const char* what) const;
  void CheckInput(const Term& term, const std::string& where) const;

  std::string name_;
  std::string base_name_;
  std::vector<Link> links_;
  std::vector<int> subtree_sizes_;
  Eigen::Vector3d gravity_ = Eigen::Vector3d(0.0, 0.0, -9.81);
  JointLimits limits_;
  EndEffector end_effector_;
  Actuation actuation_;
  std::vector<Term> terms_;
  std::vector<Cut> cuts_;
  std::vector<AttachedBody> attached_;
  std::vector<Configuration> configurations_ = std::vector<Configuration>(1);
  std::optional<ImuMount> imu_;
  std::optional<DistanceMeter> distance_meter_;
  CollisionModel collision_;
};

}  // namespace idbench
