#pragma once

#include "bench/command.h"

namespace idbench {

/// Returns `idbench compare`: two runs of a scenario, or estimators of one run, paired by trial.
Command CompareCommand();

}  // namespace idbench
