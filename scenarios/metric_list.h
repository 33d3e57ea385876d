#pragma once

#include <span>
#include <string>
#include <vector>

#include "reports/run_manifest.h"
#include "robots/robot.h"
#include "scenarios/metric_info.h"
#include "scenarios/scenario.h"

namespace idbench {

/// The metrics that records of this scenario may hold, and those that were asked for in vain.
void ListMetrics(const Scenario& scenario, const Robot& robot, const std::string& source,
                 std::span<const MetricInfo> metrics, std::vector<RunMetric>& present,
                 Labelled<std::string>& absent);

}  // namespace idbench
