#pragma once

#include <string>

#include "bench/metrics/metric_value.h"
#include "bench/metrics/true_unknowns.h"
#include "bench/trial/trial_data.h"
#include "estimators/interface/estimate.h"

namespace idbench {

/// Metrics of how an online estimator follows the truth, sample by sample, in a window of the
/// scenario. Both arguments must outlive it.
class TrackingMetrics {
 public:
  /// @param scenario, problem  of the cell.
  TrackingMetrics(const Scenario& scenario, const Problem& problem);

  /// Selects a trial; `data` must outlive the calls below.
  void SetTrial(const TrialData& data);

  /// Part of a track within a window: x̂, σ and x of its unknowns after each sample.
  struct Excerpt;
  /// A metric of an excerpt, as MetricTable() defines it.
  using OfExcerpt = MetricValue (TrackingMetrics::*)(const Excerpt& part) const;

  /// @param window    label of a window of the scenario.
  /// @param estimate  with the series kParameters.
  MetricValue In(const std::string& window, const Estimate& estimate, OfExcerpt metric) const;

  MetricValue Rmse(const Excerpt& part) const;
  MetricValue RmseWithinBounds(const Excerpt& part) const;
  MetricValue OutOfBounds(const Excerpt& part) const;
  MetricValue MaxError(const Excerpt& part) const;
  MetricValue Settling(const Excerpt& part) const;
  MetricValue Reaching(const Excerpt& part) const;
  MetricValue Drift(const Excerpt& part) const;
  MetricValue Coverage(const Excerpt& part) const;
  MetricValue LockedIn(const Excerpt& part) const;

 private:
  Excerpt CutOut(const WindowOptions& window, const Estimate& estimate) const;
  /// Returns true if the unknowns share one unit; only then is there an overall value.
  bool OneUnit(const Excerpt& part) const;

  const Scenario& scenario_;
  const Parametrisation& parameters_;  ///< Their names and units.
  const TrialData* data_ = nullptr;
  TrueUnknowns truth_;
};

}  // namespace idbench
