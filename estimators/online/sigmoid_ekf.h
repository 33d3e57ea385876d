#pragma once

#include "estimators/online/filter_on_unknowns.h"

namespace idbench {

struct SigmoidEkfOptions {
  double slope = 1.0;
  InitialCovariance p0 = InitialCovariance::kPrior;  ///< Or kIdentity.
  ProcessNoise process_noise;
  std::optional<double> clamp = 5.0;

  bool operator==(const SigmoidEkfOptions&) const = default;
};
FieldTable Visit(SigmoidEkfOptions& options);

/// Extended Kalman filter whose unknowns cannot leave their bounds: each is a sigmoid of its state,
///   x = lower + (upper − lower)·s(c·ξ),  s(z) = 1/(1 + e⁻ᶻ),  c = slope.
/// The filter runs on ξ with H_ξ = W·∂π/∂x·∂x/∂ξ, linearised once per sample. It starts from
///   ξ₀ = s⁻¹((prior mean − lower)/(upper − lower))/c  and  P₀ = J⁻¹ P_prior J⁻ᵀ,  J = ∂x/∂ξ at ξ₀.
///
/// With `p0` "prior" the slope has no effect: it only changes the unit of ξ. With `p0` "identity"
/// P₀ = 1 in ξ, as printed, and the slope says how far the prior may be off: by c/4 of the distance
/// between the bounds for a prior in their middle.
///
/// If a step overshoots into the flat end of a sigmoid, the gain vanishes and the estimate would
/// stay at a bound; so |c·ξ| is limited to `clamp` after each sample.
///
/// The estimate and its covariance J P Jᵀ are in physical units. The covariance comes from a
/// linearisation: if the prior is as wide as the bounds and the first samples carry much
/// information, it is withheld (see ReviewLinearisation()) or, with process noise, too small.
/// Diagnostic `saturated_count`: number of unknowns with |c·ξ| > 4, within 1.8 %
/// of a bound. Source: Joukov, Bonnet, Venture & Kulić, IROS 2015, equations 8-10.
class SigmoidEkf : public FilterOnUnknowns<SigmoidEkfOptions> {
 public:
  EstimatorNeeds needs() const override;
  FrameDependence frame_dependence() const override;

 protected:
  /// @throws EstimationFailure (refused) if the prior is not inside its bounds, or if the clamp
  ///         would move it.
  void Start(const Problem& problem) override;
  void Absorb(const Sample& sample) override;
  Estimate Snapshot() const override;
  bool linearises(const Problem&) const override { return true; }

 private:
  /// Computes x and ∂x/∂ξ at the filter's state.
  void MapState();

  std::optional<Eigen::MatrixXd> own_prior_;  ///< Covariance of x before the data; if identity.
  Eigen::ArrayXd lower_, upper_;
  Eigen::ArrayXd fraction_;  ///< s(c·ξ)
  Eigen::VectorXd x_, dx_dxi_;
  Eigen::MatrixXd H_xi_;
};

}  // namespace idbench
