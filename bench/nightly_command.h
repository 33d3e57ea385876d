#pragma once

#include "bench/command.h"

namespace idbench {

/// Returns `idbench nightly`: runs a suite of scenarios and compares each with its last run.
Command NightlyCommand();

}  // namespace idbench
