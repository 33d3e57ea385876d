#pragma once

#include <string>

#include "bench/cell_context.h"

namespace idbench {

/// Times whole estimates of one cell on the calling thread, `timing_trials` of each estimator, in
/// rotating order so that none always runs with a warm cache; what reading the clock costs is
/// subtracted. Data are those of a few trials. Of online estimators single updates are timed too,
/// in a pass of their own. Returns the lines of `timings.jsonl`; failed estimates are timed, but
/// not listed.
std::string TimeCell(const CellContext& context, std::size_t cell);

}  // namespace idbench
