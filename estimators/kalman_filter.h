#pragma once

#include <Eigen/Core>
#include <optional>

#include "estimators/estimate.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// By how much the unknowns are taken to wander from one sample to the next, as a part of their
/// initial covariance: Q = fraction·exp(−t/decay_s)·P₀.
struct ProcessNoise {
  double fraction = 1e-4;
  std::optional<double> decay_s = 2.0;  ///< Absent: constant.

  bool operator==(const ProcessNoise&) const = default;
  double At(double t_s) const;
};
/// Adds its fields, `process_noise` and `process_noise_decay_s`, to a method's.
void AddFields(ProcessNoise& options, FieldTable& table);

/// Kalman filter of unknowns that stay as they are, up to process noise. Allocates nothing after
/// construction.
///
/// Rows of a measurement are worked in one after another, which for independent noise is the same
/// as all at once and inverts no matrix. Source: Bierman, Factorization Methods for Discrete
/// Sequential Estimation, 1977, chapter II.
class KalmanFilter {
 public:
  /// @param covariance  P₀, symmetric, positive semi-definite; p × p. A direction without variance
  ///                    never moves.
  KalmanFilter(Eigen::VectorXd state, Eigen::MatrixXd covariance);

  /// P ← P + fraction·P₀
  void Wander(double fraction);

  /// Works in e = H·(x − x̂) + noise, x̂ the present state. A row whose residual is not finite is
  /// left out.
  /// @param H         rows × p.
  /// @param residual  e.
  /// @param variance  of the noise, per row, positive.
  void Correct(const Eigen::Ref<const Eigen::MatrixXd>& H,
               const Eigen::Ref<const Eigen::VectorXd>& residual,
               const Eigen::Ref<const Eigen::VectorXd>& variance);

  const Eigen::VectorXd& state() const { return state_; }
  Eigen::VectorXd& state() { return state_; }
  const Eigen::MatrixXd& covariance() const { return P_; }

  /// Mean of ν²/s over all rows, ν a row's innovation and s its variance: near 1 if the model and
  /// the variances that were declared hold. Nothing before the first row.
  /// Source: Bar-Shalom, Li & Kirubarajan, Estimation with Applications to Tracking and Navigation,
  /// 2001, section 5.4.
  std::optional<double> normalised_innovation_squared() const;
  Eigen::Index rows_left_out() const { return rows_left_out_; }

 private:
  Eigen::VectorXd state_;
  Eigen::MatrixXd P_, P0_;
  Eigen::VectorXd H_row_, PHt_, step_;
  double sum_of_squares_ = 0.0;
  Eigen::Index rows_ = 0, rows_left_out_ = 0;
};

/// States `normalised_innovation_squared` and, if there are any, `rows_left_out`.
/// @throws EstimationFailure (diverged) if a variance has become negative.
void StateDiagnostics(const KalmanFilter& filter, Estimate& estimate);

}  // namespace idbench
