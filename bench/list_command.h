#pragma once

#include "bench/command.h"

namespace idbench {

/// Returns `idbench list`: robots, estimators with their options, metrics.
Command ListCommand();

}  // namespace idbench
