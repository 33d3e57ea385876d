#pragma once

#include <string>
#include <vector>

#include "bench/trial/trial_data.h"

namespace idbench {

/// Returns a sentence on friction, rotor inertias, offsets and the like whose σ₀ in the prior is so
/// small that the data for identification cannot move them: of unknown k, with column W_k,
///
///   σ₀_k²·Σ_j ‖W_jk‖²/σ_j² < 1,
///
/// so that σ₀ times the rms of its column is below σ/√N. Unknowns without a column, with σ₀ = 0 or
/// infinite are none. Another sentence names parameters of bodies. Nothing if there are none,
/// without σ of all rows or of the prior, and where the rows are not affine in the unknowns.
std::vector<std::string> HeldByPriorNotes(const TrialData& first);

}  // namespace idbench
