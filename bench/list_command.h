#pragma once

#include "bench/command.h"

namespace idbench {

/// `idbench list`: robots, estimators with their options, metrics.
Command ListCommand();

}  // namespace idbench
