#pragma once

#include <string>

namespace idbench {

/// Name of the function in which workloads are counted: valgrind is told to collect there alone.
inline constexpr const char* kCountedFunction = "idbench_counted_repetitions";

/// Repetitions of each workload, in the order in which they are counted: the first warms up what is
/// allocated or bound once, the difference of the others is free of what comes once a call.
inline constexpr int kCountedRepetitions[] = {1, 1, 11};

/// Runs fixed workloads, one after another: kernel functions on the states of a WAM, estimators on
/// noisy recordings of it. @param mode
///   "count"  calls kCountedFunction for each of kCountedRepetitions and prints the workloads'
///            names, one a line, in that order: what `gate --instructions` runs under valgrind;
///   "slow"   the same, with every tenth call of TorqueRegressor/wam7/batch made twice: what the
///            self-test plants;
///   "time"   prints one JSON line {"case": "…", "ns": median time of a call} each.
/// @returns the exit code. @throws UsageError for another mode.
int RunWorkloads(const std::string& mode);

/// The workload that "slow" slows down.
inline constexpr const char* kSlowedWorkload = "TorqueRegressor/wam7/batch";

}  // namespace idbench
