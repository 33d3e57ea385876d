#pragma once

#include "bench/subcommand.h"

namespace idbench {

/// Returns `idbench list`: robots, estimators and observers with their options, metrics.
Subcommand ListCommand();

}  // namespace idbench
