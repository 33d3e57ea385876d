#pragma once

#include <string>
#include <vector>

#include "bench/cell/prepared_cell.h"
#include "estimators/interface/estimate.h"
#include "robots/robot.h"

namespace idbench {

/// Weight of the divergence from the prior relative to ½·Σ (torque residual/σ)² when
/// --export-nearest asks for the consistent set of least torque residual: a unit of divergence
/// weighs as much as a unit of log-likelihood. That is small against thousands of samples, and
/// keeps every body strictly inside the set of physical bodies.
inline constexpr double kNearestLambda = 1.0;

/// Estimate completed to a full set of physical parameters, or why that is impossible.
struct CompletedSet {
  std::string refusal;  ///< A sentence; empty if there is a set.
  Eigen::VectorXd pi;
  std::string note;                 ///< How the set was made from the estimate.
  bool predicts_otherwise = false;  ///< The set has other torques than the estimate.
  double milliseconds = 0.0;        ///< Time that the solver took [ms].
};

/// Completes the estimate of a cell. Consistent standard parameters stay as they are. Base
/// parameters get the consistent set nearest to the prior (in the entropic divergence, see
/// consistent_fit.h) that reproduces them. If there is none, and for inconsistent standard
/// parameters, the function refuses, naming the links and their distance from any body; or, with
/// `nearest`, it solves
///
///   argmin ½·Σ_j ‖W_j (π − π̂)‖²/σ_j² + λ·Σ_i D(P_i ‖ P_i,prior),  λ = kNearestLambda,
///
/// on the identification data, with σ_j as declared, else from the estimate's residuals. It raises
/// λ tenfold as often as a body would otherwise lie on the boundary up to round-off, and says so in
/// `note`. The prior is the problem's, else the robot's nominal set; rods, plates and impossible
/// bodies in it are made physical first. Base links that are not unknowns stay as in the nominal
/// set; joint parameters that are not unknowns are 0, as for the estimate. What is known, gains of
/// drives and attached bodies, keeps its values.
CompletedSet Complete(const Robot& robot, const PreparedCell& context, const TrialData& data,
                      const Estimate& estimate, bool nearest);

}  // namespace idbench
