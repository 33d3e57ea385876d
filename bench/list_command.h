#pragma once

#include "bench/command.h"

namespace idbench {

/// Returns `idbench list`: robots, estimators and observers with their options, metrics.
Command ListCommand();

}  // namespace idbench
