#pragma once

#include <Eigen/Core>

#include "robots/dynamics/planar_lagrangian.h"

namespace idbench {

/// What the equations of motion hold of the absolute angle q1 at one sample. Where sine and cosine
/// are measured one by one they need not be those of an angle.
struct AbsoluteAngle {
  double sine = 0.0;
  double cosine = 1.0;
  double rate = 0.0;          ///< q̇1 [rad/s]
  double acceleration = 0.0;  ///< q̈1 [rad/s²]

  static AbsoluteAngle Of(double q1, double rate, double acceleration);
};

/// Z(q, q̇, q̈) of a recording whose relative angles are known and whose absolute angle is not:
/// what hangs on the former is computed once.
///
/// Links have the angles θ_i = s·q1 + φ_i, s = ±1, with φ_i from the relative angles; so Z is
/// affine in (sin q1, cos q1, q̈1), quadratic in q̇1 but for the friction of joint 1. Rows() and
/// Derivatives() allocate nothing.
class WalkerRegressor {
 public:
  /// @param root  r × n, to be multiplied from the left: of the rows' weight W = rootᵀ·root.
  /// @param q  n × N [rad], likewise qd and qdd; their first rows are not looked at.
  /// @param model  is kept by reference.
  WalkerRegressor(const PlanarLagrangian& model, const Eigen::MatrixXd& root,
                  const Eigen::MatrixXd& q, const Eigen::MatrixXd& qd, const Eigen::MatrixXd& qdd);

  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  int rows() const { return static_cast<int>(root_.rows()); }
  int unknowns() const { return model_.size(); }

  /// root·Z at sample k. @param[out] rows  r × unknowns(), overwritten.
  void Rows(Eigen::Index k, const AbsoluteAngle& angle, Eigen::Ref<RowMajor> rows) const;

  /// root·∂(Z·β)/∂(sine, cosine, rate, acceleration) at sample k.
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
      alpha_;                              ///< n × N, those of links at q1 = q̇1 = q̈1 = 0.
  Eigen::MatrixXd cos_delta_, sin_delta_;  ///< Of θ_i − θ_a, couplings × N.
  Eigen::MatrixXd qd_, qdd_;               ///< Of joints; the first row is 0.
};

}  // namespace idbench
