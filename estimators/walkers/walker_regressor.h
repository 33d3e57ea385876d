#pragma once

#include <Eigen/Core>

#include "robots/dynamics/walkers/planar_lagrangian.h"

namespace idbench {

/// Absolute angle q1 at one sample, as the equations of motion contain it. If sine and cosine are
/// measured separately, they need not belong to any angle.
struct AbsoluteAngle {
  double sine = 0.0;
  double cosine = 1.0;
  double rate = 0.0;          ///< q̇1 [rad/s]
  double acceleration = 0.0;  ///< q̈1 [rad/s²]

  /// Returns the sine and cosine of q1 [rad] with the given q̇1 [rad/s] and q̈1 [rad/s²].
  static AbsoluteAngle Of(double q1, double rate, double acceleration);
};

/// Z(q, q̇, q̈) of a recording with known relative angles and unknown absolute angle. Computes once
/// what depends on the relative angles alone.
///
/// Link i has the angle θ_i = s·q1 + φ_i, s = ±1, with φ_i from the relative angles. So Z is affine
/// in (sin q1, cos q1, q̈1), and quadratic in q̇1 except for the friction of joint 1. Rows() and
/// Derivatives() allocate nothing.
class WalkerRegressor {
 public:
  /// @param model  kept by reference; must outlive this object.
  /// @param root   r × n, multiplies Z from the left; the weight of the rows is W = rootᵀ·root.
  /// @param q      n × N [rad]; likewise qd and qdd. Their first rows are not read.
  WalkerRegressor(const PlanarLagrangian& model, const Eigen::MatrixXd& root,
                  const Eigen::MatrixXd& q, const Eigen::MatrixXd& qd, const Eigen::MatrixXd& qdd);

  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  int rows() const { return static_cast<int>(root_.rows()); }
  int unknowns() const { return model_.size(); }

  /// Computes root·Z at sample k.
  /// @param[out] rows  r × unknowns(), overwritten.
  void Rows(Eigen::Index k, const AbsoluteAngle& angle, Eigen::Ref<RowMajor> rows) const;

  /// Computes root·∂(Z·β)/∂(sine, cosine, rate, acceleration) at sample k.
  /// @param[out] derivatives  r × 4, overwritten.
  void Derivatives(Eigen::Index k, const AbsoluteAngle& angle,
                   const Eigen::Ref<const Eigen::VectorXd>& beta,
                   Eigen::Ref<Eigen::MatrixXd> derivatives) const;

 private:
  const PlanarLagrangian& model_;
  Eigen::MatrixXd root_;
  Eigen::MatrixXd links_;  ///< root·Sᵀ: what a torque on each link's angle adds to the rows.
  double sign_;            ///< s
  Eigen::MatrixXd cos_phi_, sin_phi_, omega_,
      /// n × N: cosine and sine of φ_i, and the links' rates and accelerations at q̇1 = q̈1 = 0.
      alpha_;
  /// Couplings × N: cosine and sine of θ_i − θ_a.
  Eigen::MatrixXd cos_delta_, sin_delta_;
  Eigen::MatrixXd qd_, qdd_;  ///< Of the joints; the first row is 0.
};

}  // namespace idbench
