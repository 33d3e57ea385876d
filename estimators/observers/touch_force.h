#pragma once

#include <Eigen/Core>
#include <string>
#include <string_view>
#include <vector>

#include "estimators/interface/observer.h"
#include "estimators/observers/detection.h"
#include "estimators/observers/residual_statistic.h"

namespace idbench {

/// Where something may touch the robot, as `drawn_touches` of an experiment say it, and which
/// sensor feels it.
struct TouchForceOptions {
  std::string sensor;
  std::string link;
  std::vector<double> axis_from_m = {0.0, 0.0, 0.0}, axis_to_m = {0.0, 0.0, 0.0};
  double radius_m = 0.0;
  double least_force_n = 0.5;
  ResidualStatisticOptions statistic = {.samples = 1};
  DetectionOptions detection = {};

  bool operator==(const TouchForceOptions&) const = default;
};
/// The table refuses lists of another length and an axis without length.
FieldTable Visit(TouchForceOptions& options);

/// Force and place of a touch beyond a force/torque sensor, from the residual wrench r = −(f, m)
/// about the sensor's origin, where a single force acts at a point p of a cylinder about a link:
///
///   (f, m) = (f, p × f),  f towards the inside of the cylinder.
///
/// r is the mean of the last samples less a bias, if options say so; T² and the threshold are those
/// of ResidualStatistic. Where T² is above the threshold:
///   - the wrench of a force alone that is nearest to −r by S⁻¹ (WrenchOfForce()) has a line of
///     action, which enters the cylinder at p (PlaceOfForce()), by the kinematics of the sample;
///   - f is the force at p that explains r best (ForceAt()). Where the line meets the cylinder, f
///     and p are the most likely ones of a Gaussian r with covariance S.
/// Gives f as `external_force` in base axes, p as `touch_place` in the frame of the link, and T²;
/// force and place are NaN where nothing is detected, where |f| is below `least_force_n`, and where
/// the sample lacks a number. Causal, if the problem does not resample and no low-pass of zero
/// phase looks ahead.
class TouchForce : public ConfiguredObserver<TouchForceOptions> {
 public:
  EstimatorNeeds needs() const override { return FilteredNeeds(options_.statistic.lowpass); }
  std::vector<std::string_view> gives() const override {
    return {kExternalForce, kTouchPlace, kStatistic};
  }
  Detects detects() const override { return Detects::kContact; }
  std::string touched_body() const override { return options_.link; }
  bool causal() const override {
    return !options_.statistic.lowpass || !options_.statistic.lowpass->zero_phase;
  }

 protected:
  void CheckProblem(const Problem& problem) const override;
  Observation Watch(const Problem& problem, const Estimate& model,
                    std::span<const Dataset> training, const Dataset& watched) override;
};

}  // namespace idbench
