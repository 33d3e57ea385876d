#pragma once

#include "bench/command.h"

namespace idbench {

/// Returns `idbench nightly`: runs a suite of scenarios and compares each with the runs
/// that were accepted and pinned last.
Command NightlyCommand();

}  // namespace idbench
