#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "reports/charts/chart.h"

namespace idbench {

/// Renders every view of the charts, offline: `DIRECTORY/NAME_LABELS.svg` or `.pdf`, and beside
/// each its specification `.vl.json`, for a paper that needs another style.
///
/// Runs Python 3 with the package vl_convert from ChartFolder(), or with an installed one.
/// About 0.1 s each.
/// @param suffixes  any of "svg" and "pdf".
/// @return the files, without their specifications, in the order of the charts.
/// @throws std::runtime_error with the renderer's message if it fails or is missing.
/// @throws std::filesystem::filesystem_error if a file cannot be written.
std::vector<std::filesystem::path> RenderFigures(const std::vector<Chart>& charts,
                                                 const std::filesystem::path& directory,
                                                 const std::set<std::string>& suffixes);

}  // namespace idbench
