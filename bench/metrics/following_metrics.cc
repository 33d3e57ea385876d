#include "bench/metrics/following_metrics.h"

#include <algorithm>
#include <cmath>

namespace idbench {

MetricValue FollowingMetrics::Error(const std::string& experiment) const {
  const StagedExperiment* const stage =
      staged_ != nullptr ? FindStaged(*staged_, experiment) : nullptr;
  if (stage == nullptr) return AbsentMetric("the experiment was not made with this estimate");
  if (!stage->failure.empty()) return FailedMetric(stage->failure);
  const Eigen::VectorXd errors = FollowingErrors(*stage);
  if (errors.size() == 0) {
    return FailedMetric("no sample lies in the motion that was to be followed");
  }
  MetricValue metric = MetricOf(std::sqrt(errors.cwiseAbs2().mean()), errors);
  const auto& links = model_.links();
  const bool one_kind =
      std::ranges::all_of(links, [&](const Link& link) { return link.type == links.front().type; });
  if (!one_kind) metric.value.reset();
  return metric;
}

}  // namespace idbench
