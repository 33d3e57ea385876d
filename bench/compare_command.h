#pragma once

#include "bench/subcommand.h"

namespace idbench {

/// Returns `idbench compare`: two runs of a scenario, or estimators of one run, paired by trial.
Subcommand CompareCommand();

}  // namespace idbench
