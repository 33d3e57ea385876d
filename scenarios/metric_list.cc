#include "scenarios/metric_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <string_view>

#include "reports/run/metric_name.h"
#include "robots/dynamics/parameters/base_parameters.h"
#include "scenarios/drawn_as_declared.h"
#include "scenarios/observers.h"
#include "scenarios/options/config_error.h"
#include "scenarios/problem/parametrisations.h"
#include "scenarios/problem/problem_builder.h"
#include "scenarios/problem/problem_parts.h"
#include "scenarios/supplies.h"

namespace idbench {
namespace {

Capabilities NeedsOf(const MetricInfo& info) {
  return info.per_window() ? info.needs | Capabilities{Capability::kWindows} : info.needs;
}

bool Smooths(const Scenario& scenario) {
  return scenario.scoring && scenario.scoring->smoothing == ScoreSmoothing::kLowpass;
}

/// True unless the metric is of what few scenarios have: windows in which estimates are followed,
/// torque that can be replayed, parameters of a planar Lagrangian, observers, experiments that an
/// estimator makes or whose control takes an estimate, gains and duty cycles of drives,
/// force/torque sensors.
bool IsAbout(const Supplies& supplies, const MetricInfo& info) {
  using enum Capability;
  return std::ranges::all_of(
      std::array{kWindows, kTorqueReplay, kLagrangian, kObservedForce, kObservedPlace, kDetection,
                 kActiveEstimator, kStaged, kUnknownGains, kDutyCycleRows, kCutRows},
      [&](Capability rare) { return !NeedsOf(info).Has(rare) || supplies.Has(rare); });
}

/// True if the scenario asks for that very metric.
bool IsNamed(const MetricInfo& info, const Scenario& scenario) {
  return std::ranges::any_of(scenario.metrics, [&info](const std::string& request) {
    return MetricName(request).quantity == info.name;
  });
}

/// True if metrics of `info` exist of the experiment. Those of motions that are no designs are
/// there for who asks.
bool Exists(const MetricInfo& info, const Scenario& scenario, const std::string& label,
            const ExperimentOptions& experiment) {
  if (info.per_observation()) {
    return std::ranges::any_of(
        std::array{Capability::kObservedForce, Capability::kObservedPlace, Capability::kDetection},
        [&](Capability what) { return info.needs.Has(what) && IsObserved(scenario, what, label); });
  }
  if (info.per_motion()) {
    const bool is_designed =
        experiment.motion && std::holds_alternative<ExcitingMotionOptions>(*experiment.motion);
    return is_designed || (IsNamed(info, scenario) && (experiment.motion || !scenario.simulated()));
  }
  if (info.per_staged()) return IsStaged(scenario, experiment);
  if (experiment.role == Role::kApplication) return false;
  return !info.needs.Has(Capability::kTorqueReplay) || IsTorqueReplay(scenario, experiment);
}

bool IsFramed(const MetricInfo& info, const Scenario& scenario) {
  if (info.framed != MetricInfo::Framed::kByUnknowns) {
    return info.framed == MetricInfo::Framed::kAlways;
  }
  return KindNamed(scenario.problem.parametrisation.type).framed;
}

bool HoldsOut(const Scenario& scenario, std::string_view experiment) {
  return std::ranges::any_of(scenario.experiments, [&](const auto& labelled) {
    return labelled.second.role == Role::kValidation &&
           (experiment.empty() || labelled.first == experiment);
  });
}

/// True if a metric of that full name is shown where the scenario asks for no table.
bool IsHeadline(const MetricInfo& info, const MetricName& name, const Scenario& scenario,
                const Supplies& supplies) {
  using Headline = MetricInfo::Headline;
  if (info.headline == Headline::kNever) return false;
  if (info.headline == Headline::kWithoutTruth && supplies.Has(Capability::kTruth)) return false;
  if (info.scope != MetricInfo::Scope::kExperiment) return true;
  return !HoldsOut(scenario, "") || HoldsOut(scenario, name.experiment);
}

/// The scenario's requests; where there are none, or "all" is among them, every metric that it is
/// about.
std::vector<std::string> RequestsOf(const Scenario& scenario, std::span<const MetricInfo> metrics,
                                    const Supplies& supplies) {
  if (!scenario.metrics.empty() &&
      std::ranges::find(scenario.metrics, kAllMetrics) == scenario.metrics.end()) {
    return scenario.metrics;
  }
  std::vector<std::string> requests;
  for (const MetricInfo& metric : metrics) {
    if (!metric.on_request && IsAbout(supplies, metric) && metric.beside.empty())
      requests.emplace_back(metric.name);
  }
  std::ranges::copy_if(scenario.metrics, std::back_inserter(requests),
                       [](const std::string& request) { return request != kAllMetrics; });
  return requests;
}

/// Labels of the gains that are to be estimated.
std::vector<std::string> GainLabels(const Scenario& scenario, const Robot& robot) {
  std::vector<std::string> labels;
  for (const int gain : DriveGainsAmong(robot.model, AskedParameters(robot, scenario.problem))) {
    labels.push_back(MotorOfGain(robot.model, gain));
  }
  return labels;
}

/// Labels of a metric's components.
std::vector<std::string> ComponentsOf(const MetricInfo& info, const Scenario& scenario,
                                      const Robot& robot, const std::string& source) {
  const RobotModel& model = robot.model;
  if (info.components == MetricInfo::Components::kUnknowns) {
    return BuildProblem(robot, scenario.problem, source).parameters.names;
  }
  if (info.components == MetricInfo::Components::kJoints) return model.joint_names();
  if (info.components == MetricInfo::Components::kForce) return {"x", "y", "z"};
  if (info.components == MetricInfo::Components::kUnknownGains) return GainLabels(scenario, robot);
  std::vector<std::string> labels;
  const std::vector<PlacedEquation> equations = EquationsOf(scenario.problem, model);
  if (info.components == MetricInfo::Components::kDutyCycleMotors) {
    for (const int motor : MotorsOfDutyCycles(model, equations).motors) {
      labels.push_back(model.actuation().names[static_cast<std::size_t>(motor)]);
    }
    return labels;
  }
  if (info.components == MetricInfo::Components::kForceTorqueSensors) {
    for (const int cut : CutsOf(equations)) {
      labels.push_back(model.cuts()[static_cast<std::size_t>(cut)].name);
    }
    return labels;
  }
  if (info.components == MetricInfo::Components::kFalsePositiveRates) {
    for (const double rate : kRocRates) labels.push_back(fmt::format("{:g}", rate));
    return labels;
  }
  if (info.components == MetricInfo::Components::kNone) return labels;
  const std::vector<int> considered = ConsideredParameters(model, equations, {});
  for (const int body : WholeBodies(model, considered)) {
    labels.push_back(model.BodyName(body));
  }
  return labels;
}

/// The quantity with its argument, the standard one where the name holds none.
std::string WithArgument(const MetricName& name, const MetricInfo& info) {
  if (!info.argument) return name.quantity;
  const double value = name.Argument(info.argument->name).value_or(info.argument->standard);
  return fmt::format("{}({}={:g})", name.base(), info.argument->name, value);
}

/// The names that a request stands for: of all experiments or windows, and of all checkpoints and
/// the end, unless it names them.
std::vector<std::string> FullNames(const MetricName& name, const MetricInfo& info,
                                   const Scenario& scenario) {
  std::vector<std::string> bases;
  const std::string quantity = WithArgument(name, info);
  if (info.per_window()) {
    if (!name.experiment.empty()) return {name.quantity + "@" + name.experiment};
    for (const auto& [label, window] : scenario.windows)
      bases.push_back(name.quantity + "@" + label);
    return bases;
  }
  if (!info.per_experiment()) {
    bases.push_back(quantity);
  } else if (!name.experiment.empty()) {
    bases.push_back(quantity + "@" + name.experiment);
  } else {
    for (const auto& [label, experiment] : scenario.experiments) {
      if (!Exists(info, scenario, label, experiment)) continue;
      bases.push_back(fmt::format("{}@{}", quantity, label));
    }
  }
  if (!info.has_checkpoints()) return bases;
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

/// The requests, each smoothed score followed by itself at other smoothings.
std::vector<std::string> WithScoresBeside(const std::vector<std::string>& requests,
                                          std::span<const MetricInfo> metrics,
                                          const Scenario& scenario) {
  if (!Smooths(scenario)) return requests;
  std::vector<std::string> all;
  for (const std::string& request : requests) {
    all.push_back(request);
    const std::string quantity = MetricName(request).quantity;
    for (const MetricInfo& metric : metrics) {
      if (metric.beside != quantity) continue;
      all.push_back(std::string(metric.name) + request.substr(quantity.size()));
    }
  }
  return all;
}

/// The names of the same score at other smoothings, of that experiment and checkpoint.
std::vector<std::string> NamesBeside(const MetricInfo& info, const std::string& full,
                                     std::span<const MetricInfo> metrics,
                                     const Scenario& scenario) {
  std::vector<std::string> names;
  if (!Smooths(scenario)) return names;
  const std::string_view score = info.beside.empty() ? info.name : info.beside;
  for (const MetricInfo& metric : metrics) {
    if (metric.name == info.name || (metric.name != score && metric.beside != score)) continue;
    names.push_back(std::string(metric.name) + full.substr(info.name.size()));
  }
  return names;
}

}  // namespace

std::string WhyAbsent(const MetricInfo& info, const MetricName& name, const Scenario& scenario,
                      const Robot& robot) {
  if (!info.beside.empty() && !Smooths(scenario)) {
    return fmt::format("{} is not smoothed here: see /scoring", info.beside);
  }
  const std::string_view experiment = info.per_experiment() ? name.experiment : std::string_view();
  const std::vector<Lack> unmet = SuppliedBy(scenario, robot, experiment).Unmet(NeedsOf(info));
  return unmet.empty() ? "" : unmet.front().absent;
}

const MetricInfo* FindMetric(std::span<const MetricInfo> metrics, const MetricName& name) {
  auto found = std::ranges::find(metrics, name.quantity, &MetricInfo::name);
  if (found == metrics.end()) found = std::ranges::find(metrics, name.base(), &MetricInfo::name);
  return found == metrics.end() ? nullptr : &*found;
}

void ListMetrics(const Scenario& scenario, const Robot& robot, const std::string& source,
                 std::span<const MetricInfo> metrics, std::vector<RunMetric>& present,
                 Labelled<std::string>& absent) {
  const Supplies supplies = SuppliedBy(scenario, robot);
  const std::vector<std::string> requests = RequestsOf(scenario, metrics, supplies);
  std::set<std::string> listed;
  for (const std::string& request : WithScoresBeside(requests, metrics, scenario)) {
    const MetricName name(request);
    const MetricInfo& info = *FindMetric(metrics, name);
    if (std::string reason = WhyAbsent(info, name, scenario, robot); !reason.empty()) {
      if (listed.insert(request).second) absent.emplace_back(request, std::move(reason));
      continue;
    }
    RunMetric metric{"", std::string(info.unit), {}, info.better};
    metric.law = info.law;
    metric.doubt = info.doubt;
    metric.observed = info.per_observation();
    metric.of_motion = info.per_motion();
    metric.interval_scale = info.interval_scale;
    metric.framed = IsFramed(info, scenario);
    for (std::string& full : FullNames(name, info, scenario)) {
      if (!listed.insert(full).second) continue;
      metric.name = std::move(full);
      metric.headline = IsHeadline(info, MetricName(metric.name), scenario, supplies);
      metric.ranks_with = NamesBeside(info, metric.name, metrics, scenario);
      // The same experiment and checkpoint of another quantity.
      if (!info.bounds.empty()) {
        metric.bounds = std::string(info.bounds) + metric.name.substr(info.name.size());
        metric.bounded = info.bounded;
      }
      metric.components = info.per_window()
                              ? scenario.FindWindow(MetricName(metric.name).experiment)->unknowns
                              : ComponentsOf(info, scenario, robot, source);
      present.push_back(metric);
    }
  }
}

void DoubtUndrawn(std::span<const MetricInfo> metrics, const std::vector<std::string>& undrawn,
                  std::vector<RunMetric>& present) {
  const std::string where = undrawn.empty() ? "" : fmt::format("in {}: ", ListSome(undrawn));
  for (RunMetric& metric : present) {
    const MetricName name(metric.name);
    if (!FindMetric(metrics, name)->over_prior) continue;
    metric.doubt = fmt::format(
        "{}a bound on means over truths drawn from the prior, not on errors of this one: {}", where,
        kNotDrawnAsDeclared);
  }
}

}  // namespace idbench
