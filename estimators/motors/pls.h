#pragma once

#include "estimators/interface/configured_estimator.h"
#include "estimators/motors/row_weights.h"
#include "estimators/solvers/parallel_filter.h"

namespace idbench {

struct PlsOptions {
  std::optional<int> components;
  int folds = 5;
  RowWeights weights = {};
  bool scale_columns = true;
  std::optional<PerJoint> dead_zone_rad_s;
  std::optional<ParallelFilter> parallel_filter;

  bool operator==(const PlsOptions&) const = default;
};
FieldTable Visit(PlsOptions& options);

/// Partial least squares of all rows y_j = W_j·π(x), see PartialLeastSquares(): the solution within
/// the span of ν latent variables, which needs no full rank.
///
///   x̂ = D·b_ν of X = diag(w)·W A·D and y = diag(w)·(y − W π₀),  D = diag(1/‖diag(w)·W A e_k‖),
///
/// with one weight w_j per kind of row (`weights`) and columns scaled to unit norm
/// (`scale_columns`; without it units decide the path). Nothing is centred: an intercept is a term,
/// as the offsets of a sensor are. Rows of drives, 0 = τ − B·diag(v)·g, have nothing on the
/// measured side and hold for x = 0, which is where the path begins: their noise and misfit pull
/// gains towards 0, the more the more they weigh.
///
/// `components` ν; absent: of 1 … p that with the least weighted sum of squares of samples that
/// were left out, in `folds` parts of the recorded time, each predicted from the others. Data for
/// identification alone are read. The data are reduced in one pass, whatever ν is.
///
/// States no covariance: the method does not know its bias. What the structure hides has no
/// meaning. Diagnostics: `components`; `left_out_rms` (weighted, absent if ν is given).
/// Source: Traversaro, Del Prete, Muradore, Natale & Nori, 2013, section IV.B.
class Pls : public ConfiguredEstimator<PlsOptions> {
 public:
  EstimatorNeeds needs() const override;
  FrameDependence frame_dependence() const override { return {.by = "norms of columns"}; }

 protected:
  void CheckProblem(const Problem& problem) override;
  /// @throws EstimationFailure (rank_deficient) if nothing stands on the measured side, from which
  ///         no latent variable follows; (refused) as RowTriangles and WithDriveDeadZone() do.
  Estimate Identify(const Problem& problem, std::span<const Dataset> datasets) override;
};

}  // namespace idbench
