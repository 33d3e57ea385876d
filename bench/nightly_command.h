#pragma once

#include "bench/subcommand.h"

namespace idbench {

/// Returns `idbench nightly`: runs a suite of scenarios and compares each with the runs
/// that were accepted and pinned last.
Subcommand NightlyCommand();

}  // namespace idbench
