#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "bench/metrics/metric_value.h"

namespace idbench {

/// For tests: the metric of this name. @throws std::out_of_range if there is none.
inline const MetricValue& Find(const std::vector<MetricValue>& values, const std::string& name) {
  for (const MetricValue& value : values) {
    if (value.name == name) return value;
  }
  throw std::out_of_range(name);
}

}  // namespace idbench
