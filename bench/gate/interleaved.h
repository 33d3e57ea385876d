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
  std::vector<double> log_ratios = {};  ///< ln(here/there), one per turn.
  /// ln(second/first) of the program that ran twice in a turn: the machine's noise.
  std::vector<double> repeated_log_ratios = {};
};

/// Judges durations. The effect is exp(median of the log-ratios) − 1, on which a disturbed turn has
/// no influence; its interval comes from order statistics (95 %, for at least six turns).
///
/// Wilcoxon's signed ranks (by sign flips) test a log-ratio against ±ln(1 + time_tolerance). A case
/// is a regression if H0: at most the tolerance slower is rejected at α, adjusted by Holm over all
/// cases; improved or the same if H0: at most the tolerance faster, or H0: at least the tolerance
/// slower, is rejected at α; else inconclusive. The report says how many pairs would do, and how
/// much a program differs from itself on this machine.
GateReport JudgeTimes(const std::vector<TimedCase>& cases, const GateRules& rules);

/// Two builds of idbench that know a scenario's keys; of one without workloads only the estimators
/// are compared.
struct ComparedPrograms {
  std::filesystem::path here;   ///< The one that is judged.
  std::filesystem::path there;  ///< The one that it is compared with.
};

/// Times the estimators of a run's scenario and the workloads (bench/gate/workloads.h) in two
/// programs, in turns: ABA BAB ABA … Two programs that run one after the other differ by up to 88 %
/// on a shared machine without any change, in turns by 1-10 %.
///
/// @throws UsageError for fewer than six pairs, or if a program does not exist or does not run the
///         scenario.
GateReport GateTimes(const std::filesystem::path& run, const ComparedPrograms& programs, int pairs,
                     const GateChoices& choices = {});

}  // namespace idbench
