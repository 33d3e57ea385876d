#include "reports/run/identified_values.h"

#include "reports/run/identifiable.h"
#include "reports/statistics/normal_law.h"
#include "scenarios/options/json.h"

namespace idbench {

bool IsPriorOnly(const RunManifest& manifest, const std::string& label) {
  const Json estimators = manifest.scenario->value("estimators", Json::object());
  return estimators.contains(label) && estimators[label].value("type", label) == "prior_only";
}

PriorValues PriorValuesOf(const Json& cell, const RunManifest& manifest) {
  PriorValues prior;
  for (const Json& estimator : cell.at("estimators")) {
    if (!IsPriorOnly(manifest, estimator.at("label"))) continue;
    for (const Json& item : estimator.value("parameters", Json::array())) {
      const auto value = item.find("value");
      if (value == item.end() || !value->is_number()) continue;
      prior.emplace(item.at("name"), value->get<double>());
    }
  }
  return prior;
}

std::optional<double> PriorOf(const Json& item, const PriorValues& prior) {
  const Json alone = {{item.at("name").get<std::string>(), 1.0}};
  const Json factors = item.value("factors", alone);
  double sum = 0;
  for (const auto& [name, factor] : factors.items()) {
    const auto found = prior.find(name);
    if (found == prior.end()) return std::nullopt;
    sum += factor.get<double>() * found->second;
  }
  return sum;
}

std::optional<double> HalfWidth95(const Json& item) {
  const auto sigma = item.find("sigma");
  if (sigma == item.end() || !sigma->is_number()) return std::nullopt;
  return kNormal95 * sigma->get<double>();
}

std::set<std::string> HardlyTold(const Json& estimator) {
  std::set<std::string> names;
  if (estimator.value("untaught", false)) return names;
  for (const Json& parameter : estimator.value("standard", Json::array())) {
    const bool never = parameter.value("identifiable", "") == ToString(Identifiable::kNo);
    if (never) names.insert(parameter.at("name").get<std::string>());
    if (!parameter.contains("hardly")) continue;
    names.insert(parameter.at("name").get<std::string>());
    for (const Json& each : parameter["hardly"]) names.insert(each.at("name").get<std::string>());
  }
  return names;
}

}  // namespace idbench
