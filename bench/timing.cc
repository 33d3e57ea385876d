#include "bench/timing.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include "bench/trial_runner.h"
#include "estimators/online_estimator.h"
#include "robots/plant/plant.h"

namespace idbench {
namespace {

using Clock = std::chrono::steady_clock;

/// Trials whose data are used: simulating them may take longer than all estimates.
constexpr std::int64_t kMostDraws = 5;
/// Updates of one estimate whose durations are written down.
constexpr std::size_t kUpdatesKept = 500;

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

/// Durations of single updates [µs], at most kUpdatesKept of them, evenly spread over the data.
std::vector<double> TimeUpdates(OnlineEstimator& estimator, const Problem& problem,
                                const std::vector<Dataset>& datasets, double clock_cost_ms) {
  std::vector<double> durations;
  estimator.Begin(problem);
  Sample sample(problem);
  SampleReader reader(problem, datasets);
  while (reader.Next(std::numeric_limits<double>::infinity(), sample)) {
    const auto begin = Clock::now();
    estimator.Update(sample);
    const double elapsed_ms = Milliseconds(Clock::now() - begin) - clock_cost_ms;
    durations.push_back(1e3 * std::max(elapsed_ms, 0.0));
  }
  const std::size_t stride = (durations.size() + kUpdatesKept - 1) / kUpdatesKept;
  std::vector<double> kept;
  for (std::size_t k = 0; k < durations.size(); k += stride) kept.push_back(durations[k]);
  return kept;
}

}  // namespace

std::string TimeCell(const CellContext& context, std::size_t cell) {
  const Scenario& scenario = context.scenario();
  const double clock_cost = ClockCost();
  const LabelledEstimators estimators = MakeEstimators(scenario);
  const std::int64_t draws = std::min(scenario.trial_count(), kMostDraws);
  std::string lines;
  TrialData data;
  std::int64_t drawn = -1;
  for (std::int64_t k = 0; k < scenario.timing_trials; ++k) {
    const std::int64_t trial = k * draws / scenario.timing_trials;
    if (trial != drawn) {
      drawn = trial;
      try {
        data = context.Run(trial);
      } catch (const PlantError&) {
        data.datasets.clear();
      }
    }
    if (data.datasets.empty()) continue;
    for (std::size_t i = 0; i < estimators.size(); ++i) {
      const auto& [label, estimator] =
          estimators[(i + static_cast<std::size_t>(k)) % estimators.size()];
      const auto begin = Clock::now();
      const Estimate estimate = estimator->Run(context.problem(), data.datasets);
      const double elapsed = Milliseconds(Clock::now() - begin) - clock_cost;
      if (!estimate.ok()) continue;
      Json line = {{"cell", cell},
                   {"estimator", label},
                   {"trial", trial},
                   {"estimate_ms", std::max(elapsed, 0.0)}};
      if (auto* const online = dynamic_cast<OnlineEstimator*>(estimator.get())) {
        line["update_us"] = TimeUpdates(*online, context.problem(), data.datasets, clock_cost);
      }
      lines += line.dump() + '\n';
    }
  }
  return lines;
}

}  // namespace idbench
