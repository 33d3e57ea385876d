#pragma once

#include <string>
#include <utility>
#include <vector>

#include "reports/run_manifest.h"
#include "scenarios/scenario.h"

namespace idbench {

/// A cell's coordinates and the JSON of its scenario.
struct ExpandedCell {
  RunCell coordinates;
  Json json;
};

/// All combinations of the axes' values; the last axis runs fastest. Without axes one cell.
///
/// @param expanded  the scenario with all defaults spelled out; its "sweep" is emptied in the
/// cells. Appends an issue for an axis name that occurs twice, a pointer that leads nowhere or is
/// set by two axes, or one that sets a lone "type".
std::vector<ExpandedCell> ExpandSweep(const Json& expanded, const std::vector<AxisOptions>& axes,
                                      std::vector<Issue>& issues);

/// Sets what `pointer` names, which must exist unless only its last key is new and `create` says
/// so. False, with an issue at `where`, if it leads nowhere.
bool SetAt(Json& json, const std::string& pointer, const Json& value, bool create,
           const std::string& where, std::vector<Issue>& issues);

}  // namespace idbench
