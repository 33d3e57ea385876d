#include "scenarios/former_defaults.h"

#include <algorithm>
#include <string>

namespace idbench {
namespace {

/// Motions stand in experiments, and whole ones in the values of a sweep.
void AddDesigns(Json& json) {
  if (json.is_object() && json.value("type", Json()) == Json("fourier") &&
      !json.contains("design")) {
    json["design"] = nullptr;
  }
  if (!json.is_structured()) return;
  for (Json& member : json) AddDesigns(member);
}

/// Of scenarios that record other metrics it would change nothing but the comparison of manifests.
void AddOverallRatio(Json& scenario) {
  if (!scenario.is_object() || scenario.contains("overall_ratio_to_prior")) return;
  const Json metrics = scenario.value("metrics", Json::array());
  const bool recorded = metrics.empty() || std::ranges::any_of(metrics, [](const Json& metric) {
                          return metric.is_string() && metric.get<std::string>().starts_with(
                                                           "joint_torque_ratio_to_prior");
                        });
  if (recorded) scenario["overall_ratio_to_prior"] = "mean_over_joints";
}

}  // namespace

Json WithFormerDefaults(Json scenario) {
  AddDesigns(scenario);
  AddOverallRatio(scenario);
  return scenario;
}

}  // namespace idbench
