#include "scenarios/carried_payloads.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "scenarios/problem/parametrisations.h"

namespace idbench {
namespace {

bool IsThroughout(const Payload& payload) {
  return payload.PartAt(0.0) == 1.0 &&
         std::ranges::all_of(payload.parts, [](const auto& part) { return part.second == 1.0; });
}

/// Time at which a payload that does not stay first comes, goes or begins to change [s].
double FirstChange(const Payload& payload) {
  if (payload.PartAt(0.0) == 0.0) return payload.parts.front().first;
  for (std::size_t k = 1; k < payload.parts.size(); ++k) {
    if (payload.parts[k].second != payload.parts[k - 1].second) return payload.parts[k - 1].first;
  }
  return payload.parts.back().first;
}

bool IsSame(const Payload& a, const Payload& b) {
  return a.link == b.link && a.inertia.mass == b.inertia.mass && a.inertia.com == b.inertia.com &&
         a.inertia.I_com == b.inertia.I_com;
}

/// "1 kg at link3 in identification from 2.6 s to 6.6 s"
std::string Describe(const Payload& payload, const std::string& experiment,
                     const RobotModel& model) {
  std::string text = fmt::format("{:.4g} kg at {} in {}", payload.inertia.mass,
                                 model.link(payload.link).name, experiment);
  if (IsThroughout(payload)) return text + " throughout";
  text += fmt::format(" from {:.4g} s on", payload.parts.front().first);
  for (std::size_t k = 1; k < payload.parts.size(); ++k) {
    const auto& [time, part] = payload.parts[k];
    if (part == payload.parts[k - 1].second) continue;
    text += part == 0.0 ? fmt::format(", off at {:.4g} s", time)
                        : fmt::format(", {:.4g} kg at {:.4g} s", part * payload.inertia.mass, time);
  }
  return text;
}

void AddDescriptions(const std::vector<Payload>& payloads, const std::string& experiment,
                     const Robot& robot, std::vector<std::string>& all) {
  for (const Payload& payload : payloads) {
    all.push_back(Describe(payload, experiment, robot.model));
  }
}

}  // namespace

CarriedPayloads CarriedBy(const Scenario& scenario, const Robot& robot) {
  CarriedPayloads carried;
  for (const auto& [label, experiment] : scenario.experiments) {
    if (!CheckPayloadEvents(experiment.events, "", robot).empty()) return carried;  // refused there
  }
  Labelled<std::vector<Payload>> judged, applied;
  for (const auto& [label, experiment] : scenario.experiments) {
    auto& among = experiment.role == Role::kApplication ? applied : judged;
    among.emplace_back(label, MakePayloads(experiment.events, robot));
  }
  if (judged.empty()) return carried;
  const std::vector<Payload>& first = judged.front().second;
  const auto stays = [&](const auto& labelled) {
    return std::ranges::all_of(labelled.second, IsThroughout) &&
           std::ranges::equal(labelled.second, first, IsSame);
  };
  if (std::ranges::all_of(judged, stays)) {
    carried.throughout = first;
  } else {
    for (const auto& [label, own] : judged) AddDescriptions(own, label, robot, carried.passing);
  }
  for (const auto& [label, own] : applied) {
    if (std::ranges::all_of(own, IsThroughout) &&
        std::ranges::equal(own, carried.throughout, IsSame)) {
      continue;
    }
    std::vector<std::string> what;
    if (own.empty()) what.push_back("nothing in " + label);
    AddDescriptions(own, label, robot, what);
    carried.applied.emplace_back(label, fmt::format("{}", fmt::join(what, "; ")));
  }
  return carried;
}

std::string PayloadChange::Describe(const std::string& experiment) const {
  return fmt::format("what the robot carries in {} changes at {:g} s", experiment, at_s);
}

PayloadChanges ChangesOfPayloads(const Scenario& scenario, const Robot& robot) {
  PayloadChanges changes;
  for (const auto& [label, experiment] : scenario.experiments) {
    if (!CheckPayloadEvents(experiment.events, "", robot).empty()) return {};  // refused there
    double first_s = std::numeric_limits<double>::infinity();
    for (const Payload& payload : MakePayloads(experiment.events, robot)) {
      if (!IsThroughout(payload)) first_s = std::min(first_s, FirstChange(payload));
    }
    if (std::isfinite(first_s)) changes.push_back({label, {first_s, experiment.role}});
  }
  return changes;
}

bool HasTrueUnknowns(const Scenario& scenario, const Robot& robot) {
  return KindNamed(scenario.problem.parametrisation.type).truth != TrueValues::kOfRobot ||
         CarriedBy(scenario, robot).passing.empty();
}

}  // namespace idbench
