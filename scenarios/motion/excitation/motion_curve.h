#pragma once

#include <Eigen/Core>
#include <memory>

#include "robots/plant/motion.h"
#include "scenarios/motion/trajectory/quintic_spline.h"

namespace idbench {

/// Family of motions that are linear in their coefficients: q_j(t) = Σ_m B_m(t)·c_mj.
class MotionCurve {
 public:
  virtual ~MotionCurve() = default;
  virtual double duration_s() const = 0;
  /// Returns the number of coefficients of a joint.
  virtual Eigen::Index size() const = 0;
  /// Returns B, Ḃ and B̈ at time t, 3 × size().
  virtual Eigen::MatrixXd At(double t) const = 0;
  /// Returns the coefficients of a joint that stays at 1: Σ_m B_m(t)·c_m = 1.
  virtual Eigen::VectorXd Constant() const = 0;
  /// Returns the motion with coefficients c, size() × n.
  virtual std::unique_ptr<Motion> Make(const Eigen::MatrixXd& c) const = 0;
};

/// Splines of degree 5 through way points, the coefficients, see QuinticSpline.
class SplineCurve : public MotionCurve {
 public:
  /// @param waypoint_s  distance of way points in time; the nearest one of which a whole number
  ///                    makes the duration.
  SplineCurve(double duration_s, double waypoint_s);

  double duration_s() const override { return spline_.duration_s(); }
  Eigen::Index size() const override { return spline_.size(); }
  Eigen::MatrixXd At(double t) const override { return spline_.At(t); }
  Eigen::VectorXd Constant() const override { return Eigen::VectorXd::Ones(size()); }
  std::unique_ptr<Motion> Make(const Eigen::MatrixXd& c) const override;

 private:
  QuinticSpline spline_;
};

/// Finite Fourier series whose period is the duration, see FourierMotion. At rest at its ends it
/// has q̇(0) = Σ a_l = 0 and q̈(0) = ω Σ l·b_l = 0, and one coefficient less for each.
class FourierCurve : public MotionCurve {
 public:
  /// @param rest  at both ends; takes two harmonics.
  /// @throws std::invalid_argument for too few harmonics.
  FourierCurve(double duration_s, int harmonics, bool rest);

  double duration_s() const override { return duration_s_; }
  Eigen::Index size() const override { return series_.cols(); }
  Eigen::MatrixXd At(double t) const override;
  Eigen::VectorXd Constant() const override { return Eigen::VectorXd::Unit(size(), 0); }
  std::unique_ptr<Motion> Make(const Eigen::MatrixXd& c) const override;

 private:
  double duration_s_;
  int harmonics_;
  /// (q0, a_1 … a_H, b_1 … b_H) of each coefficient.
  Eigen::MatrixXd series_;
};

}  // namespace idbench
