#pragma once

#include <Eigen/Core>

#include "robots/recording/aligned_view.h"
#include "robots/recording/filter.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// The same zero-phase low-pass for the measured side and for every column of the regressor, so
/// that the equations keep holding: a filter is linear, y = W·x gives Fy = (FW)·x. Source: Gautier,
/// "Dynamic identification of robots with power model", ICRA 1997.
struct ParallelFilter {
  double cutoff_hz = 10.0;
  int order = 5;

  bool operator==(const ParallelFilter&) const = default;
};
FieldTable Visit(ParallelFilter& options);

/// A ParallelFilter at the sample rate of one recording: filters columns, drops the edges that the
/// filter spoils, and keeps every step-th sample, so that the rate is at most 2.5 × the cut-off.
/// A low-pass leaves little more information than that, and neighbours that shared their noise
/// would make the estimate look better than it is.
class DecimatingLowpass {
 public:
  /// @throws EstimationFailure (refused) for jittered time, a cut-off that is not below half the
  ///         rate, or fewer samples than the filter spoils.
  DecimatingLowpass(const ParallelFilter& options, const AlignedView& view);

  /// Samples between two that are kept.
  Eigen::Index step() const { return step_; }
  Eigen::Index edge_samples() const { return lowpass_.EdgeSamples(); }
  /// @param columns  one row per sample of the recording.
  Eigen::MatrixXd Apply(Eigen::MatrixXd columns) const;

 private:
  ButterworthLowpass lowpass_;
  Eigen::Index step_;
};

}  // namespace idbench
