#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <string_view>

#include "scenarios/options/fields.h"

namespace idbench {

/// Span of time of an option. Earlier versions counted samples, whose time changes with the rate;
/// such a count is still read, and then takes the place of the time.
struct Duration {
  std::optional<double> seconds = {};
  std::optional<int> samples = {};

  bool operator==(const Duration&) const = default;
  /// Returns the number of samples nearest to the span, 1 at least.
  /// @param Ts  sample period [s].
  Eigen::Index CountAt(double Ts) const;
};

/// Half-power frequency of an option, or its former spelling as a share of half the sample rate.
/// Without either there is no low-pass.
struct CutOff {
  std::optional<double> hz = {};
  std::optional<double> of_nyquist = {};

  bool operator==(const CutOff&) const = default;
  /// Returns the share of half the sample rate; 1, no low-pass, from there on.
  /// @param Ts  sample period [s].
  double ShareAt(double Ts) const;
};

/// Longest step of an integration from sample to sample, or its former spelling as a number of
/// steps.
struct LongestStep {
  std::optional<double> seconds = {};
  std::optional<int> per_sample = {};

  bool operator==(const LongestStep&) const = default;
  /// Returns the number of equal steps in a sample period.
  /// @param Ts  sample period [s].
  int CountAt(double Ts) const;
};

/// Names and texts of a Duration's two keys.
struct DurationKeys {
  std::string_view key;     ///< Of the time, it ends in `_s`.
  std::string_view former;  ///< Of the number of samples.
  std::string doc;          ///< "Time from …"
  int least_samples = 1;
  int most_samples = 1000;
  bool may_be_absent = false;  ///< What it means without either, `doc` says.
};
/// Adds both keys. Refuses both together, and none unless that means something; a former key
/// empties the other one, so that a written table can be read.
void AddDuration(Duration& span, const DurationKeys& keys, FieldTable& table);
/// Adds `longest_step_s` and the former `sub_steps`, likewise.
void AddLongestStep(LongestStep& step, FieldTable& table);
/// Adds `half_power_hz` and the former `half_power`, likewise.
/// @param use  what the low-pass is for, inserted into the description: "" or ", for …".
void AddCutOff(CutOff& cut_off, std::string_view use, FieldTable& table);

}  // namespace idbench
