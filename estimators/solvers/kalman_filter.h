#pragma once

#include <Eigen/Core>
#include <optional>

#include "estimators/interface/estimate.h"
#include "estimators/solvers/row_noise.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// Random walk that a filter assumes for the unknowns from one sample to the next, as a fraction of
/// their initial covariance: Q = (per_s·Δt + per_sample)·exp(−t/decay_s)·P₀, with t = 0 at the
/// first sample and Δt the time since the one before. None by default: unknowns are constant.
struct ProcessNoise {
  double per_s = 0.0;
  double per_sample = 0.0;  ///< At the first one too. At most one of the two is not 0.
  std::optional<double> decay_s = std::nullopt;  ///< Absent: constant.

  bool operator==(const ProcessNoise&) const = default;
  bool is_none() const { return per_s == 0.0 && per_sample == 0.0; }
  /// Returns Q as a fraction of P₀.
  /// @param t_s     since the first sample [s].
  /// @param step_s  since the sample before [s]; 0 for the first.
  double At(double t_s, double step_s) const;
};
/// Adds the fields `process_noise_per_s`, `process_noise` and `process_noise_decay_s` to a method's
/// table.
void AddFields(ProcessNoise& options, FieldTable& table);

/// Covariance P₀ that a filter starts from; each filter accepts some of these.
enum class InitialCovariance {
  kPrior,     ///< That of the problem's prior.
  kIdentity,  ///< 1 in SI units, or in the filter's own state.
  kBodies,    ///< That of the bodies' entropic divergence.
};
template <>
inline constexpr auto kEnumNames<InitialCovariance> =
    std::to_array<EnumName<InitialCovariance>>({{InitialCovariance::kPrior, "prior"},
                                                {InitialCovariance::kIdentity, "identity"},
                                                {InitialCovariance::kBodies, "bodies"}});

/// Kalman filter of unknowns that are constant up to process noise. Allocates nothing
/// after construction.
///
/// Processes the rows of a measurement one after another: for independent noise that equals a joint
/// update, and it inverts no matrix. Each update is a difference of covariances, with round-off
/// of P₀: relative to the least variance that the data leave, it grows as they do. Source: Bierman,
/// Factorization Methods for Discrete Sequential Estimation, 1977, chapter II.
class KalmanFilter {
 public:
  /// @param state       x̂₀, p.
  /// @param covariance  P₀, p × p, symmetric, positive semi-definite. A direction without
  ///         variance never moves.
  KalmanFilter(Eigen::VectorXd state, Eigen::MatrixXd covariance);

  /// Computes P ← P + fraction·P₀.
  void Wander(double fraction);

  /// Updates the state with e = H·(x − x̂) + noise, where x̂ is the state before the call. Skips a
  /// row whose residual is not finite. O(rows·p²).
  /// @param H         rows × p.
  /// @param residual  e, one per row.
  /// @param variance  of the noise, one per row, positive; it is white.
  void Correct(const Eigen::Ref<const Eigen::MatrixXd>& H,
               const Eigen::Ref<const Eigen::VectorXd>& residual,
               const Eigen::Ref<const Eigen::VectorXd>& variance);
  /// The same gains if the noise is coloured: they are those of white noise of the same density.
  /// The covariance and the variance of innovations are what these gains leave of it: with C = P z
  /// of RowNoise and Pᶜ the covariance,
  ///   s = H Pᶜ Hᵀ + γ_0 − 2·H C,  Pᶜ ← Pᶜ + K (C − Pᶜ Hᵀ)ᵀ + (C − Pᶜ Hᵀ) Kᵀ + s·K Kᵀ.
  /// @param noise  remembers the sample.
  void Correct(const Eigen::Ref<const Eigen::MatrixXd>& H,
               const Eigen::Ref<const Eigen::VectorXd>& residual, RowNoise& noise);

  /// Checks that differences of covariances have left digits in P, see below.
  /// @throws EstimationFailure (diverged) where the least λ with P v = λ·P₀ v is below 1e-14.
  void CheckDigits() const;

  const Eigen::VectorXd& state() const { return state_; }
  Eigen::VectorXd& state() { return state_; }
  const Eigen::MatrixXd& covariance() const { return coloured_.size() > 0 ? coloured_ : P_; }

  /// Returns the mean of ν²/s over all rows so far, where ν is a row's innovation and s its
  /// variance: near 1 if the model and the declared variances are right. Nothing before the first
  /// row. Source: Bar-Shalom, Li & Kirubarajan, Estimation with Applications to Tracking and
  /// Navigation, 2001, section 5.4.
  std::optional<double> normalised_innovation_squared() const;
  Eigen::Index rows_left_out() const { return rows_left_out_; }

 private:
  /// @param noise  coloured, or nullptr.
  void CorrectRows(const Eigen::Ref<const Eigen::MatrixXd>& H,
                   const Eigen::Ref<const Eigen::VectorXd>& residual,
                   const Eigen::Ref<const Eigen::VectorXd>& variance, const RowNoise* noise);
  /// Updates `coloured_` by a row of gain `PHt_`/s and returns the variance of its innovation.
  double CorrectColoured(Eigen::Index row, double s, const RowNoise& noise);

  Eigen::VectorXd state_;
  Eigen::MatrixXd P_, P0_;
  Eigen::MatrixXd coloured_;  ///< Covariance under coloured noise; empty before the first.
  Eigen::VectorXd past_, beside_;
  Eigen::VectorXd H_row_, PHt_, step_;
  double sum_of_squares_ = 0.0;
  Eigen::Index rows_ = 0, rows_left_out_ = 0;
};

/// Records `normalised_innovation_squared` and, if rows were skipped, `rows_left_out`.
/// @throws EstimationFailure (diverged) if a variance has become negative.
void StateDiagnostics(const KalmanFilter& filter, Estimate& estimate);

}  // namespace idbench
