#include "scenarios/motion/trajectory/design_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace idbench {
namespace {

bool ShowsAtAllStates(Equation equation) {
  const RowsFrom rows = InfoOf(equation).rows;
  return rows == RowsFrom::kTorqueRows || rows == RowsFrom::kWrenchRows;
}

void CheckDesign(const DesignOptions& options, std::vector<Issue>& issues) {
  if (options.equations.empty()) {
    issues.push_back({"/equations",
                      "is empty: no candidate would be better than another",
                      {"name \"joint_torque\" or \"base_wrench\", or take one candidate"}});
  }
  for (std::size_t i = 0; i < options.equations.size(); ++i) {
    if (ShowsAtAllStates(options.equations[i])) continue;
    issues.push_back({fmt::format("/equations/{}", i),
                      fmt::format("\"{}\" compares no motions", ToString(options.equations[i])),
                      {"accepted here: joint_torque, base_wrench"}});
  }
  const bool torques =
      std::ranges::find(options.equations, Equation::kTorque) != options.equations.end();
  if (!options.equations.empty() && !torques &&
      (!options.friction.empty() || options.rotor_inertia)) {
    issues.push_back({options.friction.empty() ? "/rotor_inertia" : "/friction",
                      "is not in the wrench on the base",
                      {"name \"joint_torque\" among the equations, or leave it out"}});
  }
  if (std::ranges::find(options.friction, JointParameter::kRotorInertia) !=
      options.friction.end()) {
    issues.push_back(
        {"/friction", "rotor_inertia is no friction", {"set \"rotor_inertia\": true"}});
  }
}

}  // namespace

std::vector<PlacedEquation> DesignOptions::placed_equations() const {
  const std::set<PlacedEquation> placed(equations.begin(), equations.end());
  return {placed.begin(), placed.end()};
}

std::vector<JointParameter> DesignOptions::joint_parameters() const {
  std::set<JointParameter> parameters(friction.begin(), friction.end());
  if (rotor_inertia) parameters.insert(JointParameter::kRotorInertia);
  return {parameters.begin(), parameters.end()};
}

FieldTable Visit(DesignOptions& options) {
  FieldTable table;
  table
      .Add("equations", options.equations,
           {.doc = "Equations whose base parameters the motion is to show: joint_torque, "
                   "base_wrench"})
      .Add("friction", options.friction,
           {.doc = "Friction and offsets of the joints that the motion is to show too"})
      .Add("rotor_inertia", options.rotor_inertia, {.doc = "Show rotor inertias of the joints too"})
      .Add("coulomb_width_rad_s", options.coulomb_width_rad_s,
           {.doc = "Width of Coulomb friction, tanh(qd/width); 0: its sign",
            .unit = "rad/s",
            .lower = 0})
      .Check([&options](std::vector<Issue>& issues) { CheckDesign(options, issues); });
  return table;
}

}  // namespace idbench
