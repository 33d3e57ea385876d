#pragma once

#include "bench/command.h"

namespace idbench {

/// Returns `idbench merge`: makes one run folder from shards.
Command MergeCommand();

}  // namespace idbench
