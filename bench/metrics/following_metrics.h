#pragma once

#include <string>

#include "bench/metrics/metric_value.h"
#include "bench/trial/staged_experiment.h"
#include "robots/dynamics/model.h"

namespace idbench {

/// How well a robot follows its motion under control with an estimate.
class FollowingMetrics {
 public:
  /// @param model  must outlive this.
  explicit FollowingMetrics(const RobotModel& model) : model_(model) {}

  /// Selects what was made with an estimate; it must outlive the calls below.
  void SetStaged(const StagedExperiments& staged) { staged_ = &staged; }

  /// Returns the root mean square of q_d − q over the samples of an experiment's motion, of each
  /// joint [rad or m]; over all joints, if they are of one kind. Fails as the experiment did.
  MetricValue Error(const std::string& experiment) const;

 private:
  const RobotModel& model_;
  const StagedExperiments* staged_ = nullptr;
};

}  // namespace idbench
