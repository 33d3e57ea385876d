#pragma once

#include "bench/cell/prepared_cell.h"
#include "bench/metrics/drive_metrics.h"
#include "bench/metrics/fit_metrics.h"
#include "bench/metrics/following_metrics.h"
#include "bench/metrics/parameter_metrics.h"
#include "bench/metrics/plant_use_metrics.h"
#include "bench/metrics/simulation_bound.h"
#include "bench/metrics/simulation_metrics.h"
#include "bench/metrics/torque_metrics.h"
#include "bench/metrics/tracking_metrics.h"
#include "bench/metrics/wrench_metrics.h"

namespace idbench {

/// What metrics share within a cell: predictions, replays and bounds are computed once for all that
/// need them. Holds scratch: use one object per thread. `cell` must outlive it.
struct Judges {
  explicit Judges(const PreparedCell& cell);

  /// Select a trial and then an estimate, which must outlive the calls of metrics.
  void SetTrial(const TrialData& data);
  void SetEstimate(const Estimate& estimate);

  TorqueMetrics torques;
  FitMetrics fits;
  SimulationMetrics simulations;
  SimulationBound simulation_bound;
  ParameterMetrics parameters;
  PlantUseMetrics plant_use;
  TrackingMetrics tracking;
  FollowingMetrics following;
  WrenchMetrics wrenches;
  DriveMetrics drives;
};

/// Experiments of a simulation in which what the robot carries changes; none of recordings.
PayloadChanges ChangesIn(const PreparedCell& cell);

}  // namespace idbench
