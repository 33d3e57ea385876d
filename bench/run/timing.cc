#include "bench/run/timing.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <limits>
#include <optional>

#include "bench/rollouts/motion_store.h"
#include "bench/run/allocation_count.h"
#include "estimators/interface/active_estimator.h"
#include "estimators/interface/online_estimator.h"
#include "robots/plant/plant_error.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

using Clock = std::chrono::steady_clock;

/// Trials whose data are used: simulating them may take longer than all estimates.
constexpr std::int64_t kMostDraws = MotionStore::kTrialsKept;
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

/// CPU time of the calling thread [ms].
double ThreadMilliseconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
}

/// The rate that updates have to keep up with; nothing where none is declared.
std::optional<double> DeadlineRate(const Scenario& scenario) {
  if (scenario.deadline_rate_hz) return scenario.deadline_rate_hz;
  return scenario.sensors ? std::optional(scenario.sensors->rate_hz) : std::nullopt;
}

/// Of a method that experiments, the simulation of its plant is timed with it.
Json TimeEstimate(Estimator& estimator, const TrialData& data, double clock_cost_ms, bool& ok) {
  auto* const active = dynamic_cast<ActiveEstimator*>(&estimator);
  const std::uint64_t allocations = AllocationsOfThisThread();
  const double cpu = ThreadMilliseconds();
  const auto begin = Clock::now();
  const Estimate estimate = active != nullptr && data.make_plant
                                ? active->Run(data.problem(), *data.make_plant())
                                : estimator.Run(data.problem(), data.datasets);
  const double elapsed = Milliseconds(Clock::now() - begin) - clock_cost_ms;
  const double cpu_elapsed = ThreadMilliseconds() - cpu;
  ok = estimate.ok();
  return {{"estimate_ms", std::max(elapsed, 0.0)},
          {"estimate_cpu_ms", std::max(cpu_elapsed, 0.0)},
          {"estimate_allocations", AllocationsOfThisThread() - allocations}};
}

/// Times single updates; kUpdatesKept durations, evenly spread over the data, are written down.
Json TimeUpdates(OnlineEstimator& estimator, const Problem& problem,
                 const std::vector<Dataset>& datasets, std::optional<double> rate_hz,
                 double clock_cost_ms) {
  std::vector<double> durations;
  std::uint64_t allocations = 0;
  estimator.Begin(problem);
  Sample sample(problem);
  SampleReader reader(problem, datasets);
  while (reader.Next(std::numeric_limits<double>::infinity(), sample)) {
    const std::uint64_t before = AllocationsOfThisThread();
    const auto begin = Clock::now();
    estimator.Update(sample);
    const double elapsed_ms = Milliseconds(Clock::now() - begin) - clock_cost_ms;
    allocations += AllocationsOfThisThread() - before;
    durations.push_back(1e3 * std::max(elapsed_ms, 0.0));
  }
  const std::size_t stride = (durations.size() + kUpdatesKept - 1) / kUpdatesKept;
  std::vector<double> kept;
  for (std::size_t k = 0; k < durations.size(); k += stride) kept.push_back(durations[k]);
  Json json = {
      {"update_us", kept}, {"updates", durations.size()}, {"update_allocations", allocations}};
  if (rate_hz) {
    json["deadline_rate_hz"] = *rate_hz;
    json["deadline_misses"] =
        std::ranges::count_if(durations, [&](double us) { return us * *rate_hz > 1e6; });
  }
  return json;
}

}  // namespace

std::string TimeCell(const PreparedCell& context, std::size_t cell,
                     const EstimatorSource& make_estimators, const TimingLimit& limit,
                     const std::function<void()>& timed) {
  const auto started = Clock::now();
  const Scenario& scenario = context.scenario();
  const double clock_cost = ClockCost();
  const LabelledEstimators estimators = make_estimators(scenario);
  const std::int64_t draws = std::min(scenario.trial_count(), kMostDraws);
  std::string lines;
  TrialData data;
  std::int64_t drawn = -1;
  for (std::int64_t k = 0; k < limit.trials; ++k) {
    if (k > 0 && 1e-3 * Milliseconds(Clock::now() - started) > limit.most_s) break;
    const std::int64_t trial = k * draws / limit.trials;
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
      bool ok = false;
      Json line = {{"cell", cell}, {"estimator", label}, {"trial", trial}};
      line.update(TimeEstimate(*estimator, data, clock_cost, ok));
      if (!ok) continue;
      if (auto* const online = dynamic_cast<OnlineEstimator*>(estimator.get())) {
        line.update(TimeUpdates(*online, data.problem(), data.datasets, DeadlineRate(scenario),
                                clock_cost));
      }
      lines += line.dump() + '\n';
    }
    timed();
  }
  return lines;
}

}  // namespace idbench
