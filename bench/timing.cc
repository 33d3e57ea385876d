#include "bench/timing.h"

#include <algorithm>
#include <chrono>

#include "bench/trial_runner.h"
#include "robots/plant/plant.h"

namespace idbench {
namespace {

using Clock = std::chrono::steady_clock;

double Milliseconds(Clock::duration duration) {
  return std::chrono::duration<double, std::milli>(duration).count();
}

/// Median time between two readings of the clock [ms].
double ClockCost() {
  std::vector<double> costs(101);
  for (double& cost : costs) {
    const auto begin = Clock::now();
    const auto end = Clock::now();
    cost = Milliseconds(end - begin);
  }
  std::ranges::nth_element(costs, costs.begin() + 50);
  return costs[50];
}

}  // namespace

std::string TimeCell(const CellContext& context, std::size_t cell) {
  const Scenario& scenario = context.scenario();
  const double clock_cost = ClockCost();
  const LabelledEstimators estimators = MakeEstimators(scenario);
  std::string lines;
  for (std::int64_t k = 0; k < scenario.timing_trials; ++k) {
    const std::int64_t trial = k % scenario.trial_count();
    TrialData data;
    try {
      data = context.Run(trial);
    } catch (const PlantError&) {
      continue;
    }
    for (std::size_t i = 0; i < estimators.size(); ++i) {
      const auto& [label, estimator] =
          estimators[(i + static_cast<std::size_t>(k)) % estimators.size()];
      const auto begin = Clock::now();
      const Estimate estimate = estimator->Run(context.problem(), data.datasets);
      const double elapsed = Milliseconds(Clock::now() - begin) - clock_cost;
      if (!estimate.ok()) continue;
      const Json line = {{"cell", cell},
                         {"estimator", label},
                         {"trial", trial},
                         {"estimate_ms", std::max(elapsed, 0.0)}};
      lines += line.dump() + '\n';
    }
  }
  return lines;
}

}  // namespace idbench
