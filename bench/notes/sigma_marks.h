#pragma once

#include <string>
#include <vector>

#include "bench/trial/data_source.h"
#include "estimators/interface/problem.h"

namespace idbench {

/// Returns a sentence for each channel whose σ estimators get: whether the true one is declared,
/// and what the processing makes of it, see ChannelNoise.
/// @param source  of simulated data.
std::vector<std::string> SigmaMarks(const Problem& problem, const DataSource& source);

}  // namespace idbench
