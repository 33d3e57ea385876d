#pragma once

#include <string>

#include "bench/cell_context.h"
#include "bench/metric_value.h"
#include "bench/true_unknowns.h"
#include "estimators/online_estimator.h"

namespace idbench {

/// Metrics of how an online estimator follows the truth, sample by sample, in a window of the
/// scenario.
///
/// `context` must outlive it.
class TrackingMetrics {
 public:
  explicit TrackingMetrics(const CellContext& context);

  /// `data` must outlive what is asked for next.
  void SetTrial(const TrialData& data);

  /// @param quantity  one of AllMetrics() that is of a window.
  /// @param window    label of a window of the scenario.
  MetricValue Evaluate(const std::string& quantity, const std::string& window,
                       const EstimateTrack& track) const;

 private:
  /// The window's part of a track: x̂, σ and x of its unknowns after each sample.
  struct Excerpt;
  Excerpt CutOut(const WindowOptions& window, const EstimateTrack& track) const;

  MetricValue Rmse(const Excerpt& part) const;
  MetricValue RmseWithinBounds(const Excerpt& part) const;
  MetricValue OutOfBounds(const Excerpt& part) const;
  MetricValue Drift(const Excerpt& part) const;
  MetricValue LockedIn(const Excerpt& part) const;
  /// The overall value is there only if the unknowns have one unit.
  bool OneUnit(const Excerpt& part) const;

  const CellContext& context_;
  const TrialData* data_ = nullptr;
  TrueUnknowns truth_;
};

}  // namespace idbench
