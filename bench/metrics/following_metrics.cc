#include "bench/metrics/following_metrics.h"

#include <algorithm>
#include <cmath>

namespace idbench {

MetricValue FollowingMetrics::Error(const std::string& experiment) const {
  const StagedExperiment* const stage =
      staged_ != nullptr ? FindStaged(*staged_, experiment) : nullptr;
  if (stage == nullptr) return AbsentMetric("the experiment was not made with this estimate");
  if (!stage->failure.empty()) return FailedMetric(stage->failure);
  const Signals& clean = stage->clean;
  const Eigen::Index followed = (clean.time_s.array() <= stage->followed_s).count();
  if (followed == 0) return FailedMetric("no sample lies in the motion that was to be followed");
  const Eigen::MatrixXd error = (clean[kDesiredPosition] - clean[kJointPosition]).topRows(followed);
  const Eigen::VectorXd squares = error.cwiseAbs2().colwise().mean();
  MetricValue metric = MetricOf(std::sqrt(squares.mean()), squares.cwiseSqrt());
  const auto& links = model_.links();
  const bool one_kind =
      std::ranges::all_of(links, [&](const Link& link) { return link.type == links.front().type; });
  if (!one_kind) metric.value.reset();
  return metric;
}

}  // namespace idbench
