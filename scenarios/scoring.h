#pragma once

#include <optional>
#include <vector>

#include "scenarios/options/enum_names.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// What scores do to what was measured and predicted before they compare them.
enum class ScoreSmoothing {
  kLowpass,  ///< A zero-phase Butterworth low-pass, the same for both and for all estimates.
  kNone,
};
template <>
inline constexpr auto kEnumNames<ScoreSmoothing> = std::to_array<EnumName<ScoreSmoothing>>(
    {{ScoreSmoothing::kLowpass, "lowpass"}, {ScoreSmoothing::kNone, "none"}});

/// Torque, and all else, that estimates are compared with.
enum class ScoredTorque {
  kMeasured,   ///< As measured: no low-pass of /processing.
  kProcessed,  ///< As estimators get it.
};
template <>
inline constexpr auto kEnumNames<ScoredTorque> = std::to_array<EnumName<ScoredTorque>>(
    {{ScoredTorque::kMeasured, "measured"}, {ScoredTorque::kProcessed, "processed"}});

/// How all estimates of a scenario are compared with measured torques, wrenches at force/torque
/// sensors and duty cycles; part of no estimator.
///
/// With F the low-pass, the smoothed scores compare F τ with F(τ̂(F q, F q̇, F q̈)), and so for
/// wrenches and duty cycles: differences of
/// noisy positions would otherwise multiply every estimate by their noise, and let those win that
/// the same noise biased low. F stands on both sides, so that a right estimate stays right at every
/// cut-off. Joint velocities and accelerations are those of the recording or, where /processing
/// differentiates, derived from F q.
struct ScoringOptions {
  ScoreSmoothing smoothing = ScoreSmoothing::kLowpass;
  /// Half-power frequency of a single pass [Hz]; absent: MotionBand::cutoff_hz of the positions of
  /// all experiments for identification, before any low-pass.
  std::optional<double> cutoff_hz;
  int order = 5;  ///< Of a single pass.
  ScoredTorque torque = ScoredTorque::kMeasured;

  bool operator==(const ScoringOptions&) const = default;
};
FieldTable Visit(ScoringOptions& options);

/// Returns what is wrong with a scoring.
/// @param simulated  what a rule finds of noisy positions would differ from trial to trial.
std::vector<Issue> CheckScoring(const ScoringOptions& options, bool simulated);

}  // namespace idbench
