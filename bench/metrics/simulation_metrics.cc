#include "bench/metrics/simulation_metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "scenarios/motion/trajectory/torque_replay.h"

namespace idbench {
namespace {

/// Longest step of the integration: on the motions of Dolinský & Čelikovský (0.68 s at rates up to
/// 6 rad/s) its error adds less than 2e-9 to the sum over the angles.
constexpr double kLongestStep = 0.01;
/// A replay that leaves this range has diverged [rad or rad/s].
constexpr double kDiverged = 1e3;

}  // namespace

SimulationMetrics::SimulationMetrics(const Scenario& scenario, const Problem& problem)
    : scenario_(scenario), robot_(problem.model), model_(problem) {
  for (Eigen::VectorXd* state : {&x_, &stage_, &k1_, &k2_, &k3_, &k4_}) {
    state->resize(2 * model_.dofs());
  }
}

void SimulationMetrics::SetTrial(const TrialData& data) {
  data_ = &data;
  model_.SetProblem(data.problem());
}

void SimulationMetrics::SetEstimate(const Estimate& estimate) {
  estimate_ = &estimate;
  errors_.clear();
}

const SimulationMetrics::Errors& SimulationMetrics::Of(const std::string& experiment) {
  const auto [at, added] = errors_.try_emplace(experiment);
  if (added) at->second = Replay(experiment);
  return at->second;
}

MetricValue SimulationMetrics::Angles(const std::string& experiment) {
  const Errors& errors = Of(experiment);
  if (!errors.failure.empty()) return FailedMetric(errors.failure);
  return MetricOf(errors.angles.sum(), errors.angles);
}

MetricValue SimulationMetrics::Rates(const std::string& experiment) {
  const Errors& errors = Of(experiment);
  if (!errors.failure.empty()) return FailedMetric(errors.failure);
  return MetricOf(errors.rates.sum(), errors.rates);
}

MetricValue SimulationMetrics::States(const std::string& experiment) {
  const Errors& errors = Of(experiment);
  if (!errors.failure.empty()) return FailedMetric(errors.failure);
  return MetricOf(errors.angles.sum() + errors.rates.sum());
}

const SimulationMetrics::Law& SimulationMetrics::LawOf(const std::string& experiment,
                                                       const Signals& clean) {
  const auto [at, added] = laws_.try_emplace(experiment);
  Law& law = at->second;
  if (!added) return law;
  const auto options = std::ranges::find(scenario_.experiments, experiment,
                                         &std::pair<std::string, ExperimentOptions>::first);
  const auto& replay = std::get<TorqueReplayOptions>(ControlOf(scenario_, options->second));
  const std::unique_ptr<TorqueLaw> torque =
      MakeTorqueLaw(replay, ReadTorqueTable(replay, robot_), robot_);
  const Eigen::Index intervals = clean.time_s.size() - 1;
  const double interval_s =
      (clean.time_s[intervals] - clean.time_s[0]) / static_cast<double>(intervals);
  law.steps_per_sample = std::max(1, static_cast<int>(std::ceil(interval_s / kLongestStep - 1e-6)));
  law.step_s = interval_s / law.steps_per_sample;
  law.tau.resize(model_.dofs(), 2 * intervals * law.steps_per_sample + 1);
  Eigen::VectorXd tau(model_.dofs());
  for (Eigen::Index k = 0; k < law.tau.cols(); ++k) {
    torque->At(clean.time_s[0] + 0.5 * law.step_s * static_cast<double>(k), tau);
    law.tau.col(k) = tau;
  }
  return law;
}

SimulationMetrics::Errors SimulationMetrics::Replay(const std::string& experiment) {
  if (const std::string why = data_->WhyNoJointTorques(); !why.empty()) return {why, {}, {}};
  const auto dataset = std::ranges::find(data_->datasets, experiment, &Dataset::label);
  const Signals& clean = *data_->clean[static_cast<std::size_t>(dataset - data_->datasets.begin())];
  model_.SetConfiguration(robot_.ConfigurationIndex(dataset->configuration()));
  const Law& law = LawOf(experiment, clean);
  const Eigen::VectorXd& p = model_.Of(*estimate_);
  const int n = model_.dofs();
  Errors errors{"", Eigen::VectorXd::Zero(n), Eigen::VectorXd::Zero(n)};
  const auto fail = [&](const char* why, double time_s) {
    errors.failure = fmt::format("the replay's {} at {:.4g} s", why, time_s);
    return errors;
  };
  constexpr const char* kNotPositive = "mass matrix is not positive definite";
  const Eigen::MatrixXd& q = clean[kJointPosition];
  const Eigen::MatrixXd& qd = clean[kJointVelocity];
  x_ << q.row(0).transpose(), qd.row(0).transpose();
  Eigen::Index step = 0;
  for (Eigen::Index k = 1; k < clean.time_s.size(); ++k) {
    for (int i = 0; i < law.steps_per_sample; ++i) {
      if (!Step(p, law, step++)) return fail(kNotPositive, clean.time_s[k - 1]);
    }
    if (!x_.allFinite() || x_.lpNorm<Eigen::Infinity>() > kDiverged) {
      return fail("state diverged", clean.time_s[k]);
    }
    errors.angles += (x_.head(n) - q.row(k).transpose()).cwiseAbs2();
    errors.rates += (x_.tail(n) - qd.row(k).transpose()).cwiseAbs2();
  }
  if (!Slope(p, x_, law.tau.rightCols<1>(), k1_))
    return fail(kNotPositive, clean.time_s(Eigen::last));
  return errors;
}

bool SimulationMetrics::Step(const Eigen::VectorXd& p, const Law& law, Eigen::Index step) {
  const double h = law.step_s;
  const auto before = law.tau.col(2 * step), middle = law.tau.col(2 * step + 1),
             after = law.tau.col(2 * step + 2);
  if (!Slope(p, x_, before, k1_)) return false;
  stage_ = x_ + 0.5 * h * k1_;
  if (!Slope(p, stage_, middle, k2_)) return false;
  stage_ = x_ + 0.5 * h * k2_;
  if (!Slope(p, stage_, middle, k3_)) return false;
  stage_ = x_ + h * k3_;
  if (!Slope(p, stage_, after, k4_)) return false;
  x_ += h / 6.0 * (k1_ + 2.0 * k2_ + 2.0 * k3_ + k4_);
  return true;
}

bool SimulationMetrics::Slope(const Eigen::VectorXd& p, const Eigen::Ref<const Eigen::VectorXd>& x,
                              const Eigen::Ref<const Eigen::VectorXd>& tau,
                              Eigen::VectorXd& slope) {
  const int n = model_.dofs();
  slope.head(n) = x.tail(n);
  return model_.ForwardDynamics(p, x.head(n), x.tail(n), tau, slope.tail(n));
}

}  // namespace idbench
