#include "reports/run/metric_name.h"

#include <charconv>
#include <cmath>
#include <system_error>

namespace idbench {

MetricName::MetricName(const std::string& name) {
  const std::size_t first = name.find('@');
  quantity = name.substr(0, first);
  if (first == std::string::npos) return;
  const std::size_t second = name.find('@', first + 1);
  experiment = name.substr(first + 1, second - first - 1);
  if (second != std::string::npos) {
    checkpoint = name.substr(second + 1);
  } else if (experiment.starts_with("t=")) {
    checkpoint.swap(experiment);
  }
}

std::optional<double> MetricName::Argument(std::string_view key) const {
  const std::size_t open = quantity.find('(');
  if (open == std::string::npos || !quantity.ends_with(')')) return std::nullopt;
  const std::string inside = quantity.substr(open + 1, quantity.size() - open - 2);
  if (!inside.starts_with(std::string(key) + '=')) return std::nullopt;
  const char* const first = inside.data() + key.size() + 1;
  const char* const last = inside.data() + inside.size();
  double value = 0.0;
  const auto [end, error] = std::from_chars(first, last, value);
  if (error != std::errc() || end != last || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::string MetricName::Without(const Parts& dropped) const {
  std::string name = quantity;
  if (!experiment.empty() && !dropped.experiment) name += '@' + experiment;
  if (!checkpoint.empty() && !dropped.checkpoint) name += '@' + checkpoint;
  return name;
}

bool Requests(const std::string& request, const std::string& name) {
  return name == request || name.starts_with(request + '@');
}

}  // namespace idbench
