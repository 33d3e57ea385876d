#pragma once

#include <string>
#include <utility>
#include <vector>

#include "reports/run/run_manifest.h"
#include "scenarios/options/json.h"
#include "scenarios/scenario.h"

namespace idbench {

/// Coordinates of a cell and the JSON of its scenario.
struct ExpandedCell {
  RunCell coordinates;
  Json json;
};

/// Returns all combinations of the axes' values; the last axis varies fastest. One
/// cell without axes.
///
/// @param expanded  the scenario with all defaults written out; the cells get an empty "sweep".
/// @param[in,out] issues  gets an issue for an axis name that occurs twice, a pointer that leads
///         nowhere or is set by two axes, or a pointer that sets a lone "type".
std::vector<ExpandedCell> ExpandSweep(const Json& expanded, const std::vector<AxisOptions>& axes,
                                      std::vector<Issue>& issues);

/// Sets the value at `pointer`, which must exist; if `create` is true, its last key may be new.
/// Returns false, with an issue at `where`, if it leads nowhere.
bool SetAt(Json& json, const std::string& pointer, const Json& value, bool create,
           const std::string& where, std::vector<Issue>& issues);

}  // namespace idbench
