#include "reports/run/metric_name.h"

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
