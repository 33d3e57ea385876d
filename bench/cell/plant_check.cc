#include "bench/cell/plant_check.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "bench/cell/cell_check.h"
#include "bench/trial/labelled_estimators.h"
#include "estimators/interface/active_estimator.h"
#include "robots/plant/plant_error.h"
#include "scenarios/laboratory_check.h"
#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

void CheckStandsStill(const LoadedScenario& loaded, const Cell& cell, const TrialData& first) {
  const JointLimits& limits = cell.robot.model.limits();
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(cell.robot.model.dofs());
  Reading reading;
  try {
    first.make_plant()->MoveTo({zero.cwiseMax(limits.lower).cwiseMin(limits.upper), zero, {}},
                               reading);
  } catch (const PlantError& error) {
    RefuseCell(loaded, cell, {{"/laboratory", error.what(), {}}});
  }
}

void CheckUse(const LoadedScenario& loaded, const Cell& cell) {
  const double longest_s = cell.scenario.laboratory.value_or(LaboratoryOptions{}).longest_use_s;
  std::vector<Issue> issues;
  for (const auto& [label, estimator] : MakeEstimators(cell.scenario)) {
    const auto* const active = dynamic_cast<const ActiveEstimator*>(estimator.get());
    if (active == nullptr || active->least_use_s() <= longest_s) continue;
    issues.push_back(
        {PointerTo("/estimators", label),
         fmt::format("its experiments take at least {:g} s of the robot's time, and it is given "
                     "{:g} s",
                     active->least_use_s(), longest_s),
         {fmt::format("set /laboratory/longest_use_s to {:g} or more, or make them shorter",
                      active->least_use_s())}});
  }
  if (!issues.empty()) RefuseCell(loaded, cell, std::move(issues));
}

}  // namespace

void CheckPlant(const LoadedScenario& loaded, const Cell& cell, const TrialData& first) {
  if (!first.make_plant || ActiveEstimators(cell.scenario).empty()) return;
  CheckStandsStill(loaded, cell, first);
  CheckUse(loaded, cell);
}

}  // namespace idbench
