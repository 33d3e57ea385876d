#pragma once

#include <string_view>

#include "reports/gate/gate.h"
#include "scenarios/options/enum_names.h"

namespace idbench {

/// How the run of one scenario of a suite ended.
enum class NightlyVerdict {
  kPass,
  kFirstRun,  ///< There is nothing to compare it with yet.
  kNotGated,  ///< As its entry asks.
  kSkipped,   ///< What it needs is not there.
  kRegression,
  kInconclusive,
  kIncomparable,
  kOverBudget,   ///< Stopped between two trials.
  kKilled,       ///< At its limit of time, or of memory.
  kCrashed,      ///< A signal ended its process.
  kInterrupted,  ///< From outside.
  kNotRun,       ///< The suite has not come to it, or was stopped before it.
  kRefused,      ///< A file cannot be read, or the scenario cannot run.
  kFailed,
};
template <>
inline constexpr auto kEnumNames<NightlyVerdict> =
    std::to_array<EnumName<NightlyVerdict>>({{NightlyVerdict::kPass, "pass"},
                                             {NightlyVerdict::kFirstRun, "first run"},
                                             {NightlyVerdict::kNotGated, "not gated"},
                                             {NightlyVerdict::kSkipped, "skipped"},
                                             {NightlyVerdict::kRegression, "regression"},
                                             {NightlyVerdict::kInconclusive, "inconclusive"},
                                             {NightlyVerdict::kIncomparable, "incomparable"},
                                             {NightlyVerdict::kOverBudget, "over budget"},
                                             {NightlyVerdict::kKilled, "killed"},
                                             {NightlyVerdict::kCrashed, "crashed"},
                                             {NightlyVerdict::kInterrupted, "interrupted"},
                                             {NightlyVerdict::kNotRun, "not run"},
                                             {NightlyVerdict::kRefused, "refused"},
                                             {NightlyVerdict::kFailed, "failed"}});

/// What the test case of a scenario holds in JUnit's XML.
enum class JunitElement { kNone, kSkipped, kFailure, kError };

/// All that follows from a verdict.
struct NightlyVerdictInfo {
  NightlyVerdict verdict;
  int exit_code;          ///< Of the program for this scenario alone.
  std::string_view tone;  ///< CSS class that colours it: good, warn or bad; "": none.
  JunitElement junit;
  bool accepted = false;  ///< Later nights are compared with such a run.
};

/// Returns the row of a verdict.
const NightlyVerdictInfo& InfoOf(NightlyVerdict verdict);

/// Returns the verdict on a run that was gated.
NightlyVerdict NightlyVerdictOf(GateVerdict verdict);

/// Returns true if a verdict is worse than another, by their exit codes. From worst to best:
/// 5 (failed), 2 (refused), 1 (regression), 4 (incomparable), 3 (inconclusive), 0.
bool IsWorse(NightlyVerdict verdict, NightlyVerdict other);

}  // namespace idbench
