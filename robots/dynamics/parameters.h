#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "robots/dynamics/model.h"
#include "scenarios/options/enum_names.h"

namespace idbench {

/// Number of standard inertial parameters of a body: m [kg], m·c (x, y, z) [kg·m], Ixx, Ixy,
/// Iyy, Ixz, Iyz, Izz [kg·m²]. First moments and inertia are about the body frame's origin, in
/// the body frame.
inline constexpr int kInertialCount = 10;

/// Parameters that a joint adds to those of its link: fv, fc, fo, ia.
enum class JointParameter { kViscous, kCoulomb, kOffset, kRotorInertia };
template <>
inline constexpr auto kEnumNames<JointParameter> =
    std::to_array<EnumName<JointParameter>>({{JointParameter::kViscous, "viscous"},
                                             {JointParameter::kCoulomb, "coulomb"},
                                             {JointParameter::kOffset, "offset"},
                                             {JointParameter::kRotorInertia, "rotor_inertia"}});
inline constexpr int kJointParameterCount = 4;
/// What they are, in that order.
inline constexpr TermCoefficient kJointTerms[kJointParameterCount] = {
    {"fv", "N·m·s/rad", "N·s/m", TermArgument::kVelocity, TermShape::kLinear},
    {"fc", "N·m", "N", TermArgument::kVelocity, TermShape::kCoulomb},
    {"fo", "N·m", "N", TermArgument::kVelocity, TermShape::kOne, false},
    {"ia", "kg·m²", "kg", TermArgument::kAcceleration, TermShape::kLinear},
};

/// Position of each parameter in a robot's vector of standard parameters π: the base link's ten,
/// then ten per moving link, then ten per body that can be attached, in its own frame, then
/// (fv, fc, fo, ia) per joint, then the model's own terms.
///
///   τ = Y(q, q̇, q̈) π_links + fv·q̇ + fc·s(q̇) + fo + ia·q̈ + Σ c·f(cᵀq̇ or cᵀq̈)·θ
class ParameterLayout {
 public:
  /// @param own_terms  number of RobotModel::terms().
  /// @param attached   number of RobotModel::attached().
  explicit ParameterLayout(int dofs, int own_terms = 0, int attached = 0)
      : dofs_(dofs), own_terms_(own_terms), attached_(attached) {}
  explicit ParameterLayout(const RobotModel& model)
      : ParameterLayout(model.dofs(), static_cast<int>(model.terms().size()),
                        static_cast<int>(model.attached().size())) {}

  int dofs() const { return dofs_; }
  /// Returns the size of π.
  int size() const { return term_count() + inertial_size(); }
  /// Returns the number of inertial parameters, with which π begins.
  int inertial_size() const { return links_size() + kInertialCount * attached_; }
  /// Returns the number of parameters of the base and the links, with which these begin.
  int links_size() const { return kInertialCount * (dofs_ + 1); }
  /// Returns the number of terms, those of TermsOf(), with which π ends.
  int term_count() const { return kJointParameterCount * dofs_ + own_terms_; }
  /// Returns the index of the first inertial parameter of body `i`; −1 is the base link, dofs() the
  /// first attached body.
  int Body(int i) const { return kInertialCount * (i + 1); }
  /// Returns the index of a joint's parameter.
  int Joint(int joint, JointParameter which) const {
    return inertial_size() + kJointParameterCount * joint + static_cast<int>(which);
  }

 private:
  int dofs_;
  int own_terms_;
  int attached_;
};

/// Returns all terms in the order of π: fv, fc, fo and ia of each joint, then the model's own.
std::vector<Term> TermsOf(const RobotModel& model);

/// Returns π with 0 for the terms that do not act in a configuration, see
/// RobotModel::AbsentTerms().
Eigen::VectorXd ActingParameters(const RobotModel& model, int configuration,
                                 const Eigen::Ref<const Eigen::VectorXd>& pi);

/// Returns `<body>.mcx`, `<joint>.fv` … for every entry of π, with the model's own names.
std::vector<std::string> ParameterNames(const RobotModel& model);

/// Returns the bodies whose ten inertial parameters are all among `parameters` (indices into π),
/// see RobotModel::body_end(); increasing.
std::vector<int> WholeBodies(const RobotModel& model, const std::vector<int>& parameters);

/// Returns the units of the entries of π; a prismatic joint's differ from a revolute joint's.
std::vector<std::string> ParameterUnits(const RobotModel& model);

/// Inertia of one rigid body about its centre of mass.
struct CentralInertia {
  double mass = 0.0;                                ///< [kg]
  Eigen::Vector3d com = Eigen::Vector3d::Zero();    ///< Centre of mass in the body frame [m].
  Eigen::Matrix3d I_com = Eigen::Matrix3d::Zero();  ///< About com, body axes [kg·m²].
};

/// Returns the ten standard parameters of a body: h = m·c, I_o = I_c + m·(|c|²·1 − c·cᵀ).
Eigen::Matrix<double, kInertialCount, 1> ToStandard(const CentralInertia& inertia);

/// Returns the inverse of ToStandard(); `com` is 0 for a body without mass.
CentralInertia FromStandard(const Eigen::Matrix<double, kInertialCount, 1>& parameters);

/// Returns X with π_B = X·π_A, see Transformed().
Eigen::Matrix<double, kInertialCount, kInertialCount> TransformationOf(
    const Eigen::Matrix3d& R_BA, const Eigen::Vector3d& p_BA_B);

/// Returns in frame B the inertial parameters of a body given in frame A.
/// @param R_BA    axes of A in B.
/// @param p_BA_B  origin of A in B [m].
Eigen::Matrix<double, kInertialCount, 1> Transformed(
    const Eigen::Matrix<double, kInertialCount, 1>& parameters_A, const Eigen::Matrix3d& R_BA,
    const Eigen::Vector3d& p_BA_B);

}  // namespace idbench
