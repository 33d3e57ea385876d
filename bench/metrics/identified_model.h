#pragma once

#include <Eigen/Core>
#include <vector>

#include "estimators/interface/estimate.h"
#include "estimators/interface/problem.h"
#include "robots/dynamics/dynamics.h"

namespace idbench {

/// Prediction of estimates with any unknowns: by the dynamics of standard parameters, or by the
/// PlanarLagrangian whose β are the unknowns.
///
/// Both are linear in the p that they take: π, or β. It is of the robot in the configuration that
/// was selected last, at first in the first. Holds its own scratch: use one object per thread.
class IdentifiedModel {
 public:
  explicit IdentifiedModel(const Problem& problem);
  IdentifiedModel(const IdentifiedModel&) = delete;  // one of its own members is selected
  IdentifiedModel& operator=(const IdentifiedModel&) = delete;

  /// Selects the problem of another trial, with the same robot and type of unknowns; it must
  /// outlive the calls below.
  void SetProblem(const Problem& problem) { parameters_ = &problem.parameters; }

  /// Selects what is attached: index into RobotModel::configurations().
  void SetConfiguration(int configuration) {
    configured_ = &configurations_[static_cast<std::size_t>(configuration)];
  }

  int dofs() const { return configured_->dynamics.dofs(); }

  /// Return p of an estimate, of unknowns x, and of a robot with standard parameters π.
  const Eigen::VectorXd& Of(const Estimate& estimate) const;
  Eigen::VectorXd OfUnknowns(const Eigen::VectorXd& x) const;
  Eigen::VectorXd OfRobot(const Eigen::VectorXd& pi) const;

  /// Computes the joint torques [N·m or N] of N samples.
  /// @param[out] tau  N × n, overwritten.
  void Torque(const Eigen::VectorXd& p, const StateSamples& samples,
              Eigen::Ref<Eigen::MatrixXd> tau);
  /// Computes the measured side of an equation of N samples, which x = β must not be the unknowns
  /// of unless it is kTorque; see Dynamics::Predict().
  void Predict(const PlacedEquation& equation, const Eigen::VectorXd& p,
               const StateSamples& samples, Eigen::Ref<Eigen::MatrixXd> measured);
  /// Computes the wrench at a cut of N samples with the offsets of its sensor, before its
  /// calibration; see Dynamics::CutWrench(). Not of unknowns x = β.
  /// @param[out] wrench  N × 6.
  void CutWrench(int cut, const Eigen::VectorXd& p, const StateSamples& samples,
                 Eigen::Ref<Eigen::MatrixXd> wrench);
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

  /// The robot in one configuration.
  struct Configured {
    Configured(const Problem& problem, int configuration)
        : dynamics(problem.model, problem.friction, configuration), scratch(dynamics) {}

    Dynamics dynamics;
    Dynamics::Scratch scratch;
  };

  const Parametrisation* parameters_;
  std::vector<Configured> configurations_;
  Configured* configured_;
  Eigen::VectorXd sample_tau_;
};

}  // namespace idbench
