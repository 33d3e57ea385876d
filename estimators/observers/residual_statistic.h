#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "estimators/interface/row_mask.h"
#include "estimators/observers/detection.h"
#include "estimators/observers/model_spread.h"
#include "estimators/observers/residual_covariance.h"
#include "estimators/observers/residual_lowpass.h"
#include "estimators/observers/residual_window.h"
#include "scenarios/options/binding.h"

namespace idbench {

/// What is averaged over the last samples.
enum class StatisticAverage {
  kResiduals,  ///< The residuals, before they are squared: noise averages out, a push stays.
  kSquares,    ///< The squares: the mean square of residuals.
};
template <>
inline constexpr auto kEnumNames<StatisticAverage> = std::to_array<EnumName<StatisticAverage>>(
    {{StatisticAverage::kResiduals, "residuals"}, {StatisticAverage::kSquares, "squares"}});

struct ResidualStatisticOptions {
  std::optional<ResidualLowpassOptions> lowpass = {};
  int samples = 10;
  StatisticAverage average = StatisticAverage::kResiduals;
  CovarianceShape covariance = CovarianceShape::kFull;
  std::optional<PerJoint> dead_zone_rad_s = {};
  std::optional<double> bias_tracking_s = {};
  double frozen_s = 60.0;
  double longest_freeze_s = 3.0;
  std::optional<double> freeze_threshold = {};
  double bias_clip = 1.5;
  bool model_uncertainty = false;

  bool operator==(const ResidualStatisticOptions&) const = default;
};
/// Adds all but `dead_zone_rad_s`.
void AddResidualStatistic(ResidualStatisticOptions& options, FieldTable& table);
/// Adds `dead_zone_rad_s`, which is of no use to rows without friction.
void AddDeadZone(ResidualStatisticOptions& options, FieldTable& table);

/// Returns the equations with the dead zone of the options, if there is one, in those that hold
/// friction of joints.
/// @throws EstimationFailure (refused) if the zone has another number of joints than the robot.
std::vector<EquationRows> WithDeadZone(const Problem& problem, std::vector<EquationRows> equations,
                                       const std::optional<PerJoint>& zone);

/// Hotelling's statistic of the residual rows of some equations, sample by sample:
///
///   T²_t = z_tᵀ S⁻¹ z_t,  z_j = √k_j · mean of r_j − b_j over those of the last n samples that
///   count (k_j ≤ n, n = `samples`),  S second moments of z in the identification data,
///
/// so that noise that lasts longer than a sample is accounted for; "squares": the mean of the last
/// n T² of single samples. With a full S and Gaussian residuals T² is χ² of as many degrees as
/// rows.
///   - `lowpass`: r is filtered before anything else, see FilterResidual().
///   - `dead_zone_rad_s`: rows of joints, which hold friction, do not count where these are slow,
///     see RowMask; absent: the zones of the equations. A T² of fewer rows is turned into that of
///     all rows which is as unlikely (EquivalentSquare()).
///   - `bias_tracking_s`: b is the slow mean of r, see BiasTracker; it is slowed to `frozen_s`
///     while T² is above `freeze_threshold`, or the threshold of detection if there is none. In the
///     identification data it is never slowed. `bias_clip` is in standard deviations of r there.
///   - `model_uncertainty`: S + D·W P Wᵀ·D in place of S, with P the covariance that the model
///     states of its parameters and D = diag(√k_j), W that of the sample, which no low-pass
///     filters: what the model does not know does not average out. Without a covariance it changes
///     nothing.
/// Without identification data S holds the declared σ².
class ResidualStatistic {
 public:
  /// @param equations  those that count. All references must outlive the object.
  ResidualStatistic(const Problem& problem, const Estimate& model,
                    std::vector<EquationRows> equations, const ResidualStatisticOptions& options);
  ResidualStatistic(const ResidualStatistic&) = delete;
  ResidualStatistic& operator=(const ResidualStatistic&) = delete;

  /// Learns S from the data of role `identification`, where nothing acts, and returns their
  /// statistic.
  /// @throws EstimationFailure (refused) as SampleCovariance() does, and if there are no such data
  ///         and a low-pass: a declared σ is not that of what it leaves.
  std::vector<TrainedStatistic> Learn(std::span<const Dataset> training);

  /// Returns the residual of a dataset, filtered, without rows in dead zones.
  ModelResidual Residual(const Dataset& dataset) const;

  struct Watched {
    Eigen::VectorXd square;  ///< T² of each sample; NaN where no row counts.
    Eigen::MatrixXd mean;    ///< Mean of r − b over the last samples, N × rows; NaN of none.
  };
  /// Returns the statistic of a residual. Takes Learn().
  /// @param threshold  of detection.
  Watched Watch(const ModelResidual& residual, double threshold);

  /// Returns S, rows × rows. Takes Learn().
  const Eigen::MatrixXd& S() const { return S_; }

 private:
  /// z of each sample; judge(k, z, √k) says whether the bias is slowed.
  template <class Judge>
  void ForEachZ(const ModelResidual& residual, const Judge& judge) const;
  /// Watch() with a bias that is slowed where T² is above that.
  Watched WatchBelow(const ModelResidual& residual, double slowed_above);
  /// T² of a sample, of as many degrees as rows.
  double Square(const ModelResidual& residual, Eigen::Index k, const Eigen::RowVectorXd& z,
                const Eigen::RowVectorXd& roots);

  const Problem& problem_;
  const Estimate& model_;
  const ResidualStatisticOptions& options_;
  std::vector<EquationRows> equations_;
  RowMask mask_;
  Eigen::VectorXd sigma_;  ///< Of a sample of each row.
  Eigen::MatrixXd S_;
  std::unique_ptr<MahalanobisSquare> square_;
  std::unique_ptr<ModelSpread> spread_;  ///< nullptr: that of the model does not count.
};

}  // namespace idbench
