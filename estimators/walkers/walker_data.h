#pragma once

#include <Eigen/Core>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "estimators/interface/problem.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// Channel with one column per sample, so that each sample is contiguous in memory.
struct WalkerSignal {
  std::string channel;
  Eigen::MatrixXd samples;  ///< k × N
  Eigen::VectorXd sigma;    ///< Declared standard deviation, k; empty if none is declared.
};

/// Sensor readings of an experiment with a walker at the times k·Ts, N samples.
struct WalkerRecording {
  std::string label;
  double Ts = 0.0;  ///< Sample period [s].
  /// joint_position, n × N [rad]; the first row is q1, the absolute angle.
  WalkerSignal q;
  WalkerSignal u;                     ///< actuator_torque, m × N [N·m].
  Eigen::MatrixXd tau;                ///< B·u, n × N [N·m].
  std::vector<WalkerSignal> further;  ///< That the caller asked for.

  /// Returns one of `further`, which must be there.
  const WalkerSignal& Further(std::string_view channel) const;

  /// Returns N.
  Eigen::Index size() const { return u.samples.cols(); }
};

/// Number of samples that a recording of some sample period [s] must have, at least.
using LeastOfPeriod = std::function<Eigen::Index(double Ts)>;

/// Reads the identification datasets for estimators of walkers.
///
/// @param further        channels to read beside joint_position and actuator_torque.
/// @param least_samples  number of samples that each dataset must have, at least 2 in any case.
/// @throws EstimationFailure (refused) if there is no identification dataset or one has no samples
///         or too few; if a channel is missing, was not sampled together with the others, has a
///         wrong number of columns or holds a number that is not finite; or if time jitters by more
///         than 0.1 % of its step, because differences then do not approximate derivatives.
std::vector<WalkerRecording> ReadWalkerData(const Problem& problem,
                                            std::span<const Dataset> datasets,
                                            std::span<const std::string_view> further,
                                            const LeastOfPeriod& least_samples);
std::vector<WalkerRecording> ReadWalkerData(const Problem& problem,
                                            std::span<const Dataset> datasets,
                                            std::span<const std::string_view> further,
                                            Eigen::Index least_samples);

/// Returns the declared σ of `signal`, one per row.
/// @throws EstimationFailure (refused), naming its channel, unless all of them are
///         declared and positive.
Eigen::VectorXd DeclaredSigma(const WalkerRecording& recording, const WalkerSignal& signal);
/// Returns the declared σ of q1, the first row; that of the relative angles may be 0 or absent.
/// @throws EstimationFailure (refused), naming its channel, unless it is declared and positive.
double DeclaredSigmaOfAngle(const WalkerRecording& recording, const WalkerSignal& signal);

/// Covariance of the errors of B·u, plus a pseudo-variance for the rows that no motor drives, where
/// nothing is measured and the torque is 0:
///   Σ_τ = B·diag(σ_u²)·Bᵀ + ε·Σ_j e_j·e_jᵀ,  ε = ratio·mean(σ_u²),
/// with j over the rows of zeros in B. Without ε it is singular (Dolinský & Čelikovský 2018, (29)).
struct TorqueCovariance {
  Eigen::MatrixXd covariance;  ///< n × n [N²·m²]
  double epsilon = 0.0;        ///< Pseudo-variance ε [N²·m²].
  std::vector<int> free_rows;  ///< Joints that no motor drives.

  /// Returns L⁻¹ with Σ_τ = L·Lᵀ, n × n: it turns errors of covariance Σ_τ into independent errors
  /// of variance 1.
  Eigen::MatrixXd WhiteningRoot() const;
};

/// Computes Σ_τ.
/// @param sigma_u                  declared σ of each motor's torque [N·m].
/// @param free_row_variance_ratio  the ratio in ε, positive.
/// @throws EstimationFailure (refused) if Σ_τ is not positive definite: fewer motors than
///         driven joints.
TorqueCovariance CovarianceOfTorques(const RobotModel& model, const Eigen::VectorXd& sigma_u,
                                     double free_row_variance_ratio);

/// Adds the field `free_row_variance_ratio`, see CovarianceOfTorques(), to a method's table.
/// @param use  ends the description: "" or "; used with …".
void AddFreeRowVarianceRatio(double& ratio, std::string_view use, FieldTable& table);

}  // namespace idbench
