#pragma once

#include "estimators/interface/estimator.h"
#include "estimators/solvers/least_squares.h"
#include "estimators/walkers/fcd.h"

namespace idbench {

struct WlsFcdOptions {
  FcdOptions fcd;
  std::string weighting = "identity";
  double free_row_variance_ratio = 10.0;

  bool operator==(const WlsFcdOptions&) const = default;
};
FieldTable Visit(WlsFcdOptions& options);

/// Least squares on a walker's torques and filtered central differences (WLS-FCD),
///   β̂ = argmin Σ_k (τ_k − Z_k·β)ᵀ·W·(τ_k − Z_k·β),
/// with W = 1 (`identity`); W = Σ_τ⁻¹ (`covariance`), where Σ_τ has a pseudo-variance for the rows
/// that no motor drives (see TorqueCovariance); or W = B·diag(σ_u²)·Bᵀ (`printed`, as in (29)),
/// which ignores those rows. Treats the measured motion as exact, so it states no covariance.
/// Source: Dolinský & Čelikovský, IEEE TCST 26(5), 2018, (28), (29), section V.
class WlsFcd : public Estimator {
 public:
  FieldTable Fields() override { return Visit(options_); }
  EstimatorNeeds needs() const override;

 protected:
  Estimate Identify(const Problem& problem, std::span<const Dataset> datasets) override;

 private:
  WlsFcdOptions options_;
};

/// Returns what estimators of walkers need that start from WlsFcd's estimate.
EstimatorNeeds WalkerNeeds(std::string_view absolute_angle);

/// Returns WlsFcd's estimate, always determined().
/// @param recordings  read with AbsoluteAngleChannels() and LeastSamples().
/// @throws EstimationFailure (rank_deficient) if the recordings do not determine β; (refused) if
///         the weighting needs a σ that is not declared.
LeastSquaresSolution FitWlsFcd(const Problem& problem,
                               const std::vector<WalkerRecording>& recordings,
                               const WlsFcdOptions& options);

}  // namespace idbench
