#pragma once

#include <span>
#include <string>
#include <vector>

#include "reports/run/metric_name.h"
#include "reports/run/run_manifest.h"
#include "robots/robot.h"
#include "scenarios/metric_info.h"
#include "scenarios/scenario.h"

namespace idbench {

/// Request among a scenario's `metrics` for all that it can have, in tables too.
inline constexpr const char* kAllMetrics = "all";

/// Returns the metric of a quantity, which may hold an argument; nullptr if there is none.
const MetricInfo* FindMetric(std::span<const MetricInfo> metrics, const MetricName& name);

/// Returns why a scenario, or a cell of its sweep, cannot have a metric; "" if it can.
/// @param robot  with the terms of that scenario's problem.
std::string WhyAbsent(const MetricInfo& info, const MetricName& name, const Scenario& scenario,
                      const Robot& robot);

/// Lists the metrics that records of this scenario may hold, and the requested ones that
/// it cannot have.
/// @param metrics       all that exist.
/// @param[out] present  appended: the metrics with unit and names of their components.
/// @param[out] absent   appended: name and reason of each requested metric that is impossible.
void ListMetrics(const Scenario& scenario, const Robot& robot, const std::string& source,
                 std::span<const MetricInfo> metrics, std::vector<RunMetric>& present,
                 Labelled<std::string>& absent);

/// Sets `doubt` of bounds on means over the prior where DrawnAsDeclared() does not hold.
/// @param undrawn  labels of the cells where it does not; empty: all of them.
void DoubtUndrawn(std::span<const MetricInfo> metrics, const std::vector<std::string>& undrawn,
                  std::vector<RunMetric>& present);

}  // namespace idbench
