#include "bench/run/estimator_run.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <memory>
#include <utility>

#include "estimators/interface/active_estimator.h"

namespace idbench {
namespace {

/// Those of `estimates` that belong to `wanted_s`, a part of `instants_s`.
std::vector<Estimate> Select(const std::vector<Estimate>& estimates,
                             const std::vector<double>& instants_s,
                             std::span<const double> wanted_s) {
  std::vector<Estimate> selected;
  for (const double wanted : wanted_s) {
    const auto at = std::ranges::lower_bound(instants_s, wanted) - instants_s.begin();
    selected.push_back(estimates[static_cast<std::size_t>(at)]);
  }
  return selected;
}

}  // namespace

EstimatorRun RunOnce(Estimator& estimator, const Problem& problem,
                     std::span<const Dataset> datasets, const LookOptions& look,
                     const PlantSource& plants) {
  assert(std::ranges::is_sorted(look.checkpoints_s) && std::ranges::is_sorted(look.traced_s));
  auto* const active = dynamic_cast<ActiveEstimator*>(&estimator);
  if (active != nullptr && plants) {
    const std::unique_ptr<MeteredPlant> plant = plants();
    return {.estimates = {active->Run(problem, *plant)}, .traced = {}};
  }
  std::vector<double> instants_s;
  std::ranges::set_union(look.checkpoints_s, look.traced_s, std::back_inserter(instants_s));
  auto* const online = dynamic_cast<OnlineEstimator*>(&estimator);
  EstimatorRun run;
  std::vector<Estimate> all = online != nullptr && look.after_every_sample
                                  ? online->Track(problem, datasets, instants_s)
                                  : estimator.RunAt(problem, datasets, instants_s);
  run.traced = Select(all, instants_s, look.traced_s);
  run.estimates = Select(all, instants_s, look.checkpoints_s);
  run.estimates.push_back(std::move(all.back()));
  const EstimatorNeeds needs = estimator.needs();
  if (needs.channels.empty() && !needs.measurements) {  // it reads no data
    for (Estimate& estimate : run.estimates) estimate.plant_use = PlantUse{};
  }
  return run;
}

}  // namespace idbench
