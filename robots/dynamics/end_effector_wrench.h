#pragma once

#include <Eigen/Core>
#include <vector>

#include "robots/dynamics/kinematics.h"
#include "robots/dynamics/model.h"

namespace idbench {

/// Force, then moment; and the joints that it takes to determine them.
inline constexpr int kWrenchSize = 6;

/// The wrench F at the end effector E (force on the robot, then moment about E, in base axes) that
/// stands for joint torques:
///
///   F = (J Jᵀ)⁻¹ J·τ,  J the 6 × n geometric Jacobian of E,
///
/// so that Jᵀ F = τ where a wrench alone can take the torques' place, as in an arm that is led by
/// its end effector, and the least-squares solution of it where not. Linear in π, since no mass
/// takes part: the generalised inverse that Khatib weights by M(q)⁻¹ would make the equation depend
/// on what is to be estimated. Joukov, Bonnet, Venture & Kulić, IROS 2015, equation 15.
///
/// Near a singular configuration F is hardly determined, and none of the equations asks for it.
class EndEffectorWrench {
 public:
  /// Least reciprocal condition of J, its lengths in units of the farthest joint axis from E, at
  /// which there is a wrench.
  static constexpr double kLeastCondition = 0.02;

  /// Has its own scratch: one per thread.
  explicit EndEffectorWrench(const RobotModel& model);

  /// T of F = T·τ at q. Allocates nothing.
  /// @param[out] T  6 × n; NaN where the reciprocal condition is below kLeastCondition.
  /// @return the reciprocal condition; 0 for fewer than six joints.
  double Map(const Eigen::Ref<const Eigen::VectorXd>& q, Eigen::Ref<Eigen::MatrixXd> T);

 private:
  RobotModel model_;
  std::vector<Pose> poses_;
  Eigen::MatrixXd J_;  ///< 6 × n
};

/// T of F = T·τ from the Jacobian alone, as EndEffectorWrench has it, but in every configuration:
/// where F is not determined at all, in directions whose part of the reciprocal condition is below
/// 1e-6, it is 0 there. @return the reciprocal condition.
double WrenchFromTorque(const Eigen::Ref<const Eigen::MatrixXd>& J, Eigen::Ref<Eigen::MatrixXd> T);

}  // namespace idbench
