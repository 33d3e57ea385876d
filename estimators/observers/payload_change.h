#pragma once

#include <string>

#include "estimators/interface/observer.h"
#include "estimators/observers/detection.h"
#include "estimators/observers/residual_covariance.h"

namespace idbench {

/// Of how much mass was added, and its standard deviation: columns mass, sigma [kg].
inline constexpr std::string_view kPayloadMass = "payload_mass_kg";

struct PayloadChangeOptions {
  double window_s = 2.0;
  std::string link;
  CovarianceShape covariance = CovarianceShape::kFull;
  DetectionOptions detection = {};

  bool operator==(const PayloadChangeOptions&) const = default;
};
FieldTable Visit(PayloadChangeOptions& options);

/// Tells whether the robot carries something else than in the identification data: least squares
/// over the samples of the last `window_s`,
///
///   δ̂ = argmin Σ (r − H·δ)ᵀ R⁻¹ (r − H·δ),  N = Σ Hᵀ R⁻¹ H,  T² = δ̂ᵀ N δ̂,
///
/// with δ what is added to the mass and the first moments (m, m·c) of a link, H their columns of
/// the regressor, r the residual rows of all equations, and R second moments of r in the
/// identification data, or the declared σ² if there are none. Inertia about the link's origin
/// counts as unchanged: a load is taken for small and near it. Directions of δ in which N is below
/// 1e-10 of its largest eigenvalue are left at 0, and T² is turned into that of four degrees
/// (EquivalentSquare()).
///
/// Gives T² as `statistic`, δ̂_m with its standard deviation √(N⁻¹)_mm, for white residuals, as
/// `payload_mass_kg`; NaN where the window does not tell a mass from first moments, and in samples
/// without a row in the window. Residuals are slow, and so T² exceeds a χ² by far: the threshold is
/// that of ThresholdOf(). Samples that lack a row are left out. Causal, if the problem does not
/// resample.
class PayloadChange : public ConfiguredObserver<PayloadChangeOptions> {
 public:
  EstimatorNeeds needs() const override { return ArmNeeds(); }
  std::vector<std::string_view> gives() const override { return {kStatistic, kPayloadMass}; }
  Detects detects() const override { return Detects::kPayload; }
  bool causal() const override { return true; }

 protected:
  void CheckProblem(const Problem& problem) const override;
  Observation Watch(const Problem& problem, const Estimate& model,
                    std::span<const Dataset> training, const Dataset& watched) override;
};

}  // namespace idbench
