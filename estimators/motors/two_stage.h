#pragma once

#include "estimators/interface/configured_estimator.h"
#include "estimators/motors/desired_instruments.h"
#include "estimators/motors/row_weights.h"
#include "estimators/solvers/parallel_filter.h"

namespace idbench {

struct TwoStageOptions {
  int reweightings = 3;
  std::optional<InstrumentOptions> instruments;
  std::optional<PerJoint> dead_zone_rad_s;
  std::optional<ParallelFilter> parallel_filter;

  bool operator==(const TwoStageOptions&) const = default;
};
FieldTable Visit(TwoStageOptions& options);

/// Drive gains from a force/torque sensor in two stages, without rows that hold for x = 0.
///
/// 1. Measured rows alone (a wrench, or joint torques), by least squares with one weight per row,
///    1/σ_j² from the residuals, `reweightings` times: x₁, and N, a basis of the directions of x
///    that these rows do not show.
/// 2. What each motor i is fed, by the torque u_i(x₁) that the first stage says it has to exert and
///    by what that leaves open (bodies before the sensor, friction),
///      v_i = s_i·u_i(x₁) + (M_i N)·z_i + noise,  ĝ_i = 1/s_i,
///    each motor for itself: noise and misfit of what is explained stand where least squares
///    expects them, and gains do not shrink.
/// 3. With these gains, x = x₁ + N·z from the rows of all motors, in units of what they are fed and
///    weighted by the residuals of 2.
///
/// Errors of x₁ do pull s towards 0, by the part that they have of u. Where a controller feeds the
/// motion back, so does noise of what motors exert beside what they are fed: it moves the robot,
/// and with it u and the columns of 2 and 3. `instruments` take these along what the desired motion
/// alone explains, see InstrumentedRows().
///
/// Where something touches the robot (Configuration::touched), 1 takes no data, and in 2 and 3 the
/// measured wrench stands in place of the predicted one, see TorquePerWrench(): known torques that
/// motors before the touched body have to hold.
///
/// States no covariance. What the structure hides stays where EstimateSeen() leaves it. Source: two
/// stages as Chan, Journal of Intelligent and Robotic Systems, 2001, as Traversaro et al. 2013
/// describe it; instruments that do not depend on noise: Janot, Vandanjon & Gautier, IEEE TCST
/// 22(1), 2014, who simulate them.
class TwoStage : public ConfiguredEstimator<TwoStageOptions> {
 public:
  EstimatorNeeds needs() const override;
  FrameDependence frame_dependence() const override { return {.by = "norms of columns"}; }

 protected:
  void CheckProblem(const Problem& problem) override;
  /// @throws EstimationFailure (refused) as FindMotorRows() does, or if no equation has a measured
  ///         side; (rank_deficient) if what a motor is fed does not follow a torque that the first
  ///         stage knows.
  Estimate Identify(const Problem& problem, std::span<const Dataset> datasets) override;
};

}  // namespace idbench
