#pragma once

#include <Eigen/Core>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace idbench {

/// One metric of one estimate.
struct MetricValue {
  std::string name;  ///< Includes its experiment: `joint_torque_rmse_nm@validation`.
  /// Over all components; nothing if the metric failed, or if the components cannot be combined.
  std::optional<double> value;
  std::vector<double> components;
  std::optional<std::size_t> count;  ///< Number of things that the value counts over.
  std::string failure;               ///< Why there is no value; "" if there is one.
  /// With a failure: nothing failed, problem, data or method cannot have such a value at all.
  bool absent = false;
};

/// Returns a failed metric.
inline MetricValue FailedMetric(std::string reason) {
  MetricValue metric;
  metric.failure = std::move(reason);
  return metric;
}

/// Returns a metric that cannot be had.
inline MetricValue AbsentMetric(std::string reason) {
  MetricValue metric = FailedMetric(std::move(reason));
  metric.absent = true;
  return metric;
}

/// Returns a metric with a value.
inline MetricValue MetricOf(double overall, const Eigen::VectorXd& components = {}) {
  MetricValue metric;
  metric.value = overall;
  metric.components.assign(components.begin(), components.end());
  return metric;
}

/// Whether a sigmoid between these bounds would be flat at x, within 1.8 % of the range from a
/// bound, or x is beyond them. False without finite bounds.
inline bool IsSaturated(double x, double lower, double upper) {
  const double above = x - lower;
  const double below = upper - x;
  if (!std::isfinite(above) || !std::isfinite(below)) return false;
  // x = l + (u − l)·s(ξ), so ξ = ln((x − l)/(u − x)); beyond a bound there is no ξ.
  return above <= 0.0 || below <= 0.0 || std::abs(std::log(above / below)) > 4.0;
}

}  // namespace idbench
