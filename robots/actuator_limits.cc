#include "robots/actuator_limits.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "robots/mjspec.h"

namespace idbench {
namespace {

/// Closed interval of forces [N or N·m].
struct ForceRange {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
};

/// What is left of a range where forces are clipped at another.
ForceRange Clipped(const ForceRange& range, const ForceRange& at) {
  const auto clipped = [&at](double x) { return std::min(std::max(x, at.lower), at.upper); };
  return {clipped(range.lower), clipped(range.upper)};
}

ForceRange Sum(const ForceRange& a, const ForceRange& b) {
  return {a.lower + b.lower, a.upper + b.upper};
}

ForceRange Scaled(const ForceRange& range, double factor) {
  if (factor == 0.0) return {0.0, 0.0};  // also of what is not limited
  const double a = factor * range.lower, b = factor * range.upper;
  return {std::min(a, b), std::max(a, b)};
}

/// What MuJoCo takes for limited: said so, or by a range where nothing is said.
ForceRange RangeOf(mjtLimited limited, const double range[2]) {
  const bool counts =
      limited == mjLIMITED_TRUE || (limited == mjLIMITED_AUTO && range[0] < range[1]);
  return counts ? ForceRange{range[0], range[1]} : ForceRange{};
}

/// Whether the force is the control, or a mean of earlier controls, times gainprm[0].
bool IsMotor(const mjsActuator& actuator) {
  const bool follows = actuator.dyntype == mjDYN_NONE || actuator.dyntype == mjDYN_FILTER ||
                       actuator.dyntype == mjDYN_FILTEREXACT;
  return follows && actuator.gaintype == mjGAIN_FIXED && actuator.biastype == mjBIAS_NONE;
}

ForceRange TorqueOf(const mjsActuator& actuator) {
  ForceRange force = RangeOf(actuator.forcelimited, actuator.forcerange);
  if (IsMotor(actuator)) {
    const ForceRange control = RangeOf(actuator.ctrllimited, actuator.ctrlrange);
    force = Clipped(Scaled(control, actuator.gainprm[0]), force);
  }
  return Scaled(force, actuator.gear[0]);
}

}  // namespace

std::optional<std::string> JointOf(const mjsActuator& actuator) {
  if (actuator.trntype != mjTRN_JOINT && actuator.trntype != mjTRN_JOINTINPARENT) {
    return std::nullopt;
  }
  return mjs_getString(actuator.target);
}

void TakeActuatorLimits(mjSpec* spec) {
  std::map<std::string, ForceRange> torques;
  for (mjsElement* element : Elements(spec, mjOBJ_ACTUATOR)) {
    const mjsActuator& actuator = *mjs_asActuator(element);
    const std::optional<std::string> joint = JointOf(actuator);
    if (!joint) continue;
    const auto [at, first] = torques.try_emplace(*joint, TorqueOf(actuator));
    if (!first) at->second = Sum(at->second, TorqueOf(actuator));
  }
  for (mjsElement* element : Elements(spec, mjOBJ_JOINT)) {
    mjsJoint& joint = *mjs_asJoint(element);
    const auto torque = torques.find(mjs_getString(mjs_getName(element)));
    if (torque == torques.end()) continue;
    const ForceRange range =
        Clipped(torque->second, RangeOf(joint.actfrclimited, joint.actfrcrange));
    if (std::isinf(range.upper - range.lower)) continue;
    // MuJoCo compiles no empty range.
    joint.actfrclimited = range.lower < range.upper ? mjLIMITED_TRUE : mjLIMITED_FALSE;
    joint.actfrcrange[0] = range.lower;
    joint.actfrcrange[1] = range.upper;
  }
}

}  // namespace idbench
