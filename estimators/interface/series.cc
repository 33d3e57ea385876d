#include "estimators/interface/series.h"

#include <fmt/format.h>

#include <cmath>

namespace idbench {
namespace {

std::string FaultOfTime(const Eigen::VectorXd& time_s) {
  for (Eigen::Index k = 0; k < time_s.size(); ++k) {
    if (!std::isfinite(time_s[k]))
      return fmt::format("has the time {} at instant {}", time_s[k], k);
    if (k > 0 && time_s[k] < time_s[k - 1]) {
      return fmt::format("has the time {:.9g} s behind {:.9g} s", time_s[k], time_s[k - 1]);
    }
  }
  return "";
}

}  // namespace

std::string FaultOf(const Series& series) {
  const auto columns = series.values.cols();
  if (std::ssize(series.columns) != columns || std::ssize(series.units) != columns) {
    return fmt::format("has {} columns, {} names and {} units", columns, series.columns.size(),
                       series.units.size());
  }
  if (series.time_s.size() != series.values.rows()) {
    return fmt::format("has {} instants and {} rows", series.time_s.size(), series.values.rows());
  }
  return FaultOfTime(series.time_s);
}

std::string FaultOf(const Labels& labels) {
  if (labels.time_s.size() != labels.chosen.size()) {
    return fmt::format("has {} instants and {} labels", labels.time_s.size(), labels.chosen.size());
  }
  for (const int chosen : labels.chosen) {
    if (chosen >= -1 && chosen < std::ssize(labels.classes)) continue;
    return fmt::format("has the class {} of {}", chosen, labels.classes.size());
  }
  return FaultOfTime(labels.time_s);
}

std::string FirstFaultOf(const std::vector<Series>& series, const std::vector<Labels>& labels) {
  for (const Series& each : series) {
    const std::string fault = FaultOf(each);
    if (!fault.empty()) return fmt::format("the series '{}' {}", each.name, fault);
  }
  for (const Labels& each : labels) {
    const std::string fault = FaultOf(each);
    if (!fault.empty()) return fmt::format("the labels '{}' {}", each.name, fault);
  }
  return "";
}

}  // namespace idbench
