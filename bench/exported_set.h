#pragma once

#include <string>
#include <vector>

#include "bench/cell_context.h"
#include "estimators/estimate.h"
#include "robots/robot.h"

namespace idbench {

/// Weight of the divergence from the prior beside ½·Σ (torque residual/σ)² where --export-nearest
/// asks for the consistent set of least torque residual: a unit of divergence weighs as much as a
/// unit of log-likelihood. Small beside thousands of samples, and it keeps every body strictly
/// inside of what bodies can be.
inline constexpr double kNearestLambda = 1.0;

/// An estimate made a full set of parameters that a robot can have, or why it cannot be.
struct CompletedSet {
  std::string refusal;  ///< A sentence; empty if there is a set.
  Eigen::VectorXd pi;
  std::string note;  ///< How it was made from the estimate.
  bool predicts_otherwise =
      false;                  ///< It has other torques than the estimate: see what that costs.
  double milliseconds = 0.0;  ///< What the solver took.
};

/// Completes the estimate of a cell: of standard parameters that are consistent, as they are; of
/// base parameters, with the consistent set nearest to the prior (in the entropic divergence, see
/// consistent_fit.h) that reproduces them. Where none exists, and for inconsistent standard
/// parameters: refused, naming the links and how far they are from any body, or with `nearest`
///
///   argmin ½·Σ_j ‖W_j (π − π̂)‖²/σ_j² + λ·Σ_i D(P_i ‖ P_i,prior),  λ = kNearestLambda,
///
/// on the identification data, σ_j as declared, else as the estimate's residuals show it; λ is
/// raised tenfold as often as a body would otherwise lie on the boundary but for round-off (said in
/// `note`). The prior is the problem's, else the robot's nominal set; rods, plates and what no body
/// has are made physical first. Base links that were not asked for stay as in the nominal set;
/// joint parameters that were not asked for are 0, as for the estimate.
CompletedSet Complete(const Robot& robot, const CellContext& context, const TrialData& data,
                      const Estimate& estimate, bool nearest);

}  // namespace idbench
