#pragma once

#include <Eigen/Core>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "estimators/problem.h"

namespace idbench {

/// A channel with one column per sample, so that a sample lies together in memory.
struct WalkerSignal {
  Eigen::MatrixXd samples;  ///< k × N
  Eigen::VectorXd sigma;    ///< Declared standard deviation, k; empty if none is declared.
};

/// An experiment with a walker: what its sensors read at the times k·Ts.
struct WalkerRecording {
  std::string label;
  double Ts = 0.0;      ///< Sample period [s].
  WalkerSignal q;       ///< joint_position, n × N [rad]; q1, the absolute angle, is the first row.
  WalkerSignal u;       ///< actuator_torque, m × N [N·m].
  Eigen::MatrixXd tau;  ///< B·u, n × N [N·m].
  std::vector<WalkerSignal> further;  ///< Channels asked for beside these, in that order.

  Eigen::Index size() const { return u.samples.cols(); }
};

/// The identification datasets, as estimators of walkers read them.
///
/// @param further  channels to be read beside joint_position and actuator_torque.
/// @param least_samples  that each dataset must have.
/// @throws EstimationFailure (refused) where there is no dataset or no sample; for a channel that
///         is missing, not sampled together with the others, of a wrong size, or not finite; for
///         time that jitters, of which differences are no derivatives; for too few samples.
std::vector<WalkerRecording> ReadWalkerData(const Problem& problem,
                                            std::span<const Dataset> datasets,
                                            std::span<const std::string_view> further,
                                            Eigen::Index least_samples);

/// The declared σ of `signal`, if all entries from `first` on are positive.
/// @throws EstimationFailure (refused) otherwise, naming the channel.
Eigen::VectorXd DeclaredSigma(const WalkerRecording& recording, const WalkerSignal& signal,
                              std::string_view channel);
/// Of q1 alone: that of the relative angles may be 0, or not declared.
double DeclaredSigmaOfAngle(const WalkerRecording& recording, const WalkerSignal& signal,
                            std::string_view channel);

/// Covariance of the errors of B·u, and the pseudo-variance of the rows that no motor drives,
/// where nothing is measured and the torque is 0:
///   Σ_τ = B·diag(σ_u²)·Bᵀ + ε·Σ_j e_j·e_jᵀ,  ε = ratio·mean(σ_u²),
/// j over the rows of zeros in B. Without ε it has no inverse (Dolinský & Čelikovský 2018, (29)).
struct TorqueCovariance {
  Eigen::MatrixXd covariance;  ///< n × n [N²·m²]
  double epsilon = 0.0;        ///< [N²·m²]
  std::vector<int> free_rows;  ///< That no motor drives.

  /// L⁻¹ with Σ_τ = L·Lᵀ: errors of the covariance Σ_τ become independent, of variance 1.
  Eigen::MatrixXd WhiteningRoot() const;
};

/// @throws EstimationFailure (refused) where Σ_τ is not positive definite: fewer motors than driven
///         joints.
TorqueCovariance CovarianceOfTorques(const RobotModel& model, const Eigen::VectorXd& sigma_u,
                                     double free_row_variance_ratio);

}  // namespace idbench
