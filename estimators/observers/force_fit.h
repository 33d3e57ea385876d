#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <span>
#include <vector>

#include "estimators/interface/observer.h"
#include "robots/dynamics/kinematics.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// Rows of a problem that are torques of joints.
struct JointRows {
  EquationRows equation;
  std::vector<int> joints;  ///< Of each row.
};

/// Returns the rows of joint torques, or else of drives: what motors are fed less what a model
/// takes is the residual of a joint torque too.
/// @throws EstimationFailure (refused) if there is neither, or fewer than `least` rows.
JointRows JointTorqueRows(const Problem& problem, int least);

/// Refuses a robot whose end effector these joints move in a plane or on a line: no force across
/// moves them.
/// @throws EstimationFailure (refused) with the robot's degrees of freedom there.
void CheckMovesInSpace(const RobotModel& model, const std::vector<int>& joints);

/// Force of the outside on the robot at its end effector E, without a moment, that explains
/// residuals of joint torques best:
///
///   f = argmin (r + J_vᵀ f)ᵀ R⁻¹ (r + J_vᵀ f) = −(J_v R⁻¹ J_vᵀ)⁻¹ J_v R⁻¹ r,
///
/// J_v the 3 × m Jacobian of E's velocity in base axes. Cov(f) = (J_v R⁻¹ J_vᵀ)⁻¹, the least of all
/// unbiased linear estimates if Cov(r) = R and no moment acts. By orthogonal factors. Allocates
/// nothing after construction.
class ForceFit {
 public:
  /// @param joints  m ≥ 3, whose torques are given.
  /// @param R       m × m, positive definite.
  ForceFit(const RobotModel& model, std::vector<int> joints, const Eigen::MatrixXd& R);

  /// Computes J_v and V at q, n.
  /// @return reciprocal condition of J_v; NaN if q is not finite.
  double MoveTo(const Eigen::Ref<const Eigen::RowVectorXd>& q);
  /// Returns L⁻¹ J_vᵀ with R = L·Lᵀ, m × 3: −V is the Jacobian of Whitened() by the force.
  const Eigen::Matrix<double, Eigen::Dynamic, 3>& V() const { return V_; }
  /// Returns L⁻¹ r, whose covariance is 1; valid until the next call.
  const Eigen::VectorXd& Whitened(const Eigen::Ref<const Eigen::RowVectorXd>& r);

  /// Returns f at the q of the last MoveTo(), whose condition was not 0; NaN if a row of r is.
  Eigen::Vector3d Solve(const Eigen::Ref<const Eigen::RowVectorXd>& r);

 private:
  RobotModel model_;
  std::vector<int> joints_;
  Eigen::LLT<Eigen::MatrixXd> root_;
  std::vector<Pose> poses_;
  Eigen::VectorXd q_;
  Eigen::MatrixXd J_;                           ///< 6 × n
  Eigen::Matrix<double, Eigen::Dynamic, 3> V_;  ///< m × 3
  Eigen::Matrix<double, Eigen::Dynamic, 3> Q_;  ///< m × 3, scratch.
  Eigen::VectorXd whitened_, left_;
};

/// Least reciprocal condition of a Jacobian at which there is a force, if options do not say
/// another one.
inline constexpr double kLeastForceCondition = 0.02;

/// Adds `least_condition`.
void AddLeastCondition(double& least_condition, FieldTable& table);

/// Returns the forces at all samples, N × 3 [N]; NaN where the reciprocal condition of J_v is below
/// the least one, or a row is missing.
/// @param q  N × n. @param r  N × m.
Eigen::MatrixXd FitForces(ForceFit& fit, const Eigen::MatrixXd& q, const Eigen::MatrixXd& r,
                          double least_condition);

/// Low-pass of first order that passes each column from its first sample on, causal:
///   y_k = y_{k−1} + (1 − e^(−2π·f_c·(t_k − t_{k−1})))·(x_k − y_{k−1}).
/// A row with NaN stays as it is, and the next one follows the last one before it.
void LowPass(const Eigen::VectorXd& time_s, double cutoff_hz, Eigen::MatrixXd& values);

/// Returns the series `external_force`.
/// @param force  N × 3, base axes [N].
Series ForceSeries(const Eigen::VectorXd& time_s, Eigen::MatrixXd force);

}  // namespace idbench
