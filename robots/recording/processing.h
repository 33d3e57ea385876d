#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "robots/recording/dataset.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// A zero-phase Butterworth low-pass (see ButterworthLowpass).
struct LowpassOptions {
  double cutoff_hz = 0.0;              ///< Half-power frequency of one of the two passes [Hz].
  int order = 5;                       ///< Of one pass.
  std::vector<std::string> channels;   ///< To be filtered; empty: every measured one.
  std::optional<double> drop_edges_s;  ///< Dropped at each end [s]; absent: FilterEdge().
};
FieldTable Visit(LowpassOptions& options);

/// What is done with a dataset before estimators get it. The order is that of the members.
struct ProcessingOptions {
  std::int64_t skip_samples = 0;  ///< Dropped from the beginning of each channel.
  /// Puts all channels on one uniform time vector of this rate [Hz], over the time that all cover.
  std::optional<double> resample_rate_hz;
  std::string interpolation = "cubic";  ///< Of the resampling: "linear" or "cubic".
  std::optional<LowpassOptions> lowpass;
  /// Of joint_velocity and joint_acceleration, those to derive from joint_position as it then is.
  std::vector<std::string> differentiate;
  int difference_half_width = 1;         ///< See Differentiate().
  std::optional<double> decimate_to_hz;  ///< Keeps every k-th sample.
};
FieldTable Visit(ProcessingOptions& options);

/// Applies the steps that are asked for, in the order of ProcessingOptions.
///
/// - Channels that were interpolated, filtered or differentiated are kDerived, except that what
///   comes from an oracle stays kOracle. They lose their declared σ: neighbouring samples now share
///   their noise, and its size is another. Other channels keep both.
/// - A derived velocity or acceleration replaces a channel of that name.
/// - The edges of a low-pass are dropped from all channels, so that they stay aligned, and after
/// the
///   differentiation, so that its one-sided ends go with them.
/// - Dataset::lowpass_cutoff_hz becomes the cut-off, or stays the lower one of an earlier low-pass.
/// - A low-pass and a decimation need uniform time: no step may differ from the median step by more
///   than 1 %. The rate after a decimation may differ from the one asked for by 1 %.
/// - A resampling below 90 % of a channel's nominal rate is refused, because it would alias before
///   the low-pass; decimate_to_hz is the way down.
///
/// @throws ConfigError (source: the dataset's label; where: the option) if the data does not allow
///         what the options ask for.
Dataset Process(const Dataset& dataset, const ProcessingOptions& options);

}  // namespace idbench
