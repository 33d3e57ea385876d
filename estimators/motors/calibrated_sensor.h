#pragma once

#include <Eigen/Core>
#include <array>
#include <string>
#include <vector>

#include "estimators/interface/problem.h"

namespace idbench {

/// A force/torque sensor whose calibration is unknown, at least in part: (1 + D)·w = W·π + o. Its
/// six rows are those of a RegressionRows, ρ(x) = e − M·x = (1 + D)·w − W·π − o. They hold for
/// D = −1, so that their least squares shrinks all to nothing; the residual of what is measured,
///
///   r(x) = w − ŵ(x) = (1 + D)⁻¹·ρ(x),  ŵ(x) = (1 + D)⁻¹·(W·π + o),
///
/// does not, and no error of w is in the columns of its derivative.
struct CalibratedSensor {
  std::string name;
  Eigen::Index first = 0;  ///< First of its six rows.
  /// Index in x of D_jk, −1 where that is known.
  Eigen::Matrix<Eigen::Index, 6, 6> entries = Eigen::Matrix<Eigen::Index, 6, 6>::Constant(-1);
  /// 1 + D of x = 0: of what is known.
  Eigen::Matrix<double, 6, 6> known = Eigen::Matrix<double, 6, 6>::Identity();

  /// Returns true if an entry of x is one of D.
  bool Has(Eigen::Index x) const { return (entries.array() == x).any(); }
  /// Returns the change of D that a change of x is, 6 × 6.
  Eigen::Matrix<double, 6, 6> ChangeOf(const Eigen::Ref<const Eigen::VectorXd>& dx) const;
  /// Returns 1 + D.
  Eigen::Matrix<double, 6, 6> At(const Eigen::Ref<const Eigen::VectorXd>& x) const;

  /// (M, e) of some samples, samples × (p + 1), of each row.
  using Rows = std::array<Eigen::MatrixXd, 6>;
  /// Returns r of the samples, samples × 6.
  Eigen::MatrixXd Residuals(const Rows& Me, const Eigen::Ref<const Eigen::VectorXd>& x) const;
  /// Computes r and its derivative by x: dr = (1 + D)⁻¹·(dD·ŵ − W·dπ − do).
  /// @param[out] J  of each component, samples × p.
  /// @return r, samples × 6.
  Eigen::MatrixXd Linearise(const Rows& Me, const Eigen::Ref<const Eigen::VectorXd>& x,
                            Rows& J) const;
};

/// Returns the sensors of a problem that have unknown entries, in the order of rows.
/// @param problem  affine.
/// @throws EstimationFailure (refused) if an entry is mixed with other unknowns, or if not all six
///         rows of a sensor count.
std::vector<CalibratedSensor> FindCalibratedSensors(const Problem& problem);

}  // namespace idbench
