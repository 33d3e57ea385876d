#pragma once

#include "bench/trial/trial_data.h"
#include "estimators/interface/estimate.h"

namespace idbench {

/// What estimates took of the robot.
class PlantUseMetrics {
 public:
  /// Selects a trial; `data` must outlive the calls below.
  void SetTrial(const TrialData& data) { data_ = &data; }

  /// Returns what the method of an estimate asked of its plant; of one that reads data, what was
  /// recorded for identification: experiments of several segments count once.
  PlantUse Of(const Estimate& estimate) const;

 private:
  const TrialData* data_ = nullptr;
};

}  // namespace idbench
