#pragma once

#include "estimators/active/upright_method.h"

namespace idbench {

struct StaticTorqueOptions {
  int poses = 12;
  double duration_s = 360.0;
  double reach_rad = 1.0;
  double approach_rad = 0.1;
  double natural_frequency_hz = 1.0;
  double damping_ratio = 1.0;
  double velocity_cutoff_hz = 10.0;
  bool leaning = true;

  bool operator==(const StaticTorqueOptions&) const = default;
};
FieldTable Visit(StaticTorqueOptions& options);

/// Gravity from the torques that hold the robot still, by least squares link by link:
///   τ_i = −G_i·sin θ_i + H_i·cos θ_i,
/// τ on absolute angles θ from upright, H_i, with `leaning`, by how much its gravity leans. One
/// experiment visits `poses` poses, spread evenly over ±reach, twice each: from above and from
/// below, joint by joint, so that Coulomb friction, which holds on either side of gravity, cancels
/// in their mean. PD control with the gravity and the inertias of the guess (see PdGravity; without
/// its couplings where the guess is no robot's) holds them; commanded torques and read positions
/// count in the last third of each visit.
///
/// Estimates the gravity parameters alone; the others stay those of the prior. States no
/// covariance. A note tells of poses in which the robot still moved, by more than 1e-3 rad between
/// the halves of the time that counts, or torques changed, by more than 0.5 % of the greatest, and
/// of friction that holds it apart on its two ways.
/// @throws EstimationFailure (not_converged) if it moved by more than 0.05 rad;
///         (rank_deficient) for poses that do not tell G from H.
class StaticTorque : public UprightMethod<StaticTorqueOptions> {
 public:
  double least_use_s() const override { return options_.duration_s; }

 protected:
  Estimate Experiment(const Problem& problem, Plant& plant) override;
};

}  // namespace idbench
