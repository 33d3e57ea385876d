#pragma once

#include "scenarios/options/enum_names.h"

namespace idbench {

/// Name of the function in which workloads are counted: valgrind collects only there.
inline constexpr const char* kCountedFunction = "idbench_counted_repetitions";

/// Repetitions of each workload, in the order of counting: the first warms up what is allocated or
/// bound once; the difference of the others excludes the fixed cost of a call.
inline constexpr int kCountedRepetitions[] = {1, 1, 11};

/// What is done with workloads.
enum class WorkloadMode {
  kCounted,  ///< Each is called as `gate --instructions` counts it under valgrind.
  kSlowed,   ///< The same, with the change that the self-test plants.
  kTimed,
};
template <>
inline constexpr auto kEnumNames<WorkloadMode> =
    std::to_array<EnumName<WorkloadMode>>({{WorkloadMode::kCounted, "count"},
                                           {WorkloadMode::kSlowed, "slow"},
                                           {WorkloadMode::kTimed, "time"}});

/// What a line on stderr begins with that names an estimator which is no workload, because it
/// refuses its problem, and says why: "workload left out: TYPE: REASON".
inline constexpr const char* kWorkloadLeftOut = "workload left out: ";

/// Runs fixed workloads, one after another: kernel functions on the states of a WAM, estimators on
/// noisy recordings of it. Estimators that refuse its problem are left out, see kWorkloadLeftOut.
/// @param mode
///   kCounted  calls kCountedFunction for each of kCountedRepetitions and prints the workloads'
///             names, one per line, in that order;
///   kSlowed   the same, but makes every tenth call of kSlowedWorkload twice;
///   kTimed    prints one JSON line {"case": "…", "ns": median time of a call} each.
void RunWorkloads(WorkloadMode mode);

/// Workload that "slow" slows down.
inline constexpr const char* kSlowedWorkload = "TorqueRegressor/wam7/batch";

}  // namespace idbench
