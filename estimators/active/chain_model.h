#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>

#include "robots/dynamics/walkers/planar_lagrangian.h"
#include "robots/plant/plant.h"

namespace idbench {

/// Chain of a planar Lagrangian that moves by semi-implicit steps h, with the friction of their
/// ends:
///   D(q)·(v − q̇) = h·(τ − Z(q, q̇, 0)·β₀ − fv·v − fc·tanh(v/w)),  q̇ ← v,  q ← q + h·v,
/// β₀ without fv and fc. Explicit friction would chatter at rest. w is the width of the
/// Lagrangian's friction, at least kLeastWidth. Gravity may lean: V has the terms Σ_i H_i·sin θ_i
/// too, which act on the joints by −Sᵀ·(H_i·cos θ_i).
class ChainModel {
 public:
  /// @param lagrangian  must outlive this.
  /// @param unknowns    β and, if gravity leans, the n H_i.
  ChainModel(const PlanarLagrangian& lagrangian, const Eigen::VectorXd& unknowns, double step_s);

  /// Makes one step. Returns false, and leaves q and q̇ as they are, where D(q), or D with friction
  /// that is negative, is not positive definite.
  /// @param tau  n [N·m]. @param[in,out] q, qd  n.
  bool Step(const Eigen::VectorXd& tau, Eigen::VectorXd& q, Eigen::VectorXd& qd);

  /// Derivatives of q and q̇, n × m each: with respect to β and H, then to any further unknowns on
  /// which the state before the step depends.
  struct Sensitivity {
    Eigen::MatrixXd q, qd;
  };
  /// Makes one step, and carries the derivatives along: with the slopes of the step's equation,
  ///   (D + h·fv + h·fc·s'(v))·δv = D·δq̇ − h·(∂τ_id/∂q·δq + ∂τ_id/∂q̇·δq̇ + Z·δβ),
  /// τ_id = Z(q, q̇, (v − q̇)/h)·β₀, friction in Z that of v.
  bool Step(const Eigen::VectorXd& tau, Eigen::VectorXd& q, Eigen::VectorXd& qd, Sensitivity& by);

  static constexpr double kLeastWidth = 1e-4;  // [rad/s]

 private:
  /// Finds v from `free_`, that without friction, by Newton's method:
  ///   D·(v − free) + h·(fv·v + fc·tanh(v/w)) = 0.
  bool Rub();
  /// Computes D(q) and the slopes of friction at v, over a step: `H_`.
  void AddFrictionSlopes(const Eigen::VectorXd& v);
  /// Computes the left side of that, `rest_`.
  void Unbalance(const Eigen::VectorXd& v);

  const PlanarLagrangian& lagrangian_;
  Eigen::VectorXd beta_;     ///< β₀
  Eigen::VectorXd lean_;     ///< H; empty: none.
  Eigen::VectorXd fv_, fc_;  ///< n, times h.
  double step_s_, width_;
  bool rubs_;
  Eigen::MatrixXd by_q_, by_qd_, Z_, right_, D_, H_;
  Eigen::LLT<Eigen::MatrixXd> llt_;
  Eigen::VectorXd theta_, acting_, qdd_, free_, v_, next_, rest_, step_, part_, before_q_,
      before_qd_;
};

/// Plant that is such a chain, and reads its positions without errors. It takes torques, begins
/// with any velocities, and never falls.
class ModelPlant : public Plant {
 public:
  /// @param lagrangian, unknowns  as of ChainModel. @param period_s  of a step, and of exchanges.
  ModelPlant(const PlanarLagrangian& lagrangian, const Eigen::VectorXd& unknowns, double period_s);

  const PlantInfo& info() const override { return info_; }
  void MoveTo(const ExperimentStart& start, Reading& reading) override;
  /// @throws PlantError where a step cannot be made, see ChainModel::Step().
  ExperimentState Exchange(const Command& command, Reading& reading) override;

 private:
  void Read(Reading& reading) const;

  PlantInfo info_;
  ChainModel model_;
  Eigen::VectorXd q_, qd_;
  long long exchanges_ = 0;
};

}  // namespace idbench
