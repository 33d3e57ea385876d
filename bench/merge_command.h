#pragma once

#include "bench/command.h"

namespace idbench {

/// `idbench merge`: makes one run folder of shards.
Command MergeCommand();

}  // namespace idbench
