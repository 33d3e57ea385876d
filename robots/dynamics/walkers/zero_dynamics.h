#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

#include "robots/dynamics/dynamics.h"
#include "robots/dynamics/model.h"
#include "robots/dynamics/walkers/planar_lagrangian.h"

namespace idbench {

/// Motion of a joint without motor, the first one, while all others move in a known way.
///
/// Kinetic energy does not depend on q1, and the torque of joint 1 is 0. So with the other
/// joints' motion given, the first row of the model is an ordinary differential equation of
/// momentum and angle:
///   p1 = ∂K/∂q̇1 = a(t)·q̇1 + b(t),   ṗ1 = −∂V/∂q1 − fv·q̇1 − fc·s(q̇1) − fo,
/// with a = D11 and b = Σ_j D1j·q̇j, both linear in β. RK4 integrates it, one step per sample; the
/// other rows then give the motors' torques. The unknowns are x = (β, q1 and q̇1 at t = 0).
/// Sensitivities are the derivatives of the discrete solution, exact up to round-off.
///
/// Immutable; a simulation writes to the caller's Response and allocates nothing once that has its
/// sizes. Source of the model: Dolinský & Čelikovský, IEEE TCST 26(5), 2018, equations (9)-(13).
class ZeroDynamics {
 public:
  /// Result of a simulation: N samples, K unknowns, m motors.
  struct Response {
    Eigen::VectorXd q1, qd1, qdd1;           ///< N [rad, rad/s, rad/s²]
    Eigen::MatrixXd u;                       ///< N × m: torques of the motors [N·m].
    Eigen::MatrixXd q1_by, qd1_by, qdd1_by;  ///< K × N: column k is ∂q1(t_k)/∂x, etc.
    std::vector<Eigen::MatrixXd> u_by;       ///< One per motor, K × N.

   private:
    friend class ZeroDynamics;
    /// (q1, p1) or its rate, with derivatives with respect to x.
    struct State {
      double q1 = 0.0, p1 = 0.0;
      Eigen::VectorXd q1_by, p1_by;
    };
    State state_, shifted_;
    std::array<State, 4> slopes_;
    Eigen::VectorXd inertia_, drift_;  ///< D11 and b at each instant.
    Eigen::VectorXd sine_, cosine_;  ///< At each instant −∂V/∂q1 = sine·sin q1 + cosine·cos q1.
    Eigen::VectorXd columns_;
  };

  /// @param motion  of all joints at the 2N − 1 instants 0, h/2, h …: samples and the instants
  ///         half-way between them. Column 0 is not read.
  /// @param step_s  h [s].
  /// @throws std::invalid_argument if sizes contradict each other, there are fewer than two
  ///         samples, the step is not positive, a motor drives the first joint, or the joints'
  ///         torques do not determine the motors'.
  ZeroDynamics(const PlanarLagrangian& model, const Actuation& actuation,
               const StateSamples& motion, double step_s);

  /// Torque at all samples as a function of the first joint's motion. Its columns are
  /// acceleration·q̈1 + square·q̇1² + rate·q̇1 + rest, except that of G_i, −on_links_i·sin θ_i, and
  /// that of the first joint's Coulomb friction, s(q̇1).
  struct Row {
    Eigen::MatrixXd acceleration, square, rate, rest;  ///< Size of β × N.
    Eigen::VectorXd on_links;                          ///< n
    bool has_coulomb = false;
  };

  Eigen::Index samples() const { return (a_.cols() + 1) / 2; }
  Eigen::Index motors() const { return static_cast<Eigen::Index>(motor_rows_.size()); }
  /// Returns K, the size of β plus 2.
  Eigen::Index unknowns() const { return a_.rows() + 2; }

  /// Simulates x.
  /// @param sensitivities  false: leaves the members `…_by` unchanged.
  /// @return false, with `response` undefined, if D11 is not positive at some instant or |q1|
  ///         reaches 1e3 rad.
  bool Simulate(const Eigen::Ref<const Eigen::VectorXd>& x, bool sensitivities,
                Response& response) const;

  /// Return the row of the joint without motor, whose torque is 0, and the rows of the motors.
  const Row& first_row() const { return first_row_; }
  const std::vector<Row>& motor_rows() const { return motor_rows_; }
  /// Computes the columns of a row at a sample for the given motion of the first joint.
  /// @param[out] columns  size of β, overwritten.
  void Columns(const Row& row, Eigen::Index sample, double q1, double qd1, double qdd1,
               Eigen::Ref<Eigen::VectorXd> columns) const;
  /// Returns the derivatives of columns·β with respect to q1 and q̇1.
  Eigen::Vector2d Derivatives(const Row& row, Eigen::Index sample, double q1, double qd1,
                              const Eigen::Ref<const Eigen::VectorXd>& beta) const;

 private:
  using Vector = Eigen::Ref<const Eigen::VectorXd>;

  void FindMomentum(const PlanarLagrangian& model, const StateSamples& motion);
  /// @param weights  one row for each Row, n columns: the row's torque as a combination of the
  ///         joints' torques.
  std::vector<Row> MakeRows(const PlanarLagrangian& model, const Eigen::MatrixXd& weights,
                            const StateSamples& motion) const;

  void Resize(bool sensitivities, Response& r) const;
  /// Computes the rate of `state` at an instant.
  void Derive(const Vector& beta, Eigen::Index instant, bool sensitivities,
              const Response::State& state, const Response& r, Response::State& rate) const;
  /// Steps from a sample to the next; slopes[0] is known.
  void Step(const Vector& beta, Eigen::Index sample, bool sensitivities, Response& r) const;
  /// Computes q̈1 from the first row, and the motors' torques.
  void Accelerate(const Vector& beta, Eigen::Index sample, bool sensitivities, Response& r) const;
  /// Computes the derivatives of a row with respect to x, without what q̈1 adds; r.columns holds
  /// those with respect to β.
  /// @param[out] by  K.
  void TorqueBy(const Row& row, const Vector& beta, Eigen::Index sample, const Response& r,
                Eigen::Ref<Eigen::VectorXd> by) const;
  /// s(q̇) and its slope.
  struct Friction {
    double value, slope;
  };
  Friction Coulomb(double qd) const;

  double step_s_;
  FrictionShape shape_;
  int first_gravity_;
  Eigen::MatrixXd a_, b_;              ///< Size of β × (2N − 1): D11 = aᵀβ and b.
  Eigen::MatrixXd sin_phi_, cos_phi_;  ///< n × (2N − 1): of θ_i at q1 = 0.
  Eigen::VectorXd turn_;               ///< ∂θ_i/∂q1 = ±1, n.
  Row first_row_;
  std::vector<Row> motor_rows_;
  /// Indices into β of the first joint's friction; −1 if β has none.
  Eigen::Index viscous_ = -1, coulomb_ = -1, offset_ = -1;
};

}  // namespace idbench
