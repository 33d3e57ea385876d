#pragma once

#include <Eigen/Core>
#include <optional>

#include "estimators/interface/estimator.h"
#include "robots/recording/aligned_view.h"
#include "robots/recording/filter.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// Zero-phase low-pass for the measured side and for every column of the regressor alike. A filter
/// is linear, so the equations still hold: y = W·x gives Fy = (FW)·x. Source: Gautier, "Dynamic
/// identification of robots with power model", ICRA 1997.
struct ParallelFilter {
  double cutoff_hz = 10.0;
  int order = 5;

  bool operator==(const ParallelFilter&) const = default;
};
FieldTable Visit(ParallelFilter& options);
/// Adds the field `parallel_filter` to a method's table.
void AddParallelFilter(std::optional<ParallelFilter>& filter, FieldTable& table);
/// Returns ArmNeeds(more) of a method with that filter: data of a rate that it takes.
EstimatorNeeds FilteredNeeds(const std::optional<ParallelFilter>& filter, Capabilities more);

/// ParallelFilter for the sample rate of one recording: filters columns, drops the ends that the
/// filter spoils, and keeps every step-th sample, so that the rate is at most 2.5 × the cut-off. A
/// low-pass leaves little more information than that, and neighbours with shared noise would make
/// the estimate look better than it is.
class DecimatingLowpass {
 public:
  /// @param view  gives the number of samples and their rate.
  /// @throws EstimationFailure (refused) if time jitters, if the cut-off is not below half the
  ///         rate, or if the recording has no more samples than the filter spoils.
  DecimatingLowpass(const ParallelFilter& options, const AlignedView& view);

  /// Returns the distance between two kept samples.
  Eigen::Index step() const { return step_; }
  /// Returns the number of samples dropped at each end.
  Eigen::Index edge_samples() const { return lowpass_.EdgeSamples(); }
  /// Filters and decimates.
  /// @param columns  one row per sample of the recording, one signal per column.
  /// @return one row per kept sample.
  Eigen::MatrixXd Apply(Eigen::MatrixXd columns) const;

 private:
  ButterworthLowpass lowpass_;
  Eigen::Index step_;
};

}  // namespace idbench
