#pragma once

#include <span>
#include <string_view>

namespace idbench {

/// What a metric is, for reading scenarios and labelling results.
struct MetricInfo {
  enum class Components { kNone, kJoints };

  std::string_view name;
  std::string_view unit;  ///< SI, "1" for a pure number.
  std::string_view doc;   ///< Its definition, one line.
  bool per_experiment;    ///< Addressed `name@experiment`; otherwise one value per estimate.
  Components components;
  bool needs_truth;  ///< Absent for recordings.
};

}  // namespace idbench
