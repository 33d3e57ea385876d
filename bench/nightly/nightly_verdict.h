#pragma once

#include <string_view>

#include "reports/gate/gate.h"

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
  kOverBudget,
  kInterrupted,
  kNotRun,   ///< The suite was stopped before it.
  kRefused,  ///< A file cannot be read, or the scenario cannot run.
  kFailed,
};

/// What the test case of a scenario holds in JUnit's XML.
enum class JunitElement { kNone, kSkipped, kFailure, kError };

/// All that follows from a verdict.
struct NightlyVerdictInfo {
  NightlyVerdict verdict;
  std::string_view name;
  int exit_code;          ///< Of the program for this scenario alone.
  std::string_view tone;  ///< CSS class that colours it: good, warn or bad; "": none.
  JunitElement junit;
};

/// Returns the row of a verdict.
const NightlyVerdictInfo& InfoOf(NightlyVerdict verdict);

/// Returns the verdict on a run that was gated.
NightlyVerdict NightlyVerdictOf(GateVerdict verdict);

}  // namespace idbench
