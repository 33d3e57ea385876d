#pragma once

#include <Eigen/Core>

#include "estimators/estimate.h"
#include "estimators/problem.h"
#include "robots/dynamics/dynamics.h"

namespace idbench {

/// What estimates predict, whatever their unknowns: by the dynamics of standard parameters, or by
/// the PlanarLagrangian of which the unknowns are the β.
///
/// Both are linear in the p that they take: π, or β. Has its own scratch: one per thread.
class IdentifiedModel {
 public:
  explicit IdentifiedModel(const Problem& problem);

  /// Turns to another trial's problem, of the same robot and type of unknowns; it must outlive what
  /// is asked for next.
  void SetProblem(const Problem& problem) { parameters_ = &problem.parameters; }

  int dofs() const { return dynamics_.dofs(); }

  /// p of an estimate, of unknowns x, and of a robot with standard parameters π.
  const Eigen::VectorXd& Of(const Estimate& estimate) const;
  Eigen::VectorXd OfUnknowns(const Eigen::VectorXd& x) const;
  Eigen::VectorXd OfRobot(const Eigen::VectorXd& pi) const;

  /// Joint torques [N·m or N] of N samples. @param[out] tau N × n, overwritten.
  void Torque(const Eigen::VectorXd& p, const StateSamples& samples,
              Eigen::Ref<Eigen::MatrixXd> tau);
  /// @param[out] M n × n, overwritten.
  void MassMatrix(const Eigen::VectorXd& p, const Eigen::Ref<const Eigen::VectorXd>& q,
                  Eigen::Ref<Eigen::MatrixXd> M);
  /// q̈ of torques. False, and nothing written, where the mass matrix is not positive definite.
  bool ForwardDynamics(const Eigen::VectorXd& p, const Eigen::Ref<const Eigen::VectorXd>& q,
                       const Eigen::Ref<const Eigen::VectorXd>& qd,
                       const Eigen::Ref<const Eigen::VectorXd>& tau,
                       Eigen::Ref<Eigen::VectorXd> qdd);

 private:
  const PlanarLagrangian* lagrangian() const { return parameters_->lagrangian(); }

  const Parametrisation* parameters_;
  Dynamics dynamics_;
  Dynamics::Scratch scratch_;
  Eigen::VectorXd sample_tau_;
};

}  // namespace idbench
