#include "scenarios/laboratory_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <utility>
#include <variant>

#include "estimators/registry.h"
#include "scenarios/options/config_error.h"
#include "sim/rollout.h"

namespace idbench {

std::vector<std::string> ActiveEstimators(const Scenario& scenario) {
  std::vector<std::string> labels;
  for (const auto& [label, options] : scenario.estimators) {
    const EstimatorEntry* const entry = FindEstimator(options.type);
    if (entry != nullptr && IsActive(*entry)) labels.push_back(label);
  }
  return labels;
}

std::vector<Issue> CheckLaboratory(const Scenario& scenario, const Supplies& supplies) {
  std::vector<Issue> issues;
  const std::vector<std::string> active = ActiveEstimators(scenario);
  if (!scenario.simulated()) {
    for (const std::string& label : active) {
      issues.push_back({PointerTo("/estimators", label),
                        "makes experiments of its own, and a recording cannot be moved",
                        {"leave it out, or remove /recording to simulate"}});
    }
    if (scenario.laboratory) {
      issues.push_back(
          {"/laboratory", "not for a recording", {"remove it, or remove /recording to simulate"}});
    }
    return issues;
  }
  if (active.empty() && scenario.laboratory) {
    issues.push_back({"/laboratory",
                      "no estimator makes experiments of its own",
                      {"remove it, or name one that does, as \"dino\""}});
  }
  if (active.empty()) return issues;
  for (const Lack& lack : supplies.Unmet({Capability::kMeasuredPositions})) {
    issues.push_back(
        {PointerTo("/estimators", active.front()),
         fmt::format("makes experiments of its own, and {}", lack.needed),
         lack.cure.empty() ? std::vector<std::string>{} : std::vector<std::string>{lack.cure}});
  }
  if (scenario.laboratory && scenario.laboratory->rate_hz) {
    const double step_s = std::get<MujocoPlantOptions>(*scenario.plant).timestep_s;
    std::optional<Issue> issue =
        CheckRate("/laboratory/rate_hz", *scenario.laboratory->rate_hz, step_s);
    if (issue) issues.push_back(std::move(*issue));
  }
  if (!scenario.evaluate_at_s.empty()) {
    issues.push_back({"/evaluate_at_s",
                      fmt::format("are times of recorded data, and {} {} experiments of {} own",
                                  fmt::join(active, ", "), active.size() == 1 ? "makes" : "make",
                                  active.size() == 1 ? "its" : "their"),
                      {"remove it, or leave out the estimators that experiment"}});
  }
  return issues;
}

}  // namespace idbench
