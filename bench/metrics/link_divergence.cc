#include "bench/metrics/link_divergence.h"

#include <fmt/format.h>

#include "robots/dynamics/parameters/consistent_fit.h"
#include "robots/dynamics/parameters/pseudo_inertia.h"

namespace idbench {

MetricValue LinkDivergence(const RobotModel& model, const std::vector<int>& bodies,
                           const Eigen::VectorXd& pi, const Eigen::VectorXd& true_pi) {
  const ParameterLayout layout(model);
  Eigen::VectorXd divergences(std::ssize(bodies));
  for (Eigen::Index k = 0; k < divergences.size(); ++k) {
    const int body = bodies[static_cast<std::size_t>(k)];
    const InertialParameters estimate = pi.segment<kInertialCount>(layout.Body(body));
    const InertialParameters truth = true_pi.segment<kInertialCount>(layout.Body(body));
    if (PhysicalConsistency(truth) != Consistency::kConsistent) {
      return AbsentMetric(
          fmt::format("the true {} is a rod, a plate or a point", model.BodyName(body)));
    }
    if (PhysicalConsistency(estimate) != Consistency::kConsistent) {
      return FailedMetric(
          fmt::format("{} of the estimate is not physically consistent", model.BodyName(body)));
    }
    divergences[k] = EntropicDivergence(estimate, truth);
  }
  return MetricOf(divergences.sum(), divergences);
}

}  // namespace idbench
