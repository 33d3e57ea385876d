#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace idbench {

/// One metric of one estimate.
struct MetricValue {
  std::string name;  ///< With its experiment: `joint_torque_rmse_nm@validation`.
  /// Over all components; nothing if the metric failed, or where they have nothing in common.
  std::optional<double> value;
  std::vector<double> components;
  std::optional<std::size_t> count;  ///< What the value counts over.
  std::string failure;               ///< Why it failed; "" if it did not.
};

inline MetricValue FailedMetric(std::string reason) {
  MetricValue metric;
  metric.failure = std::move(reason);
  return metric;
}

inline MetricValue MetricOf(double overall, const Eigen::VectorXd& components = {}) {
  MetricValue metric;
  metric.value = overall;
  metric.components.assign(components.begin(), components.end());
  return metric;
}

}  // namespace idbench
