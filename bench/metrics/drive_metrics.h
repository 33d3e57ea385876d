#pragma once

#include <Eigen/Core>
#include <map>
#include <string>
#include <vector>

#include "bench/metrics/identified_model.h"
#include "bench/metrics/metric_value.h"
#include "bench/trial/trial_data.h"
#include "estimators/interface/estimate.h"
#include "scenarios/carried_payloads.h"
#include "scenarios/problem/problem_parts.h"

namespace idbench {

/// Metrics of what an estimate says of the drives of motors. Holds its own scratch: use one object
/// per thread.
class DriveMetrics {
 public:
  /// @param problem, asked  of the cell: its considered parameters as indices into π. The problem
  ///         must outlive this.
  /// @param changes  experiments in which what the robot carries changes.
  DriveMetrics(const Problem& problem, const std::vector<int>& asked, PayloadChanges changes = {});

  /// Select a trial and then an estimate, which must outlive the calls below.
  void SetTrial(const TrialData& data);
  void SetEstimate(const Estimate& estimate);

  /// Returns ĝ/g of each gain that is to be estimated. Overall: the ratio that is furthest from 1,
  /// of the largest |ln ĝ/g|; one that is not positive is further than all others.
  MetricValue GainRatio() const;

  /// Returns the root mean square of v − v̂ over the standard deviation of v, for each motor of
  /// MotorsOfDutyCycles(), with v its duty cycle in an experiment as /scoring compares it, and
  ///
  ///   v̂ = (B⁻¹·τ(π̂))_i / ĝ_i
  ///
  /// that of the estimate at the measured state; a gain that is known is that of π̂ as well.
  /// Overall: the root of the mean square over motors. Fails where a gain is not positive or a duty
  /// cycle does not vary. Absent where what the robot carries changes in the experiment.
  MetricValue DutyCycleError(const std::string& experiment);

 private:
  MetricValue DutyCycleErrorIn(const std::string& experiment);
  /// True of an estimate that leaves all gains at a prior mean of 0.
  bool HasNoGains() const;
  /// Index into π of a motor's gain in a configuration.
  int GainOf(int motor, int configuration) const;

  const Problem& problem_;
  std::vector<int> asked_gains_;
  PayloadChanges changes_;
  MotorsFromJoints motors_;
  std::string channel_;  ///< That measures the duty cycles.
  IdentifiedModel model_;
  const TrialData* data_ = nullptr;
  const Estimate* estimate_ = nullptr;
};

}  // namespace idbench
