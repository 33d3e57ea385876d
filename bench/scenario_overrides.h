#pragma once

#include <boost/program_options.hpp>
#include <vector>

#include "scenarios/scenario_reader.h"

namespace idbench {

/// Adds --set, --seed and, where trials count, --trials, which change a scenario.
void AddScenarioOptions(boost::program_options::options_description& options, bool trials = true);

/// Returns what they ask for.
/// @throws UsageError for text that is no override or no seed.
std::vector<Override> OverridesOf(const boost::program_options::variables_map& values);

}  // namespace idbench
