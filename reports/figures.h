#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "reports/chart.h"

namespace idbench {

/// Renders every view of the charts, offline: `DIRECTORY/NAME_LABELS.svg` or `.pdf`, and beside
/// each its specification `.vl.json`, for a paper that wants it otherwise.
///
/// A Python 3 does it with the package vl_convert of ChartFolder(), or its own. About 0.1 s each.
/// @param suffixes  of "svg" and "pdf".
/// @returns the files, without their specifications, in the order of the charts.
/// @throws std::runtime_error if the renderer fails or is not there, with its message.
/// @throws std::filesystem::filesystem_error if a file cannot be written.
std::vector<std::filesystem::path> RenderFigures(const std::vector<Chart>& charts,
                                                 const std::filesystem::path& directory,
                                                 const std::set<std::string>& suffixes);

}  // namespace idbench
