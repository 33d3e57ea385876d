#pragma once

#include "reports/run/lost_estimators.h"

namespace idbench {

/// Help of the option `--strict`, see TellLost().
inline constexpr const char* kStrictHelp =
    "count an estimator without a success in some cell as failed: exit code 5";

/// Prints to stderr which estimators failed in every trial, of all cells or of some, and what to
/// write if that is meant.
/// @param strict  also some cells are a failure.
/// @return the exit code.
int TellLost(const LostEstimators& lost, bool strict);

}  // namespace idbench
