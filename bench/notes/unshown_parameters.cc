#include "bench/notes/unshown_parameters.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "robots/dynamics/calibration.h"
#include "robots/dynamics/parameters/base_parameters.h"
#include "scenarios/motion/options.h"

namespace idbench {
namespace {

/// Those that a motion can show: what multiplies what is measured is no function of it.
bool CanBeShown(const RobotModel& model, int k) {
  const int first = ParameterLayout(model).size() - static_cast<int>(model.terms().size());
  if (k < first) return true;
  const Term& term = model.terms()[static_cast<std::size_t>(k - first)];
  return term.rows == TermRows::kJoints && !IsCalibration(term);
}

std::vector<int> Unshown(const RobotModel& model, const DesignOptions& design,
                         const std::vector<int>& asked) {
  const std::vector<int> counted =
      ConsideredParameters(model, design.placed_equations(), design.joint_parameters());
  std::vector<int> unshown;
  std::ranges::set_difference(asked, counted, std::back_inserter(unshown));
  std::erase_if(unshown, [&model](int k) { return !CanBeShown(model, k); });
  return unshown;
}

/// What the design has to say to count those of the joints; "" if it cannot.
std::string CureFor(const RobotModel& model, DesignOptions design,
                    const std::vector<int>& unshown) {
  const ParameterLayout layout(model);
  const int first = layout.inertial_size();
  bool any = false;
  for (const int k : unshown) {
    if (k < first || k >= first + kJointParameterCount * layout.dofs()) continue;
    any = true;
    const auto which = static_cast<JointParameter>((k - first) % kJointParameterCount);
    if (which == JointParameter::kRotorInertia) {
      design.rotor_inertia = true;
    } else if (std::ranges::find(design.friction, which) == design.friction.end()) {
      design.friction.push_back(which);
    }
  }
  if (!any) return "";
  std::vector<std::string> kinds;
  for (const JointParameter kind : design.friction) {
    kinds.push_back(fmt::format("\"{}\"", ToString(kind)));
  }
  std::vector<std::string> keys;
  if (!kinds.empty()) keys.push_back(fmt::format("\"friction\": [{}]", fmt::join(kinds, ", ")));
  if (design.rotor_inertia) keys.emplace_back("\"rotor_inertia\": true");
  return fmt::format("; \"design\": {{{}}} counts them", fmt::join(keys, ", "));
}

}  // namespace

std::vector<std::string> UnshownParameterNotes(const Robot& robot, const Scenario& scenario,
                                               const std::vector<int>& asked) {
  const std::vector<std::string> names = ParameterNames(robot.model);
  // By what is said of them, the experiments.
  std::vector<std::pair<std::string, std::vector<std::string>>> told;
  for (const auto& [label, experiment] : scenario.experiments) {
    if (experiment.role != Role::kIdentification || !experiment.motion) continue;
    ForEachPart(*experiment.motion, [&]<class Part>(const Part& part, const std::string&) {
      if constexpr (std::is_same_v<Part, ExcitingMotionOptions>) {
        if (!part.criterion) return;
        const std::vector<int> unshown = Unshown(robot.model, part.design, asked);
        if (unshown.empty()) return;
        std::vector<std::string> listed;
        for (const int k : unshown) listed.push_back(names[static_cast<std::size_t>(k)]);
        std::string text = ListSome(listed) + CureFor(robot.model, part.design, unshown);
        auto same = std::ranges::find(told, text, [](const auto& each) { return each.first; });
        if (same == told.end()) same = told.insert(told.end(), {std::move(text), {}});
        if (same->second.empty() || same->second.back() != label) same->second.push_back(label);
      }
    });
  }
  std::vector<std::string> notes;
  for (const auto& [text, labels] : told) {
    notes.push_back(
        fmt::format("the problem asks for parameters that the design of the motion in {} does not "
                    "count: {}",
                    fmt::join(labels, ", "), text));
  }
  return notes;
}

}  // namespace idbench
