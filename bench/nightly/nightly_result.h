#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bench/nightly/nightly_verdict.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// Part that a run plays when a night is compared with it.
enum class BaselineRole {
  kAccepted,  ///< The run that was accepted last.
  kPinned,    ///< The one that was pinned last: against drift, each step of which passes.
  kNamed,     ///< The folder that the suite names.
};
template <>
inline constexpr auto kEnumNames<BaselineRole> =
    std::to_array<EnumName<BaselineRole>>({{BaselineRole::kAccepted, "accepted"},
                                           {BaselineRole::kPinned, "pinned"},
                                           {BaselineRole::kNamed, "named"}});

/// A night's run against one baseline.
struct NightlyComparison {
  BaselineRole against = BaselineRole::kAccepted;
  std::string folder;  ///< Of the baseline.
  NightlyVerdict verdict = NightlyVerdict::kFailed;
  std::string sentence;  ///< Reason of the verdict.
};
FieldTable Visit(NightlyComparison& comparison);

/// Result of one scenario of a suite.
struct NightlyResult {
  std::string label;
  NightlyVerdict verdict = NightlyVerdict::kFailed;  ///< The worst of its comparisons.
  std::string sentence;                              ///< Reason of the verdict, or what to do.
  std::string scenario;  ///< Name of the scenario; "" if it could not be read.
  std::string folder;    ///< Folder of the run; "" if there is none.
  std::vector<NightlyComparison> comparisons;
  double duration_s = 0;
};
FieldTable Visit(NightlyResult& result);

/// Returns the worst of comparisons, the first one of several; nullptr if there is none.
const NightlyComparison* WorstOf(const std::vector<NightlyComparison>& comparisons);

/// Returns the exit code of a suite: that of its worst scenario (see IsWorse()).
int WorstExitCode(const std::vector<NightlyResult>& results);

}  // namespace idbench
