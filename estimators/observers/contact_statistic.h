#pragma once

#include <optional>

#include "estimators/interface/observer.h"
#include "estimators/observers/detection.h"
#include "estimators/observers/residual_covariance.h"
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

struct ContactStatisticOptions {
  int samples = 10;
  StatisticAverage average = StatisticAverage::kResiduals;
  CovarianceShape covariance = CovarianceShape::kFull;
  std::optional<PerJoint> dead_zone_rad_s;
  std::optional<double> bias_tracking_s;
  double frozen_s = 60.0;
  double longest_freeze_s = 3.0;
  double bias_clip = 1.5;
  bool model_uncertainty = false;
  DetectionOptions detection = {};

  bool operator==(const ContactStatisticOptions&) const = default;
};
FieldTable Visit(ContactStatisticOptions& options);

/// Tells contacts by Hotelling's statistic of the residual rows of all equations of the problem:
///
///   T²_t = z_tᵀ S⁻¹ z_t,  z_j = √k_j · mean of r_j − b_j over those of the last n samples that
///   count (k_j ≤ n, n = `samples`),  S second moments of z in the identification data,
///
/// so that noise that lasts longer than a sample is accounted for; "squares": the mean of the last
/// n T² of single samples. With a full S and Gaussian residuals T² is χ² of as many degrees as
/// rows.
///   - `dead_zone_rad_s`: rows of joints, which hold friction, do not count where these are slow,
///   see
///     RowMask; absent: the zones of the problem's equations. A T² of fewer rows is turned into
///     that of all rows which is as unlikely (EquivalentSquare()).
///   - `bias_tracking_s`: b is the slow mean of r, see BiasTracker; it is slowed to `frozen_s`
///   while
///     T² is above the threshold. In the identification data it is never slowed.
///   - `model_uncertainty`: S + D·W P Wᵀ·D in place of S, with P the covariance that the model
///     states of its parameters and D = diag(√k_j), W that of the sample: what the model does not
///     know does not average out. Without a covariance it changes nothing.
/// The threshold is that of ThresholdOf(). Without identification data S holds the declared σ², and
/// `threshold` has to be given. Causal, if the problem does not resample.
///
/// Source: Traversaro, Del Prete, Muradore, Natale & Nori, 2013, equations 17 and 18: samples 1,
/// diagonal covariance, no tracking, and a threshold n(N − 1)/(N − n)·F_{n, N−n; α}.
class ContactStatistic : public ConfiguredObserver<ContactStatisticOptions> {
 public:
  EstimatorNeeds needs() const override { return ArmNeeds(); }
  std::vector<std::string_view> gives() const override { return {kStatistic}; }
  Detects detects() const override { return Detects::kContact; }
  bool causal() const override { return true; }

 protected:
  void CheckProblem(const Problem& problem) const override;
  Observation Watch(const Problem& problem, const Estimate& model,
                    std::span<const Dataset> training, const Dataset& watched) override;
};

}  // namespace idbench
