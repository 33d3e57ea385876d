#include "scenarios/simulation_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <variant>

#include "robots/dynamics/calibration.h"
#include "scenarios/motion/controllers.h"
#include "scenarios/problem/parametrisations.h"
#include "scenarios/problem/problem_check.h"
#include "sim/rollout.h"
#include "sim/truth/implicit_friction.h"

namespace idbench {
namespace {

void Append(std::vector<Issue> more, std::vector<Issue>& issues) {
  std::ranges::move(more, std::back_inserter(issues));
}

void CheckRateOf(const Scenario& scenario, const std::string& where, double rate_hz,
                 std::vector<Issue>& issues) {
  const double step_s = std::get<MujocoPlantOptions>(*scenario.plant).timestep_s;
  if (auto issue = CheckRate(where, rate_hz, step_s)) issues.push_back(std::move(*issue));
}

void CheckTheControl(const Scenario& scenario, const ControlOptions& control, const Robot& robot,
                     const Supplies& supplies, const std::string& where,
                     std::vector<Issue>& issues) {
  Append(CheckControl(control, robot.model, where), issues);
  const ControlLoopOptions* loop = LoopOf(control);
  if (loop == nullptr) return;
  CheckRateOf(scenario, where + "/rate_hz", loop->rate_hz, issues);
  RequireSupplied(NeedsOf(loop->model), supplies, where + "/model",
                  fmt::format("\"{}\" ", ToString(loop->model)),
                  fmt::format("or set {}/model to \"{}\"", where, ToString(ControlModel::kTruth)),
                  issues);
  RequireSupplied(
      NeedsOf(loop->feedback), supplies, where + "/feedback",
      fmt::format("\"{}\" ", ToString(loop->feedback)),
      fmt::format("or set {}/feedback to \"{}\"", where, ToString(Feedback::kTrueState)), issues);
}

/// What an experiment that is controlled with an estimate must be.
void CheckStaged(const Scenario& scenario,
                 const std::pair<std::string, ExperimentOptions>& labelled,
                 std::vector<Issue>& issues) {
  const auto& [label, experiment] = labelled;
  if (!IsStaged(scenario, experiment)) return;
  const std::string where = PointerTo("/experiments", label);
  const std::string at = experiment.control ? where + "/control/model" : "/control/model";
  if (experiment.role != Role::kApplication) {
    issues.push_back(
        {at,
         fmt::format("is \"{}\", and {} has the role {}, which has no data before there is an "
                     "estimate, or the same for all",
                     ToString(ControlModel::kEstimate), label, ToString(experiment.role)),
         {fmt::format("give {} the role application, or a control with the model of the prior",
                      label)}});
  }
  if (KindNamed(scenario.problem.parametrisation.type).supplies.Has(Capability::kLagrangian)) {
    issues.push_back(
        {at,
         fmt::format("is \"{}\", and controllers take standard parameters, which the "
                     "parametrisation \"{}\" does not tell",
                     ToString(ControlModel::kEstimate), scenario.problem.parametrisation.type),
         {"take another parametrisation, or another model"}});
  }
}

}  // namespace

std::vector<Issue> CheckSet(const SetOptions& options, const Robot& robot,
                            const std::string& where) {
  std::vector<Issue> issues;
  if (robot.FindSet(options.set) == nullptr) {
    issues.push_back({where + "/set", fmt::format("{} has no set \"{}\"", robot.name, options.set),
                      AcceptedNames(options.set, robot.set_names())});
  }
  std::vector<std::string> terms;
  for (const Term& term : robot.model.terms()) terms.push_back(term.name);
  for (const auto& [name, value] : options.terms) {
    if (std::ranges::find(terms, name) != terms.end()) continue;
    issues.push_back({PointerTo(where + "/terms", name),
                      fmt::format("{} has no such term of its own", robot.name),
                      AcceptedNames(name, terms)});
    if (terms.empty()) issues.back().details = {"declare it in /robot/terms or /problem/terms"};
  }
  return issues;
}

std::vector<Issue> CheckTruth(const TruthOptions& truth, const Robot& robot) {
  std::vector<Issue> issues = CheckSet(truth, robot, "/robot/truth");
  for (const auto& [name, value] : truth.terms) {
    const auto& terms = robot.model.terms();
    const auto term = std::ranges::find(terms, name, &Term::name);
    if (term != terms.end() && IsCalibration(*term)) {
      issues.push_back({PointerTo("/robot/truth/terms", name),
                        "is that of the simulated sensor and cannot be set",
                        {"set the sensor's own error: calibration_error in /sensors/wrench"}});
    }
    if (term == terms.end() || term->rows != TermRows::kDrives) continue;
    issues.push_back({PointerTo("/robot/truth/terms", name),
                      "is that of the simulated motor and cannot be set",
                      {"set the motor's own figures: /robot/truth/motor"}});
  }
  const SensedParts parts = PartsOf(robot.model);
  Append(CheckTrueJoints(truth.joints, "/robot/truth", parts.joints, parts.motors, parts.cuts),
         issues);
  return issues;
}

std::vector<Issue> CheckPlant(const Scenario& scenario) {
  const auto why_not = WhyNotImplicit(std::get<MujocoPlantOptions>(*scenario.plant),
                                      scenario.robot.truth->joints.mismatch);
  if (!why_not) return {};
  return {{"/plant/friction_integration", *why_not, {}}};
}

std::vector<Issue> CheckSensorsOf(const Scenario& scenario, const Robot& robot,
                                  const Supplies& supplies) {
  const SensorOptions& sensors = *scenario.sensors;
  std::vector<Issue> issues = CheckSensors(sensors, "/sensors", PartsOf(robot.model));
  for (const SignalSource& source : SignalSources()) {
    for (const std::string_view channel : source.channels) {
      const SensorOrigin origin = sensors[channel].origin;
      if (origin == SensorOrigin::kAbsent) continue;
      RequireSupplied(source.needs, supplies, fmt::format("/sensors/{}/origin", channel),
                      fmt::format("\"{}\" ", ToString(origin)), "or remove the sensor", issues);
    }
  }
  if (scenario.robot.truth->imu_offset_m != std::vector<double>(3, 0.0)) {
    RequireSupplied({Capability::kImu}, supplies, "/robot/truth/imu_offset_m", "",
                    "or remove the offset", issues);
  }
  return issues;
}

std::vector<Issue> CheckControls(const Scenario& scenario, const Robot& robot,
                                 const Supplies& supplies,
                                 const std::function<bool(const std::string&)>& sound) {
  std::vector<Issue> issues;
  const auto check = [&](const ControlOptions& control, const std::string& where) {
    if (sound(where)) CheckTheControl(scenario, control, robot, supplies, where, issues);
  };
  for (const auto& [label, experiment] : scenario.experiments) {
    if (experiment.control) {
      check(*experiment.control, PointerTo("/experiments", label) + "/control");
    }
    CheckStaged(scenario, {label, experiment}, issues);
  }
  if (std::ranges::any_of(scenario.experiments, [](const auto& experiment) {
        return !experiment.second.control.has_value();
      })) {
    check(*scenario.control, "/control");
  }
  if (scenario.robot.truth->joints.mismatch.NeedsSimulation()) {
    RequireSupplied({Capability::kStepByStep}, supplies, "/robot/truth/mismatch",
                    "LuGre friction, frictionloss or torques in steps ", "or remove it", issues);
  }
  const bool stepped = std::ranges::any_of(scenario.experiments, [&](const auto& experiment) {
    return !std::holds_alternative<ExactReplayOptions>(ControlOf(scenario, experiment.second));
  });
  if (stepped) CheckRateOf(scenario, "/sensors/rate_hz", scenario.sensors->rate_hz, issues);
  return issues;
}

}  // namespace idbench
