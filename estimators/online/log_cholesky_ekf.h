#pragma once

#include <vector>

#include "estimators/online/filter_on_unknowns.h"
#include "estimators/solvers/entropic_prior.h"

namespace idbench {

struct LogCholeskyEkfOptions {
  InitialCovariance p0 = InitialCovariance::kBodies;  ///< Or kPrior.
  std::optional<double> lambda;                       ///< See EntropicPrior::Weight().
  ProcessNoise process_noise;

  bool operator==(const LogCholeskyEkfOptions&) const = default;
};
FieldTable Visit(LogCholeskyEkfOptions& options);

/// Extended Kalman filter whose state θ represents each body by the Cholesky factor of its
/// pseudo-inertia (see LogCholeskyMap), so that every state stands for physical bodies. Unknowns
/// that move no body enter θ unchanged. Linearised once per sample, H_θ = W·∂π/∂θ.
///
/// Starts from the prior with P₀ = J⁻¹ P J⁻ᵀ, J = ∂x/∂θ there. With `p0` "bodies" P is that of the
/// entropic divergence over λ (see ScaledKf), with "prior" the problem's. The estimate and its
/// covariance J P_θ Jᵀ are in the problem's unknowns. The covariance comes from a linearisation: if
/// the prior is wide and the first samples carry much information, it is withheld (see
/// ReviewLinearisation()) or, with process noise, too small. Diagnostic
/// `least_pseudo_inertia_margin`: min_i λmin(J_i)/tr J_i. Accepts affine problems in which all ten
/// parameters of each body that x moves are unknown: `standard`. Source of the state: Rucker &
/// Wensing, IEEE RA-L 7(2), 2022.
class LogCholeskyEkf : public FilterOnUnknowns<LogCholeskyEkfOptions> {
 public:
  EstimatorNeeds needs() const override;
  FrameDependence frame_dependence() const override;

 protected:
  /// @throws EstimationFailure (refused) as EntropicPrior does, or naming unknowns that are not all
  ///         ten of a body.
  void Start(const Problem& problem) override;
  Estimate Snapshot() const override;
  bool linearises(const Problem&) const override { return true; }

 private:
  /// Ten unknowns of a body: π's segment from `first_pi` on is a constant + A·x(unknowns).
  struct Body {
    int first_pi;
    std::vector<int> unknowns;  ///< Indices into x.
    Eigen::MatrixXd inverse;    ///< A⁻¹, 10 × 10.
  };

  void FindBodies(const Problem& problem);
  /// Returns the problem with the unknowns θ: ten for each body, then the others.
  Problem InState(const Problem& problem) const;
  /// Returns ∂x/∂θ.
  Eigen::MatrixXd Jacobian(const Eigen::VectorXd& state) const;

  Eigen::MatrixXd own_prior_;      ///< Covariance of x before the data.
  std::vector<int> body_indices_;  ///< Index into π of each body's first parameter.
  std::vector<Body> bodies_;
  std::vector<int> others_;  ///< Unknowns that move no body.
  Eigen::VectorXd pi0_;
};

}  // namespace idbench
