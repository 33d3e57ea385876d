#pragma once

#include <Eigen/Core>
#include <vector>

#include "robots/dynamics/kinematics.h"
#include "robots/dynamics/model.h"
#include "robots/dynamics/torque_map.h"

namespace idbench {

/// Number of components of a wrench (force, then moment), and of joints that determine one.
inline constexpr int kWrenchSize = 6;

/// Wrench F at the end effector E that is equivalent to joint torques: force on the robot, then
/// moment about E, in base axes,
///
///   F = (J Jᵀ)⁻¹ J·τ,  J the 6 × n geometric Jacobian of E.
///
/// Jᵀ F = τ where a wrench alone can replace the torques, as for an arm that is led by its end
/// effector; otherwise F is the least-squares solution. F is linear in π, because no mass enters:
/// Khatib's generalised inverse, weighted by M(q)⁻¹, would make the equation depend on the
/// unknowns. Source: Joukov, Bonnet, Venture & Kulić, IROS 2015, equation 15.
///
/// Near a singular configuration F is hardly determined, and no equation uses it there.
class EndEffectorWrench : public TorqueMap {
 public:
  /// Least reciprocal condition of J at which there is a wrench, with lengths in units of the
  /// largest distance from E to a joint axis.
  static constexpr double kLeastCondition = 0.02;

  /// Holds its own scratch: use one object per thread.
  explicit EndEffectorWrench(const RobotModel& model);

  /// Computes T with F = T·τ at q. Allocates nothing.
  /// @param[out] T  6 × n; NaN if the reciprocal condition is below kLeastCondition.
  /// @return the reciprocal condition; 0 for fewer than six joints.
  double Map(const Eigen::Ref<const Eigen::VectorXd>& q, Eigen::Ref<Eigen::MatrixXd> T);

  bool At(const Eigen::Ref<const Eigen::VectorXd>& q, Eigen::Ref<Eigen::MatrixXd> T) override {
    return !(Map(q, T) < kLeastCondition);
  }
  std::string WhyNone(const Eigen::Ref<const Eigen::VectorXd>& q) override;

 private:
  RobotModel model_;
  std::vector<Pose> poses_;
  Eigen::MatrixXd J_;  ///< 6 × n
};

/// Computes T with F = T·τ from the Jacobian J (6 × n), in every configuration: F is 0 in
/// directions whose part of the reciprocal condition is below 1e-6, where it is not determined.
/// @param[out] T  6 × n, overwritten.
/// @return the reciprocal condition; 0 if a direction is not determined.
double WrenchFromTorque(const Eigen::Ref<const Eigen::MatrixXd>& J, Eigen::Ref<Eigen::MatrixXd> T);

}  // namespace idbench
