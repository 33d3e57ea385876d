#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "reports/run/run_manifest.h"
#include "scenarios/options/json_fwd.h"

namespace idbench {

// What pages and charts read of `identified.json`. All throw Json::exception for damaged entries.

/// Values before identification, by name; none if no estimator of the trial states the prior.
using PriorValues = std::map<std::string, double>;

/// True for the estimator that identifies nothing.
bool IsPriorOnly(const RunManifest& manifest, const std::string& label);

/// Returns the prior of a cell and trial, as the estimator states it that identifies nothing.
PriorValues PriorValuesOf(const Json& cell, const RunManifest& manifest);

/// Returns what the prior says of a parameter or, by its factors, of a combination of them; nothing
/// if it does not know one of them.
std::optional<double> PriorOf(const Json& item, const PriorValues& prior);

/// Returns the half width of the 95 % interval of a parameter, 1.96σ of a normal law; nothing if
/// the estimator states no σ of it.
std::optional<double> HalfWidth95(const Json& item);

/// Returns the names of parameters and combinations that the motion hardly tells an estimator, and
/// of parameters that no motion tells; none for one that takes no data.
std::set<std::string> HardlyTold(const Json& estimator);

}  // namespace idbench
