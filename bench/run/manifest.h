#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "bench/cell/prepared_cell.h"
#include "reports/run/shard.h"
#include "scenarios/options/json_fwd.h"

namespace idbench {

/// Cells of a run, in order; nullptr for cells of which a shard has no trials.
using PreparedCells = std::vector<std::unique_ptr<PreparedCell>>;

/// Makes `manifest.json`: the expanded scenario, the hashes of all that it reads, the program and
/// machine, and per cell what its preparation determined: names and units of x, base-parameter
/// expressions, sensors in SI units; nothing for cells without trials in a shard. A shard states
/// which one it is.
Json MakeManifest(const LoadedScenario& loaded, const PreparedCells& contexts,
                  const std::optional<Shard>& shard);

}  // namespace idbench
