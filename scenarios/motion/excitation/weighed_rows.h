#pragma once

#include <Eigen/Core>
#include <vector>

#include "robots/dynamics/rows.h"
#include "scenarios/motion/excitation/criterion.h"
#include "scenarios/motion/excitation/design_errors.h"

namespace idbench {

/// Returns M = Σ precision·WᵀW over the rows of a regressor, p × p.
/// @param W          as RowRegressor::Dense() gives.
/// @param precision  of each row; empty: 1.
Eigen::MatrixXd InformationOf(const RowRegressor& rows, const std::vector<Eigen::MatrixXd>& W,
                              const Eigen::VectorXd& precision = {});

/// Samples of rows, of which a criterion is a function.
struct RowSamples {
  StateSamples states;
  const std::vector<Eigen::MatrixXd>& W;  ///< As RowRegressor::Dense() gives.
  double rate_hz = 0.0;                   ///< Of the samples, evenly spaced.
};

/// A criterion of rows on a motion that are measured with errors, beside what is known before.
///
/// The estimate is that of least squares weighted by the precisions, with the prior and without the
/// disturbances z·θ, θ ~ N(0, σ²). With A = Λ + Σ WᵀSW, C = Σ WᵀSz, S the precision of a row in
/// a sample, its covariance is A⁻¹ + A⁻¹·C·diag(σ²)·Cᵀ·A⁻¹, and
///
///   J_d = −ln det A + ln det(I + diag(σ)·Cᵀ·A⁻¹·C·diag(σ)),
///
/// the logarithm of its determinant. Other criteria are those of A.
class WeighedRows {
 public:
  /// @param rows    must outlive this object.
  /// @param errors  of the rows. @param known  Λ, p × p; empty: 0.
  WeighedRows(const RowRegressor& rows, ExcitationCriterion criterion, DesignErrors errors,
              Eigen::MatrixXd known);

  /// Returns the criterion; infinite where A is singular.
  double Value(const RowSamples& samples) const;
  /// Returns what an optimiser follows in place of it, see SmoothCriterionOf(), and keeps what
  /// AddGradient() takes.
  double MoveTo(const RowSamples& samples);
  /// Computes `weight` times the derivatives of that in the states, where MoveTo() was last.
  /// @param[out] gradient  resized.
  void Gradient(const RowSamples& samples, double weight, Dynamics::Scratch& scratch,
                StateGradient& gradient) const;

 private:
  /// Precision of one sample's rows over that of the errors' own rate.
  double ScaleOf(double rate_hz) const;
  Eigen::MatrixXd InformationOn(const RowSamples& samples) const;
  /// Returns z of a disturbance at all samples.
  Eigen::VectorXd CourseOf(const Disturbance& disturbance, const StateSamples& states) const;
  /// Returns C·diag(σ), p × disturbances.
  Eigen::MatrixXd DisturbedOn(const RowSamples& samples) const;

  const RowRegressor& rows_;
  ExcitationCriterion criterion_;
  DesignErrors errors_;
  Eigen::MatrixXd known_;
  Eigen::MatrixXd by_A_;  ///< ∂J/∂A, p × p
  Eigen::MatrixXd by_C_;  ///< ∂J/∂(C·diag(σ)), p × disturbances
};

}  // namespace idbench
