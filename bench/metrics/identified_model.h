#pragma once

#include <Eigen/Core>

#include "estimators/interface/estimate.h"
#include "estimators/interface/problem.h"
#include "robots/dynamics/dynamics.h"

namespace idbench {

/// Prediction of estimates with any unknowns: by the dynamics of standard parameters, or by the
/// PlanarLagrangian whose β are the unknowns.
///
/// Both are linear in the p that they take: π, or β. Holds its own scratch: use one
/// object per thread.
class IdentifiedModel {
 public:
  explicit IdentifiedModel(const Problem& problem);

  /// Selects the problem of another trial, with the same robot and type of unknowns; it must
  /// outlive the calls below.
  void SetProblem(const Problem& problem) { parameters_ = &problem.parameters; }

  int dofs() const { return dynamics_.dofs(); }

  /// Return p of an estimate, of unknowns x, and of a robot with standard parameters π.
  const Eigen::VectorXd& Of(const Estimate& estimate) const;
  Eigen::VectorXd OfUnknowns(const Eigen::VectorXd& x) const;
  Eigen::VectorXd OfRobot(const Eigen::VectorXd& pi) const;

  /// Computes the joint torques [N·m or N] of N samples.
  /// @param[out] tau  N × n, overwritten.
  void Torque(const Eigen::VectorXd& p, const StateSamples& samples,
              Eigen::Ref<Eigen::MatrixXd> tau);
  /// Computes the joint-space mass matrix.
  /// @param[out] M  n × n, overwritten.
  void MassMatrix(const Eigen::VectorXd& p, const Eigen::Ref<const Eigen::VectorXd>& q,
                  Eigen::Ref<Eigen::MatrixXd> M);
  /// Computes q̈ for given torques. Returns false and writes nothing if the mass matrix is not
  /// positive definite.
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
