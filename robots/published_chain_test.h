#pragma once

#include <Eigen/Geometry>
#include <numbers>
#include <string>
#include <vector>

#include "robots/dynamics/dynamics.h"
#include "robots/dynamics/kinematics.h"
#include "robots/dynamics/parameters.h"
#include "robots/robot.h"

/// For tests that compare a robot of the catalogue with the tables that it was transcribed from:
/// the chains are those of the publications, not those of the model file.
namespace idbench {

inline constexpr double kQuarter = std::numbers::pi / 2;
// Positions of some metres, torques of some 100 N·m and moments of some 0.1 kg·m², each a sum of
// tens of terms.
inline constexpr double kRoundOff = 1e-13;

inline Eigen::Isometry3d Turned(double angle, const Eigen::Vector3d& axis) {
  return Eigen::Isometry3d(Eigen::AngleAxisd(angle, axis.normalized()));
}
inline Eigen::Isometry3d Moved(double x, double y, double z) {
  return Eigen::Isometry3d(Eigen::Translation3d(x, y, z));
}
inline Eigen::Isometry3d TurnedX(double angle) { return Turned(angle, Eigen::Vector3d::UnitX()); }
inline Eigen::Isometry3d TurnedZ(double angle) { return Turned(angle, Eigen::Vector3d::UnitZ()); }

/// Joint axis or body as they stand in the base frame.
struct PublishedJoint {
  Eigen::Vector3d origin, axis;
};
struct PublishedBody {
  int joint;  ///< The last one that carries it.
  double mass;
  Eigen::Vector3d com;
};

/// Torques that hold the bodies up: τ_j = −Σ m·a_j·((c − o_j) × g) over those that joint j carries.
inline Eigen::VectorXd HoldingTorques(const std::vector<PublishedJoint>& joints,
                                      const std::vector<PublishedBody>& bodies,
                                      const Eigen::Vector3d& g) {
  Eigen::VectorXd tau = Eigen::VectorXd::Zero(std::ssize(joints));
  for (const PublishedBody& body : bodies) {
    for (int j = 0; j <= body.joint; ++j) {
      const PublishedJoint& joint = joints[static_cast<std::size_t>(j)];
      tau[j] -= body.mass * joint.axis.dot((body.com - joint.origin).cross(g));
    }
  }
  return tau;
}

/// Torques of a set at rest.
inline Eigen::VectorXd TorqueAtRest(const Robot& robot, const Eigen::VectorXd& q) {
  const Dynamics dynamics(robot.model);
  Dynamics::Scratch scratch(dynamics);
  const Eigen::VectorXd rest = Eigen::VectorXd::Zero(q.size());
  Eigen::VectorXd tau(q.size());
  dynamics.InverseDynamics(robot.FindSet("")->pi, q, rest, rest, scratch, tau);
  return tau;
}

inline double Distance(const Pose& pose, const Eigen::Isometry3d& frame) {
  return (pose.R_BL - frame.linear()).norm() + (pose.p_BL_B - frame.translation()).norm();
}

inline CentralInertia InertiaOf(const Robot& robot, const std::string& set, int link) {
  return FromStandard(
      robot.FindSet(set)->pi.segment<kInertialCount>(ParameterLayout(robot.model).Body(link)));
}

inline double MovingMass(const Robot& robot, const std::string& set) {
  double mass = 0.0;
  for (int i = 0; i < robot.model.dofs(); ++i) mass += InertiaOf(robot, set, i).mass;
  return mass;
}

}  // namespace idbench
