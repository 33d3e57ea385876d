#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "reports/gate/gate.h"

namespace idbench {

/// What is timed, by the name and unit in which it is printed.
enum class TimedQuantity {
  kEstimate,
  kCall,  ///< Of a workload.
  kUpdate,
};
template <>
inline constexpr auto kEnumNames<TimedQuantity> =
    std::to_array<EnumName<TimedQuantity>>({{TimedQuantity::kEstimate, "estimate_ms"},
                                            {TimedQuantity::kCall, "ns"},
                                            {TimedQuantity::kUpdate, "update_us"}});

/// Duration of one case in this program relative to another program, pair by pair.
struct TimedCase {
  std::optional<std::size_t> cell = std::nullopt;  ///< Nothing for a workload.
  Labelled<std::string> axes = {};
  std::string name = "";  ///< Estimator or workload.
  TimedQuantity quantity = TimedQuantity::kEstimate;
  std::vector<double> log_ratios = {};  ///< ln(here/there), one per pair.
};

/// Judges durations. The effect is exp(median of the log-ratios) − 1, on which a disturbed pair has
/// no influence; its interval comes from order statistics (95 %, for at least six pairs); p is that
/// of the sign test, which belongs to the median, with Holm's adjustment over all cases.
///
/// An effect above `rules.time_tolerance` with an adjusted p of at most α is a regression;
/// another case whose interval extends beyond the tolerance is inconclusive.
GateReport JudgeTimes(const std::vector<TimedCase>& cases, const GateRules& rules);

/// Times the estimators of a run's scenario and the workloads (bench/gate/workloads.h) in this
/// program and in another build of idbench, in turns: AB BA AB … Two programs that run one after
/// the other differ by up to 88 % on a shared machine without any change, in turns by 1-10 %.
///
/// @param program  any idbench that knows the scenario's keys; one without workloads is compared by
///         its estimators only.
/// @throws UsageError for fewer than six pairs, or if the program does not exist or does not
///         run the scenario.
GateReport GateTimes(const std::filesystem::path& run, const std::filesystem::path& program,
                     int pairs, const GateChoices& choices = {});

}  // namespace idbench
