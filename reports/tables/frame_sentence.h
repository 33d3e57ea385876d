#pragma once

#include <string>
#include <vector>

#include "reports/run/run_manifest.h"
#include "reports/tables/table_items.h"

namespace idbench {

/// Returns which metrics and which methods of a table give other values where the same robot is
/// described in other body frames, methods with the reason; "" if none does. Such metrics name no
/// best estimator, see RunMetric::RanksBy().
std::string FrameSentence(const std::vector<TableItem>& items, const RunManifest& manifest);

}  // namespace idbench
