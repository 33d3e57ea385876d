#pragma once

#include "bench/subcommand.h"

namespace idbench {

/// Returns `idbench merge`: makes one run folder from shards.
Subcommand MergeCommand();

}  // namespace idbench
