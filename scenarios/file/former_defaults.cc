#include "scenarios/file/former_defaults.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace idbench {
namespace {

/// A key that objects of some types lacked.
struct FormerDefault {
  std::vector<std::string_view> types;
  const char* key;
  Json value;
};

/// Motions and estimators stand in their places, and whole ones in the values of a sweep.
void AddToTypes(const std::vector<FormerDefault>& defaults, Json& json) {
  if (json.is_object() && json.contains("type") && json["type"].is_string()) {
    const std::string type = json["type"];
    for (const FormerDefault& former : defaults) {
      const bool of_type = std::ranges::find(former.types, type) != former.types.end();
      if (of_type && !json.contains(former.key)) json[former.key] = former.value;
    }
  }
  if (!json.is_structured()) return;
  for (Json& member : json) AddToTypes(defaults, member);
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

/// Time had to increase and gaps were bridged; scores compared what estimators got.
void AddOfRecordings(Json& scenario) {
  if (!scenario.is_object() || !scenario.value("recording", Json()).is_object()) return;
  Json& recording = scenario["recording"];
  if (!recording.contains("gap_steps")) recording["gap_steps"] = nullptr;
  if (!scenario.contains("scoring")) {
    scenario["scoring"] = {{"smoothing", "none"}, {"torque", "processed"}};
  }
}

/// True if some number of the sensors' steps, here or below, may differ from 0.
bool Quantises(const Json& json) {
  if (!json.is_structured()) return false;
  for (const auto& [key, member] : json.items()) {
    if (key.find("quantisation_") == std::string::npos ? Quantises(member)
                                                       : !member.is_null() && member != 0.0) {
      return true;
    }
  }
  return false;
}

/// σ was that of the noise alone. Of readings that nothing rounds that is no other one.
void AddOfSensors(Json& scenario) {
  if (!scenario.is_object() || !scenario.value("sensors", Json()).is_object()) return;
  Json& sensors = scenario["sensors"];
  if (sensors.contains("quantisation_in_sigma")) return;
  if (Quantises(sensors) || Quantises(scenario.value("sweep", Json()))) {
    sensors["quantisation_in_sigma"] = false;
  }
}

}  // namespace

Json WithFormerDefaults(Json scenario) {
  AddToTypes({{{"fourier"}, "design", nullptr}, {{"wls", "consistent_wls"}, "reweightings", 3}},
             scenario);
  AddOverallRatio(scenario);
  AddOfRecordings(scenario);
  AddOfSensors(scenario);
  return scenario;
}

}  // namespace idbench
