#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "robots/dynamics/model.h"

namespace idbench {

/// Number of standard inertial parameters of a body:
/// m [kg], m·c (x, y, z) [kg·m], Ixx, Ixy, Iyy, Ixz, Iyz, Izz [kg·m²],
/// first moments and inertia about the body frame's origin, in the body frame.
inline constexpr int kInertialCount = 10;

/// What one joint adds to the parameters of its link.
enum class JointParameter { kViscous, kCoulomb, kOffset, kRotorInertia };
inline constexpr int kJointParameterCount = 4;

/// Where each parameter of a robot stands in its vector of standard parameters π:
/// the base link's ten, then ten per moving link, then (fv, fc, fo, ia) per joint.
///
///   τ = Y(q, q̇, q̈) π_links + fv·q̇ + fc·s(q̇) + fo + ia·q̈
class ParameterLayout {
 public:
  explicit ParameterLayout(int dofs) : dofs_(dofs) {}

  int dofs() const { return dofs_; }
  int size() const { return kInertialCount * (dofs_ + 1) + kJointParameterCount * dofs_; }
  /// First inertial parameter of link `i`; −1 is the base link.
  int Body(int i) const { return kInertialCount * (i + 1); }
  int Joint(int joint, JointParameter which) const {
    return kInertialCount * (dofs_ + 1) + kJointParameterCount * joint + static_cast<int>(which);
  }

 private:
  int dofs_;
};

/// `<body>.mcx`, `<joint>.fv` … for every entry of π, with the model's own names.
std::vector<std::string> ParameterNames(const RobotModel& model);

/// Bodies all ten inertial parameters of which are among `parameters` (indices into π): −1 for the
/// base, else the link's index; increasing.
std::vector<int> WholeBodies(const RobotModel& model, const std::vector<int>& parameters);

/// Units of the entries of π; a prismatic joint's differ from a revolute joint's.
std::vector<std::string> ParameterUnits(const RobotModel& model);

/// Inertia of one rigid body about its centre of mass.
struct CentralInertia {
  double mass = 0.0;                                ///< [kg]
  Eigen::Vector3d com = Eigen::Vector3d::Zero();    ///< In the body frame [m].
  Eigen::Matrix3d I_com = Eigen::Matrix3d::Zero();  ///< About com, body axes [kg·m²].
};

/// The ten standard parameters of a body: h = m·c, I_o = I_c + m·(|c|²·1 − c·cᵀ).
Eigen::Matrix<double, kInertialCount, 1> ToStandard(const CentralInertia& inertia);

/// Inverse of ToStandard(); `com` is 0 for a body without mass.
CentralInertia FromStandard(const Eigen::Matrix<double, kInertialCount, 1>& parameters);

/// Inertial parameters of a body given in frame A, in frame B instead.
/// @param R_BA  axes of A in B. @param p_BA_B  origin of A in B [m].
Eigen::Matrix<double, kInertialCount, 1> Transformed(
    const Eigen::Matrix<double, kInertialCount, 1>& parameters_A, const Eigen::Matrix3d& R_BA,
    const Eigen::Vector3d& p_BA_B);

}  // namespace idbench
