#include "scenarios/metric_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "reports/run/metric_name.h"
#include "robots/dynamics/parameters/base_parameters.h"
#include "scenarios/drawn_as_declared.h"
#include "scenarios/problem/problem_builder.h"

namespace idbench {
namespace {

/// Why a scenario cannot have a metric; "" if it can.
std::string WhyAbsent(const MetricInfo& info, const MetricName& name, const Scenario& scenario) {
  const auto needs = [&info](MetricInfo::Needs need) { return (info.needs & need) != 0; };
  const ParametrisationOptions& parametrisation = scenario.problem.parametrisation;
  if (needs(MetricInfo::kTruth) && !scenario.simulated()) {
    return "no truth: a recording of a real robot";
  }
  if (needs(MetricInfo::kPrior) && !scenario.problem.prior) return "no prior";
  if (info.per_window() && scenario.windows.empty()) return "no windows: see windows";
  if (needs(MetricInfo::kRobot) && parametrisation.type == "payload") {
    return "the robot is known, and its payload comes and goes: see windows";
  }
  if (needs(MetricInfo::kRobot) && parametrisation.type == "joint_state") {
    return "the robot is known, and its state changes with time: see windows";
  }
  if (needs(MetricInfo::kPriorStd) &&
      !(scenario.problem.prior &&
        (scenario.problem.prior->relative_std || scenario.problem.prior->std_of_bounds))) {
    return "no covariance of the prior: see relative_std";
  }
  if (needs(MetricInfo::kDrawnAsDeclared) && !DrawnAsDeclared(scenario)) return kNotDrawnAsDeclared;
  if (needs(MetricInfo::kBounds) && !parametrisation.payload && !parametrisation.bounded()) {
    return "no bounds: see lower_prior_factor, first_moment_reach_m and bounds";
  }
  if (needs(MetricInfo::kSingleLinks) && parametrisation.type == "base") {
    return "base parameters say nothing of single links";
  }
  const bool lagrangian = parametrisation.type == "planar_lagrangian";
  if (needs(MetricInfo::kSingleLinks) && lagrangian) {
    return "the parameters of a planar Lagrangian say nothing of single links";
  }
  if (needs(MetricInfo::kRegression) && lagrangian) {
    return "no such bound for the parameters of a planar Lagrangian, whose state is not measured: "
           "see simulation_sse_angles_bound";
  }
  if (needs(MetricInfo::kLagrangian) && !lagrangian) {
    return "it takes the parametrisation \"planar_lagrangian\"";
  }
  if (needs(MetricInfo::kTorqueReplay) &&
      std::ranges::none_of(scenario.experiments, [&](const auto& experiment) {
        return (name.experiment.empty() || name.experiment == experiment.first) &&
               IsTorqueReplay(scenario, experiment.second);
      })) {
    return "no torque_replay: torque that depends on the state cannot be replayed";
  }
  const bool declares_sigma = scenario.simulated()
                                  ? DeclaresSigma((*scenario.sensors)[kJointTorque])
                                  : scenario.recording->declared_sigma[kJointTorque].has_value();
  if (needs(MetricInfo::kSigma) && !declares_sigma) return "no σ of the joint torques is declared";
  return "";
}

/// True unless the metric is of what few scenarios have: windows in which estimates are followed,
/// torque that can be replayed, parameters of a planar Lagrangian.
bool IsAbout(const Scenario& scenario, const MetricInfo& info) {
  if (info.per_window()) return !scenario.windows.empty();
  if ((info.needs & MetricInfo::kLagrangian) != 0 &&
      scenario.problem.parametrisation.type != "planar_lagrangian") {
    return false;
  }
  return (info.needs & MetricInfo::kTorqueReplay) == 0 ||
         std::ranges::any_of(scenario.experiments, [&scenario](const auto& experiment) {
           return IsTorqueReplay(scenario, experiment.second);
         });
}

/// True if metrics of `info` exist of the experiment.
bool Exists(const MetricInfo& info, const Scenario& scenario, const ExperimentOptions& experiment) {
  return (info.needs & MetricInfo::kTorqueReplay) == 0 || IsTorqueReplay(scenario, experiment);
}

/// Labels of a metric's components.
std::vector<std::string> ComponentsOf(const MetricInfo& info, const Scenario& scenario,
                                      const Robot& robot, const std::string& source) {
  const RobotModel& model = robot.model;
  if (info.components == MetricInfo::Components::kUnknowns) {
    return BuildProblem(robot, scenario.problem, source).parameters.names;
  }
  if (info.components == MetricInfo::Components::kJoints) return model.joint_names();
  std::vector<std::string> labels;
  if (info.components == MetricInfo::Components::kNone) return labels;
  const std::vector<int> considered =
      ConsideredParameters(model, EquationsOf(scenario.problem), {});
  for (const int body : WholeBodies(model, considered)) {
    labels.push_back(model.BodyName(body));
  }
  return labels;
}

/// The names that a request stands for: of all experiments or windows, and of all checkpoints and
/// the end, unless it names them.
std::vector<std::string> FullNames(const MetricName& name, const MetricInfo& info,
                                   const Scenario& scenario) {
  std::vector<std::string> bases;
  if (info.per_window()) {
    if (!name.experiment.empty()) return {name.quantity + "@" + name.experiment};
    for (const auto& [label, window] : scenario.windows)
      bases.push_back(name.quantity + "@" + label);
    return bases;
  }
  if (!info.per_experiment()) {
    bases.push_back(name.quantity);
  } else if (!name.experiment.empty()) {
    bases.push_back(name.quantity + "@" + name.experiment);
  } else {
    for (const auto& [label, experiment] : scenario.experiments) {
      if (Exists(info, scenario, experiment)) bases.push_back(name.quantity + "@" + label);
    }
  }
  std::vector<std::string> names;
  for (const std::string& base : bases) {
    if (!name.checkpoint.empty()) {
      names.push_back(fmt::format("{}@{}", base, name.checkpoint));
      continue;
    }
    for (const std::string& checkpoint : CheckpointLabels(scenario)) {
      names.push_back(fmt::format("{}@{}", base, checkpoint));
    }
    names.push_back(base);
  }
  return names;
}

}  // namespace

void ListMetrics(const Scenario& scenario, const Robot& robot, const std::string& source,
                 std::span<const MetricInfo> metrics, std::vector<RunMetric>& present,
                 Labelled<std::string>& absent) {
  std::vector<std::string> requests = scenario.metrics;
  if (requests.empty()) {
    for (const MetricInfo& metric : metrics) {
      if (IsAbout(scenario, metric)) requests.emplace_back(metric.name);
    }
  }
  std::set<std::string> listed;
  for (const std::string& request : requests) {
    const MetricName name(request);
    const MetricInfo& info = *std::ranges::find(metrics, name.quantity, &MetricInfo::name);
    if (std::string reason = WhyAbsent(info, name, scenario); !reason.empty()) {
      if (listed.insert(request).second) absent.emplace_back(request, std::move(reason));
      continue;
    }
    RunMetric metric{"", std::string(info.unit), {}, info.better};
    for (std::string& full : FullNames(name, info, scenario)) {
      if (!listed.insert(full).second) continue;
      metric.name = std::move(full);
      // The same experiment and checkpoint of another quantity.
      if (!info.bounds.empty()) {
        metric.bounds = std::string(info.bounds) + metric.name.substr(info.name.size());
      }
      metric.components = info.per_window()
                              ? scenario.FindWindow(MetricName(metric.name).experiment)->unknowns
                              : ComponentsOf(info, scenario, robot, source);
      present.push_back(metric);
    }
  }
}

}  // namespace idbench
