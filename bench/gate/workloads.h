#pragma once

#include <string>

namespace idbench {

/// Name of the function in which workloads are counted: valgrind collects only there.
inline constexpr const char* kCountedFunction = "idbench_counted_repetitions";

/// Repetitions of each workload, in the order of counting: the first warms up what is allocated or
/// bound once; the difference of the others excludes the fixed cost of a call.
inline constexpr int kCountedRepetitions[] = {1, 1, 11};

/// Runs fixed workloads, one after another: kernel functions on the states of a WAM, estimators on
/// noisy recordings of it.
/// @param mode
///   "count"  calls kCountedFunction for each of kCountedRepetitions and prints the workloads'
///            names, one per line, in that order; `gate --instructions` runs this under valgrind;
///   "slow"   the same, but makes every tenth call of TorqueRegressor/wam7/batch twice, which the
///            self-test plants;
///   "time"   prints one JSON line {"case": "…", "ns": median time of a call} each.
/// @return the exit code.
/// @throws UsageError for another mode.
int RunWorkloads(const std::string& mode);

/// Workload that "slow" slows down.
inline constexpr const char* kSlowedWorkload = "TorqueRegressor/wam7/batch";

}  // namespace idbench
