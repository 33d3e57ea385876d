#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bench/gate_run.h"

namespace idbench {

/// How much longer one case took in this program than in another one, pair by pair.
struct TimedCase {
  std::size_t cell = 0;
  Labelled<std::string> axes;
  std::string name;                ///< The estimator, or the workload.
  std::string metric;              ///< estimate_ms, update_us or ns.
  std::vector<double> log_ratios;  ///< ln(here/there), one for each pair.
};

/// Judges durations. The effect is exp(median of the log-ratios) − 1, which a pair that was
/// disturbed does not move; its interval that of the order statistics (95 %, from six pairs on); p
/// that of the sign test, which belongs to the median, adjusted by Holm over all cases.
///
/// A regression is an effect above `options.time_tolerance` with an adjusted p of at most α, a case
/// whose interval reaches beyond the tolerance otherwise inconclusive.
GateReport JudgeTimes(const std::vector<TimedCase>& cases, const GateOptions& options);

/// Times the estimators of a run's scenario and the workloads (bench/workloads.h) in this program
/// and in another one of idbench, in turns: AB BA AB … Two programs that run one after the other
/// differ by up to 88 % on a shared machine without any change, in turns by 1-10 %.
///
/// @param program  any idbench that knows the scenario's keys; one without workloads is compared by
///                 its estimators.
/// @throws UsageError for less than six pairs, or a program that does not run the scenario.
GateOutcome GateTimes(const std::filesystem::path& run, const std::filesystem::path& program,
                      int pairs);

}  // namespace idbench
