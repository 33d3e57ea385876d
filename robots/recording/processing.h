#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "robots/recording/adaptive_window.h"
#include "robots/recording/dataset.h"
#include "robots/recording/resample.h"
#include "scenarios/options/config_error.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// Options of a Butterworth low-pass (see ButterworthLowpass): of zero phase, in two passes, or
/// causal, in one.
struct LowpassOptions {
  double cutoff_hz = 0.0;             ///< Half-power frequency of one pass [Hz].
  int order = 5;                      ///< Order of one pass.
  std::vector<std::string> channels;  ///< Channels to filter; empty: every measured one, or all.
  /// Dropped at each end, of a causal one at the beginning [s]; absent: FilterEdge().
  std::optional<double> drop_edges_s;
};
FieldTable Visit(LowpassOptions& options);
/// Returns true if `name` is that of the channel or of its kind.
bool IsNamed(std::string_view name, std::string_view channel);

/// What accelerations are derived from.
enum class AccelerationSource { kPosition, kVelocity };
template <>
inline constexpr auto kEnumNames<AccelerationSource> =
    std::to_array<EnumName<AccelerationSource>>({{AccelerationSource::kPosition, kJointPosition},
                                                 {AccelerationSource::kVelocity, kJointVelocity}});

/// Central differences over ProcessingOptions::difference_half_width, see Differentiate().
struct CentralDifferenceOptions {
  static constexpr std::string_view kType = "central";

  bool operator==(const CentralDifferenceOptions&) const = default;
};
FieldTable Visit(CentralDifferenceOptions& options);

/// How channels are differentiated; the first is the default.
using DifferenceOptions = std::variant<CentralDifferenceOptions, AdaptiveWindowOptions>;

/// Time that is added to the stamps of each channel [s]; absent: 0.
struct TimeShift : PerChannel<std::optional<double>> {
  /// Returns true if some channel is moved.
  bool any() const;
};
FieldTable Visit(TimeShift& shift);

/// Processing of a dataset before estimators get it, in the order of the members.
struct ProcessingOptions {
  /// Data as they could be had at each instant, for methods that follow a robot: see Process().
  bool causal = false;
  std::int64_t skip_samples = 0;  ///< Dropped from the beginning of each channel.
  /// A torque that is held over the step of h behind its stamp belongs h/2 later; a sensor's delay
  /// is negative.
  TimeShift shift_s;
  /// Puts all channels on one uniform time vector of this rate [Hz], over the time that all cover.
  std::optional<double> resample_rate_hz;
  Interpolation interpolation = Interpolation::kCubic;  ///< Of resampling.
  std::optional<LowpassOptions> lowpass;
  /// Which of joint_velocity and joint_acceleration to derive from the processed joint_position.
  std::vector<std::string> differentiate;
  /// Second differences of positions, or first differences of the recorded and processed
  /// joint_velocity, which carry less noise where velocities are measured.
  AccelerationSource acceleration_from = AccelerationSource::kPosition;
  DifferenceOptions difference = {};
  int difference_half_width = 1;         ///< See Differentiate().
  std::optional<double> decimate_to_hz;  ///< Keeps every k-th sample.
};
FieldTable Visit(ProcessingOptions& options);
/// Returns true if there is a low-pass and it applies to a channel.
/// @param origin  of the channel as recorded.
bool IsFiltered(const ProcessingOptions& options, std::string_view channel, Origin origin);
/// Returns 1 for joint_velocity, 2 for joint_acceleration.
int DerivativeOfPosition(std::string_view name);
/// Returns how many later samples a derived one depends on at most; 0 if none is derived.
int DifferenceReach(const ProcessingOptions& options);
/// Returns true if what the options make of a sample depends on later ones.
bool LooksAhead(const ProcessingOptions& options);

/// What was recorded is too short for a step; of a recording in segments others may be long enough.
class TooShortError : public ConfigError {
 public:
  using ConfigError::ConfigError;
};

/// Applies the requested steps in the order of ProcessingOptions.
///
/// - Interpolated, filtered and differentiated channels become kDerived, except that oracle
///   channels stay kOracle. They lose their declared σ, because neighbouring samples now share
///   their noise and its size has changed: ChannelNoise tells it. Other channels keep origin and σ.
/// - A derived velocity or acceleration replaces a channel of that name.
/// - The edges of a low-pass are dropped from all channels, so that they stay aligned, and after
///   the differentiation, so that its one-sided ends are dropped too.
/// - Dataset::recorded stays that of the dataset: what is dropped or shifted moves no clock.
/// - Dataset::lowpass_cutoff_hz becomes the cut-off, or keeps the lower one of an earlier low-pass.
/// - A low-pass and a decimation need uniform time: no step may differ from the median step by more
///   than 1 %. The rate after a decimation may differ from the requested one by 1 %.
/// - A resampling below 90 % of a channel's nominal rate is refused, because it would alias before
///   the low-pass; use decimate_to_hz to lower the rate.
///
/// With `causal` no sample depends on a later one, time stamps stay those at which the last sample
/// that counts was there, and all channels are late by the same time, so that the equations of
/// a row hold between them:
/// - A resampling reads all signals D ago, D the least multiple of the new step by which linear
///   interpolation has one more sample, and cubic two, also where steps are 10 % longer.
/// - The low-pass filters all channels, whatever their origin, in one pass. It drops nothing at the
///   end.
/// - Differences of half-width w stay central, and adaptive windows centred: all channels are
///   delayed by w samples or by those on one side of the largest window.
/// - Adaptive windows that end at each sample delay no channel: what they derive is late by half of
///   each window, more where the robot is slow. The samples before the first window are dropped.
/// CausalDelay() is the sum of what delays all. Filters, once their channels are uniform, are
/// designed for the median step, to 9 digits; it and D are the only things that all stamps decide.
/// All channels must share their time stamps wherever one is filtered or differentiated.
///
/// @throws ConfigError (source: the dataset's label; where: the option) if the data do not allow
///         what the options request; TooShortError if more samples would do.
Dataset Process(const Dataset& dataset, const ProcessingOptions& options);

/// Returns by how much causal processing delays all channels, at low frequencies [s]; 0 if it is
/// not causal.
/// @param rate_hz  of the slowest channel as recorded.
/// @throws std::invalid_argument as ButterworthLowpass does.
double CausalDelay(const ProcessingOptions& options, double rate_hz);

}  // namespace idbench
