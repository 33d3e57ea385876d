#include "bench/run/attached_export.h"

#include <algorithm>
#include <utility>

#include "scenarios/options/json.h"

namespace idbench {
namespace {

BodyInertiaOptions OptionsOf(const InertialParameters& parameters) {
  if (parameters.isZero(0.0)) return {};
  const CentralInertia inertia = FromStandard(parameters);
  const Eigen::Matrix3d& I = inertia.I_com;
  return {inertia.mass,
          {inertia.com.begin(), inertia.com.end()},
          {I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)}};
}

}  // namespace

std::string AttachedText(const AttachedBodies& bodies, const RobotModel& model,
                         const Eigen::Ref<const Eigen::VectorXd>& pi,
                         const std::vector<int>& left_out) {
  const ParameterLayout layout(model);
  Json attached = Json::object();
  int index = -1;
  for (const auto& [name, declared] : bodies) {
    ++index;
    if (std::ranges::find(left_out, index) != left_out.end()) continue;
    AttachedBodyOptions body = declared;
    body.prior = OptionsOf(pi.segment<kInertialCount>(layout.Body(model.dofs() + index)));
    Json json = WriteFields(Visit(body));
    json.erase("truth");
    attached[name] = std::move(json);
  }
  return Json{{"attached", std::move(attached)}}.dump(2) + "\n";
}

}  // namespace idbench
