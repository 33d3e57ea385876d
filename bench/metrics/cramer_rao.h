#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/metrics/metric_value.h"
#include "bench/trial/trial_data.h"
#include "estimators/interface/estimate.h"
#include "estimators/interface/row_mask.h"
#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/recording/channel_noise.h"
#include "sim/sensors/sensors.h"

namespace idbench {

/// Fisher information of a trial's identification data about the unknowns,
///
///   J = Σ_samples (W A)ᵀ Σ⁻¹ (W A),  τ = W(q, q̇, q̈) π(x) + e,  A = ∂π/∂x,
///
/// with white e of the true σ (see SensorOptions::TrueSigma()), at the true states and unknowns, W
/// with what is attached in the configuration of the data, and without rows that lie in a dead zone
/// at the true velocities. All other sensor effects only lose information: no unbiased estimator
/// has a covariance below J⁻¹. Of rounded readings it is the bound of linear estimators alone:
/// where the noise is below half a step more can be known, 1.7 times J at a tenth of a step. Ratios
/// then have the `count` 0.
///
/// Of processed data it is the information that they still have: of the stretch of time that is
/// left, and with the spectral density of the processed noise at frequency 0 in place of the
/// sensor's (see ChannelNoise). A low-pass above the motion's band and an up-sampling change
/// nothing, a decimation by k without a low-pass leaves J/k.
///
/// Rows of drives with gains that are known, τ = B·diag(gains)·v, have the covariance
/// B·diag(gains·σ)²·Bᵀ, with σ of v and true gains; of the rows that count. Gains that are unknown
/// have no bound: what they multiply is known with errors only. If π is not affine in x, no
/// estimator is unbiased, and the bound is that of the problem linearised at the truth.
///
/// Holds its own scratch: use one object per thread.
class CramerRao {
 public:
  /// @param problem  of the cell.
  /// @param sensors  resolved; nullptr for recordings, which have no bound.
  /// @param noise    of a channel as estimators get it; nothing if channels are as recorded.
  CramerRao(const Problem& problem, const SensorOptions* sensors,
            const std::function<ChannelNoise(std::string_view)>& noise = nullptr);

  /// Selects a trial; `data` must outlive the calls below.
  void SetTrial(const TrialData& data);

  /// Returns the squared error in units of the bound, (x̂ − x)ᵀ J (x̂ − x) / r, with `count` r = rank
  /// J, or 0 of rounded readings; its mean over trials is 1 for an efficient estimator.
  /// @param checkpoint_s  recorded time that counts [s]; infinite for all.
  MetricValue Ratio(const Estimate& estimate, double checkpoint_s);

  /// Returns the bound on the root mean square of `base_parameter_relative_error`:
  ///     √tr(Φ A J⁻¹ Aᵀ Φᵀ) / ‖Φπ‖, Φ the equations on the fixed states, rows weighted.
  /// @param row_weights  of each row of Φ.
  /// @param norm         ‖Φπ‖ of the truth, weighted.
  MetricValue ErrorBound(const FixedStates& states, const Eigen::RowVectorXd& row_weights,
                         double norm, double checkpoint_s);

  /// Returns the bound on the root mean square of `prediction_excess_nm` in an experiment: of each
  /// joint √(Σ_samples tr(W A J⁻¹ Aᵀ Wᵀ)/N) with W its row at the true states; overall the mean
  /// over joints.
  /// @param configuration  of that experiment.
  MetricValue PredictionBound(const StateSamples& samples, int configuration, double checkpoint_s);

  /// Returns the least overall PredictionBound() of any motions with as many samples within the
  /// robot's limits, see BoundOfMotions(). Takes seconds; is kept for the trial.
  MetricValue LeastPredictionBound(const StateSamples& samples, int configuration,
                                   double checkpoint_s);

  /// What the data determine, whoever estimates from them: c = L·(π̂ − π) are the coordinates of an
  /// error along TaughtDirections(), in standard deviations of the bound.
  struct Taught {
    Eigen::MatrixXd L;      ///< Directions × entries of π in `used`.
    std::vector<int> used;  ///< Indices into π.
    std::string refusal;    ///< Why it cannot be told; empty if it can.
  };
  /// @param row_weights, norm  as of ErrorBound().
  Taught TaughtBy(const FixedStates& states, const Eigen::RowVectorXd& row_weights, double norm,
                  double checkpoint_s);

  /// Bayesian bound P = (P₀⁻¹ + J)⁻¹: averaged over truths drawn from the prior N(x₀, P₀), no
  /// estimator has a mean squared error below it (van Trees, Detection, Estimation, and Modulation
  /// Theory I, 1968, section 2.4.3).
  struct Posterior {
    /// Lower triangular, P₀ = root·rootᵀ; PriorCoordinates::root where the prior knows nothing of
    /// some unknowns.
    Eigen::MatrixXd root;
    /// D + rootᵀ·J·root, so P = root·information⁻¹·rootᵀ, with D = 1 but for PriorCoordinates of
    /// which nothing is known, where it is 0.
    Eigen::MatrixXd information;
    std::string refusal;  ///< Why there is no bound; empty if there is one.

    Eigen::MatrixXd Covariance() const;
  };
  Posterior BayesianBound(double checkpoint_s);

  /// Returns the squared error in units of that bound, (x̂ − x)ᵀ P⁻¹ (x̂ − x) / n, with n unknowns.
  /// If the prior is drawn as it declares, its mean over trials is 1 for an optimal estimator.
  /// Of rounded readings its `count` is 0.
  MetricValue BayesianRatio(const Estimate& estimate, double checkpoint_s);

 private:
  static Posterior BoundBesideUnknown(const Parametrisation::Prior& prior,
                                      const Eigen::MatrixXd& J);

  /// J scaled to unit diagonal, and its decomposition J = V Λ Vᵀ.
  struct Information {
    Eigen::MatrixXd J;
    Eigen::VectorXd scale;  ///< Unit of each x_k; 0 if the data carry no information on it.
    Eigen::MatrixXd directions;
    Eigen::VectorXd eigenvalues;  ///< 0 for those that are round-off.
    Eigen::Index rank = 0;
    double samples = 0.0;  ///< Of which it is the sum.
  };

  /// The robot in one configuration.
  struct Configured {
    Configured(const Problem& problem, int configuration, const std::vector<int>& used);

    Dynamics dynamics;
    Dynamics::Scratch scratch;
    RowRegressor rows;        ///< The problem's, without those of drives.
    RowRegressor torques;     ///< Of the joints, behind those of drives.
    RowRegressor everywhere;  ///< As far as they are defined at all states.
  };

  const Information& Of(double checkpoint_s);
  /// Why nothing can be said of other motions; empty if something can.
  std::string RefusalOfMotions(const Information& information, std::size_t columns) const;
  /// Returns tr(gram·J⁻¹); nothing if `gram` has a direction of which the data carry no
  /// information.
  static std::optional<double> SquaredError(const Eigen::MatrixXd& gram,
                                            const Information& information);
  /// Sets `refusal_` if a sensor has a calibration.
  void CheckCalibrations(const RobotModel& model);
  /// Sets `refusal_` if gains of drives are unknown: they hang on A.
  void CheckGains(const RobotModel& model);
  /// Sets `whitening_` from true gains.
  void WhitenDrives(const RobotModel& model, const Eigen::VectorXd& pi);
  /// Adds the information of drives: Σ_samples (whitening_ W A)ᵀ (whitening_ W A).
  void AddDrives(Configured& configured, const StateSamples& samples, Eigen::MatrixXd& sum);
  /// Adds Σ_samples Aᵀ Wᵀ diag(weights) W A to `sum`.
  /// @param mask  of rows that do not count, or nullptr.
  /// @param A     used entries of π × columns.
  static void AddGram(const RowRegressor& rows, const StateSamples& samples,
                      const Eigen::VectorXd& weights, const RowMask* mask,
                      Dynamics::Scratch& scratch, const Eigen::MatrixXd& A, Eigen::MatrixXd& sum);
  /// Returns (Φ A)ᵀ diag(weights) (Φ A) of the problem's equations on the fixed states.
  Eigen::MatrixXd FixedGram(const FixedStates& states, const Eigen::VectorXd& weights,
                            const Eigen::MatrixXd& A);

  /// Sets `error_gram_` and `error_weights_`.
  void WeighErrors(const FixedStates& states, const Eigen::RowVectorXd& row_weights);

  /// The stretch of time that estimators get of an experiment [s].
  struct Stretch {
    explicit Stretch(const Dataset& dataset);
    bool operator==(const Stretch&) const = default;

    double first_s, last_s;
    double step_s = 0.0;  ///< Which the last sample stands for.
    RecordedTime clock;   ///< Of the experiment.
  };

  const TrialData* data_ = nullptr;
  std::optional<std::int64_t> trial_;  ///< Trial of the cached results.
  std::vector<int> used_;              ///< Entries of π that the unknowns can change.
  bool linear_ = false;                ///< Some row has rounded readings.
  std::string refusal_;                ///< Why there is no bound in this cell.
  Eigen::VectorXd weights_;            ///< 1/σ² of each equation row that is not of drives.
  Eigen::VectorXd input_sigma_;        ///< Of what each motor is fed; empty without drives.
  RowMask mask_;                       ///< Of those rows.
  std::vector<int> drive_joints_;      ///< Joints whose rows of drives count.
  Eigen::MatrixXd drive_B_;            ///< Their rows of B.
  Eigen::MatrixXd whitening_;          ///< Inverse Cholesky factor of those rows' covariance.
  Eigen::MatrixXd A_;                  ///< Used entries of π × unknowns, at the trial's truth.
  /// (Φ A)ᵀ diag(error_weights_) (Φ A) on the fixed states; empty before its first use.
  Eigen::MatrixXd error_gram_;
  Eigen::MatrixXd pi_gram_;        ///< ΦᵀΦ, likewise.
  Eigen::VectorXd error_weights_;  ///< Squares of the row weights; they depend on the truth.
  std::vector<std::unique_ptr<Configured>> configured_;  ///< One per configuration.
  std::vector<int> identified_;                          ///< Those with data for identification.
  std::vector<const Signals*> clean_;  ///< Signals of the identification experiments.
  std::vector<int> configurations_;    ///< Theirs.
  std::vector<Stretch> stretches_;     ///< Theirs.
  std::map<double, Information> known_;
  std::map<std::pair<const double*, double>, MetricValue> least_;  ///< By samples and checkpoint.
};

}  // namespace idbench
