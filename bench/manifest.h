#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "bench/cell_context.h"
#include "reports/shard.h"

namespace idbench {

/// The cells of a run, in order; nullptr for those of which a shard has no trials.
using CellContexts = std::vector<std::unique_ptr<CellContext>>;

/// `manifest.json`: the expanded scenario, what it was run with, and, cell by cell, what became
/// known when it was prepared: names and units of x, base-parameter expressions, sensors in SI
/// units; of cells without trials in a shard, nothing. A shard says which one it is.
Json MakeManifest(const LoadedScenario& loaded, const CellContexts& contexts,
                  const std::optional<Shard>& shard);

}  // namespace idbench
