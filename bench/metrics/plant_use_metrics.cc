#include "bench/metrics/plant_use_metrics.h"

#include <set>
#include <string>

#include "robots/recording/dataset.h"

namespace idbench {

PlantUse PlantUseMetrics::Of(const Estimate& estimate) const {
  if (estimate.plant_use) return *estimate.plant_use;
  PlantUse use;
  std::set<std::string> experiments;
  for (const Dataset& dataset : data_->datasets) {
    if (dataset.role() != Role::kIdentification) continue;
    experiments.insert(dataset.label());
    use.time_s += RecordedTimeOf(dataset).duration_s;
  }
  use.experiments = std::ssize(experiments);
  return use;
}

}  // namespace idbench
