#include "sim/truth/cable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <stdexcept>

#include "sim/sensors/signals.h"

namespace idbench {
namespace {

void CheckJoint(const std::string& name, const std::string& where,
                const std::vector<std::string>& joints, std::vector<Issue>& issues) {
  if (std::ranges::find(joints, name) != joints.end()) return;
  issues.push_back(
      {where, fmt::format("the robot has no joint \"{}\"", name), AcceptedNames(name, joints)});
}

void CheckSensor(const std::string& name, const std::string& where,
                 const std::vector<std::string>& cuts, std::vector<Issue>& issues) {
  if (std::ranges::find(cuts, name) != cuts.end()) return;
  issues.push_back({where, fmt::format("the robot has no force/torque sensor \"{}\"", name),
                    AcceptedNames(name, cuts)});
  if (cuts.empty()) {
    issues.back().details = {"declare its place in /robot/force_torque_sensors"};
  }
}

void RequireSound(const std::vector<CableOptions>& cables, const RobotModel& model) {
  std::vector<std::string> cuts;
  for (const Cut& cut : model.cuts()) cuts.push_back(cut.name);
  const std::vector<Issue> issues = CheckCables(cables, "", model.joint_names(), cuts);
  if (!issues.empty()) throw std::invalid_argument(ConfigError("cables", issues).what());
}

}  // namespace

FieldTable Visit(CableTorqueOptions& options) {
  FieldTable table;
  table.Add("joint", options.joint, {.doc = "Joint with which the cable bends", .required = true})
      .Add("stiffness_nm_rad", options.stiffness_nm_rad,
           {.doc = "Stiffness k of the cable, whose torque k·(q − q₀) the joint's overcomes",
            .unit = "N·m/rad",
            .lower = 0})
      .Add("rest_rad", options.rest_rad,
           {.doc = "Position q₀ towards which the cable pulls the joint", .unit = "rad"});
  return table;
}

FieldTable Visit(CableWrenchOptions& options) {
  FieldTable table;
  table
      .Add("sensor", options.sensor,
           {.doc = "Force/torque sensor that the cable bridges, by its name in "
                   "/robot/force_torque_sensors",
            .required = true})
      .Add("component", options.component,
           {.doc = "Component of the wrench at the sensor, about its origin and in its axes",
            .choices = {kWrenchComponents.begin(), kWrenchComponents.end()}})
      .Add("amplitude_n_nm", options.amplitude_n_nm,
           {.doc = "Amplitude of the sine that the sensor reads in addition",
            .unit = "N, N·m",
            .lower = 0})
      .Add("angle", options.angle,
           {.doc = "Factors of the joint positions whose sum is the angle of the sine, by joint",
            .required = true})
      .Add("phase_rad", options.phase_rad,
           {.doc = "Phase of the sine at joint positions 0; π/2 makes it a cosine", .unit = "rad"})
      .Check([&options](std::vector<Issue>& issues) {
        if (!options.angle.empty()) return;
        issues.push_back({"/angle",
                          "names no joint, and what does not depend on the pose is an offset",
                          {"give the factor of at least one joint"}});
      });
  return table;
}

std::vector<Issue> CheckCables(const std::vector<CableOptions>& cables, const std::string& where,
                               const std::vector<std::string>& joints,
                               const std::vector<std::string>& cuts) {
  std::vector<Issue> issues;
  for (std::size_t k = 0; k < cables.size(); ++k) {
    const std::string own = PointerTo(where, k);
    if (const auto* torque = std::get_if<CableTorqueOptions>(&cables[k])) {
      CheckJoint(torque->joint, own + "/joint", joints, issues);
    } else if (const auto* wrench = std::get_if<CableWrenchOptions>(&cables[k])) {
      CheckSensor(wrench->sensor, own + "/sensor", cuts, issues);
      for (const auto& [joint, factor] : wrench->angle) {
        CheckJoint(joint, PointerTo(own + "/angle", joint), joints, issues);
      }
    }
  }
  return issues;
}

double CableWave::At(const Eigen::VectorXd& q) const {
  double argument = phase;
  for (const Term::Share& share : angle) argument += share.factor * q[share.joint];
  return amplitude * std::sin(argument);
}

std::vector<CableSpring> SpringsOf(const std::vector<CableOptions>& cables,
                                   const RobotModel& model) {
  RequireSound(cables, model);
  std::vector<CableSpring> springs;
  for (const CableOptions& cable : cables) {
    const auto* const torque = std::get_if<CableTorqueOptions>(&cable);
    if (torque == nullptr || torque->stiffness_nm_rad == 0.0) continue;
    springs.push_back(
        {model.JointIndex(torque->joint), torque->stiffness_nm_rad, torque->rest_rad});
  }
  return springs;
}

std::vector<CableWave> WavesOf(const std::vector<CableOptions>& cables, const RobotModel& model,
                               std::string_view cut) {
  RequireSound(cables, model);
  std::vector<CableWave> waves;
  for (const CableOptions& cable : cables) {
    const auto* const wrench = std::get_if<CableWrenchOptions>(&cable);
    if (wrench == nullptr || wrench->sensor != cut) continue;
    const auto component = std::ranges::find(kWrenchComponents, wrench->component);
    CableWave wave{.component = static_cast<int>(component - kWrenchComponents.begin()),
                   .amplitude = wrench->amplitude_n_nm,
                   .phase = wrench->phase_rad};
    for (const auto& [joint, factor] : wrench->angle) {
      wave.angle.push_back({model.JointIndex(joint), factor});
    }
    waves.push_back(std::move(wave));
  }
  return waves;
}

}  // namespace idbench
