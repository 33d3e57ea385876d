#include "bench/gate/workloads.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <vector>

#include "bench/cell/prepared_cell.h"
#include "bench/metrics/metrics.h"
#include "estimators/interface/online_estimator.h"
#include "estimators/registry.h"
#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/dynamics/rows.h"
#include "scenarios/options/json.h"

extern "C" {

/// Valgrind finds it by its name; see bench/gate/workloads.h.
// NOLINTNEXTLINE(readability-identifier-naming): a C symbol
[[gnu::noinline]] void idbench_counted_repetitions(const std::function<void()>& call,
                                                   int repetitions) {
  for (int k = 0; k < repetitions; ++k) call();
}
}

namespace idbench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr Eigen::Index kWorkloadSamples = 80;
const std::vector<PlacedEquation> kTorque = {Equation::kTorque};

struct Workload {
  std::string name;
  std::function<void()> call;
};

/// The Barrett WAM on fixed states, and what the kernel makes of them.
struct KernelFixture {
  explicit KernelFixture(const Robot& wam)
      : robot(wam),
        dynamics(robot.model),
        scratch(dynamics),
        states(MakeFixedStates(robot.model, kWorkloadSamples, StateSet::kInstructionCounts)),
        standard(ConsideredParameters(robot.model, kTorque, {})),
        base(FindBaseParameters(robot.model, kTorque, standard).independent),
        all_rows(dynamics, kTorque, standard),
        base_rows(dynamics, kTorque, base),
        q(states.q.row(0)),
        qd(states.qd.row(0)),
        qdd(states.qdd.row(0)),
        Y(robot.model.dofs(), kInertialCount * robot.model.dofs()),
        tau(kWorkloadSamples, robot.model.dofs()) {
    dynamics.InverseDynamics(robot.FindSet("")->pi, states.samples(), scratch, tau);
  }

  const Robot& robot;
  Dynamics dynamics;
  Dynamics::Scratch scratch;
  FixedStates states;
  std::vector<int> standard;
  std::vector<int> base;
  RowRegressor all_rows;
  RowRegressor base_rows;
  Eigen::VectorXd q, qd, qdd;
  Eigen::MatrixXd Y, tau;
  std::vector<Eigen::MatrixXd> grams;
  double sum = 0;  ///< Takes in what would otherwise not be read.
};

/// A matrix of ones for each row, of the size that its columns have on the samples.
std::vector<Eigen::MatrixXd> OnesLike(const RowRegressor& rows) {
  std::vector<Eigen::MatrixXd> ones;
  for (int r = 0; r < rows.row_count(); ++r) {
    ones.emplace_back(Eigen::MatrixXd::Ones(kWorkloadSamples, std::ssize(rows.ColumnsOf(r))));
  }
  return ones;
}

std::vector<Workload> KernelWorkloads(KernelFixture& on) {
  const Eigen::VectorXd& pi = on.robot.FindSet("")->pi;
  return {
      {"TorqueRegressor/wam7/single",
       [&on] { on.dynamics.TorqueRegressor(on.q, on.qd, on.qdd, on.scratch, on.Y); }},
      {kSlowedWorkload,
       [&on] {
         on.dynamics.TorqueRegressorBlocks(
             on.states.samples(), on.scratch,
             [&on](Eigen::Index, const double* blocks) { on.sum += *blocks; });
       }},
      {"TorqueRegressor/wam7/information",
       [&on] { on.all_rows.Gram(on.states.samples(), on.tau, on.scratch, on.grams); }},
      {"TorqueRegressor/wam7/base_information",
       [&on] { on.base_rows.Gram(on.states.samples(), on.tau, on.scratch, on.grams); }},
      {"TorqueRegressor/wam7/base_gradient",
       [&on, G = OnesLike(on.base_rows), gradient = StateGradient()]() mutable {
         on.base_rows.Gradient(on.states.samples(), G, on.scratch, gradient);
       }},
      {"InverseDynamics/wam7/batch",
       [&on, &pi] { on.dynamics.InverseDynamics(pi, on.states.samples(), on.scratch, on.tau); }},
      {"MassMatrix/wam7", [&on, &pi, M = Eigen::MatrixXd(on.q.size(), on.q.size())]() mutable {
         on.dynamics.MassMatrix(pi, on.q, on.scratch, M);
       }}};
}

/// A WAM with noisy torques, and all that any estimator asks for.
LoadedScenario WamScenario() {
  return LoadScenario(
      ParseJson(fmt::format(R"({{"name": "workloads", "robot": {{"model": "barrett_wam7"}},
        "control": {{"type": "exact_replay"}}, "trials": 1,
        "experiments": {{"identification": {{"motion": {{"type": "fourier", "candidates": 1,
          "base_frequency_hz": 0.5, "duration_s": {}, "draw": "trial"}}}}}},
        "sensors": {{"rate_hz": 100, "joint_torque": {{"noise_std_nm": 0.1}}}},
        "problem": {{"parametrisation": {{"type": "masses_and_moments", "lower_prior_factor": 0,
                                         "upper_prior_factor": 2}},
          "prior": {{"mass_scale": 1.2, "inertia_scale": 1.2, "relative_std": 0.5}}}},
        "estimators": {{"prior_only": {{}}}}}})",
                            static_cast<double>(kWorkloadSamples) / 100),
                "workloads"),
      "workloads", {}, AllMetrics());
}

/// One estimator on the WAM's data: an update of an online one, the whole estimate of another.
class EstimatorFixture {
 public:
  /// @throws EstimationFailure (refused) if the method does not take the problem.
  EstimatorFixture(const EstimatorEntry& entry, const Problem& problem,
                   const std::vector<Dataset>& datasets)
      : estimator_(entry.make()), problem_(problem), datasets_(datasets) {
    online_ = dynamic_cast<OnlineEstimator*>(estimator_.get());
    name_ = fmt::format("{}/wam7/{}", entry.type,
                        online_ != nullptr ? "update" : std::to_string(kWorkloadSamples));
    if (online_ == nullptr) {
      const Estimate first = estimator_->Run(problem_, datasets_);
      if (first.outcome == Outcome::kRefused) {
        throw EstimationFailure(first.outcome, first.reason);
      }
      return;
    }
    online_->Begin(problem_);
    Sample sample(problem_);
    SampleReader reader(problem_, datasets_);
    while (reader.Next(1e9, sample)) samples_.push_back(sample);
  }

  const std::string& name() const { return name_; }

  void Call() {
    if (online_ == nullptr) {
      estimator_->Run(problem_, datasets_);
    } else {
      online_->Update(samples_[next_]);
      next_ = (next_ + 1) % samples_.size();
    }
  }

 private:
  std::unique_ptr<Estimator> estimator_;
  const Problem& problem_;
  const std::vector<Dataset>& datasets_;
  OnlineEstimator* online_ = nullptr;  ///< The same object, if it is one.
  std::string name_;
  std::vector<Sample> samples_;
  std::size_t next_ = 0;
};

/// `call`, and every tenth time once more.
std::function<void()> SlowedDown(std::function<void()> call) {
  return [call = std::move(call), count = 0]() mutable {
    call();
    if (++count % 10 == 0) call();
  };
}

void Count(const Workload& workload) {
  for (const int repetitions : kCountedRepetitions) {
    idbench_counted_repetitions(workload.call, repetitions);
  }
  fmt::print("{}\n", workload.name);
}

/// Median time of a call [ns], over batches of a millisecond.
double TimeOfCall(const std::function<void()>& call) {
  const auto batch = [&call](int calls) {
    const auto begin = Clock::now();
    for (int k = 0; k < calls; ++k) call();
    return std::chrono::duration<double, std::nano>(Clock::now() - begin).count();
  };
  int calls = 1;
  while (batch(calls) < 1e6) calls *= 2;
  std::vector<double> times(25);
  for (double& time : times) time = batch(calls) / calls;
  std::ranges::nth_element(times, times.begin() + 12);
  return times[12];
}

}  // namespace

void RunWorkloads(WorkloadMode mode) {
  const LoadedScenario loaded = WamScenario();
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells.front(), rollouts);
  const TrialData data = context.Run(0);
  KernelFixture kernel(loaded.robot);
  std::vector<Workload> workloads = KernelWorkloads(kernel);
  std::vector<std::unique_ptr<EstimatorFixture>> estimators;
  for (const EstimatorEntry& entry : EstimatorRegistry()) {
    // An arm is no walker.
    if (entry.make()->needs().problem.Has(Capability::kLagrangian)) continue;
    try {
      estimators.push_back(
          std::make_unique<EstimatorFixture>(entry, data.problem(), data.datasets));
    } catch (const EstimationFailure& refused) {
      fmt::print(stderr, "{}{}: {}\n", kWorkloadLeftOut, entry.type, refused.what());
      continue;
    }
    workloads.push_back(
        {estimators.back()->name(), [fixture = estimators.back().get()] { fixture->Call(); }});
  }
  for (Workload& workload : workloads) {
    if (mode == WorkloadMode::kSlowed && workload.name == kSlowedWorkload) {
      workload.call = SlowedDown(std::move(workload.call));
    }
    if (mode == WorkloadMode::kTimed) {
      fmt::print("{}\n", Json({{"case", workload.name}, {"ns", TimeOfCall(workload.call)}}).dump());
    } else {
      Count(workload);
    }
  }
}

}  // namespace idbench
