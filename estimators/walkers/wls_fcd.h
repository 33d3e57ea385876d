#pragma once

#include "estimators/interface/configured_estimator.h"
#include "estimators/solvers/least_squares.h"
#include "estimators/walkers/fcd.h"

namespace idbench {

/// Weight W of a sample's torques.
enum class TorqueWeighting {
  kIdentity,  ///< W = 1
  kCovariance,  ///< W = Σ_τ⁻¹, with a pseudo-variance for rows without a motor: TorqueCovariance.
  kPrinted,     ///< W = B·diag(σ_u²)·Bᵀ, as in (29): it ignores those rows.
};
template <>
inline constexpr auto kEnumNames<TorqueWeighting> =
    std::to_array<EnumName<TorqueWeighting>>({{TorqueWeighting::kIdentity, "identity"},
                                              {TorqueWeighting::kCovariance, "covariance"},
                                              {TorqueWeighting::kPrinted, "printed"}});

struct WlsFcdOptions {
  FcdOptions fcd;
  TorqueWeighting weighting = TorqueWeighting::kIdentity;
  double free_row_variance_ratio = 10.0;

  bool operator==(const WlsFcdOptions&) const = default;
};
FieldTable Visit(WlsFcdOptions& options);

/// Least squares on a walker's torques and filtered central differences (WLS-FCD),
///   β̂ = argmin Σ_k (τ_k − Z_k·β)ᵀ·W·(τ_k − Z_k·β),
/// with W of TorqueWeighting. Treats the measured motion as exact, so it states no covariance.
/// Source: Dolinský & Čelikovský, IEEE TCST 26(5), 2018, (28), (29), section V.
class WlsFcd : public ConfiguredEstimator<WlsFcdOptions> {
 public:
  EstimatorNeeds needs() const override;

 protected:
  Estimate Identify(const Problem& problem, std::span<const Dataset> datasets) override;
};

/// Returns what estimators of walkers need that start from WlsFcd's estimate.
EstimatorNeeds WalkerNeeds(AngleSensor sensor);

/// Returns WlsFcd's estimate, always determined().
/// @param recordings  read with ChannelsOf() the sensor and LeastSamples().
/// @throws EstimationFailure (rank_deficient) if the recordings do not determine β; (refused) if
///         the weighting needs a σ that is not declared.
LeastSquaresSolution FitWlsFcd(const Problem& problem,
                               const std::vector<WalkerRecording>& recordings,
                               const WlsFcdOptions& options);

}  // namespace idbench
