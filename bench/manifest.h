#pragma once

#include <memory>
#include <vector>

#include "bench/cell_context.h"

namespace idbench {

/// The cells of a run, in order.
using CellContexts = std::vector<std::unique_ptr<CellContext>>;

/// `manifest.json`: the expanded scenario, what it was run with, and, cell by cell, what became
/// known when it was prepared: names and units of x, base-parameter expressions, sensors in SI
/// units.
Json MakeManifest(const LoadedScenario& loaded, const CellContexts& contexts);

}  // namespace idbench
