#include "sim/truth/mismatch.h"

#include <cmath>

#include "sim/sensors/per_joint.h"

namespace idbench {

double CoggingOptions::Torque(std::size_t joint, double q) const {
  return amplitude_nm[joint] * std::sin(periods_per_rev[joint] * q + phase_rad[joint]);
}

bool MismatchOptions::NeedsSimulation() const { return lugre || AnyNonZero(frictionloss_nm); }

FieldTable Visit(CoggingOptions& options) {
  FieldTable table;
  table
      .Add("amplitude_nm", options.amplitude_nm,
           {.doc = "Amplitude of the cogging torque", .unit = "N·m"})
      .Add("periods_per_rev", options.periods_per_rev,
           {.doc = "Periods per turn of the joint", .lower = 0})
      .Add("phase_rad", options.phase_rad, {.doc = "Phase at joint position 0", .unit = "rad"});
  return table;
}

FieldTable Visit(MismatchOptions& options) {
  FieldTable table;
  table
      .Add("frictionloss_nm", options.frictionloss_nm,
           {.doc = "MuJoCo's frictionloss, a soft constraint", .unit = "N·m", .lower = 0})
      .Add("lugre", options.lugre,
           {.doc = "LuGre friction, in addition to that of /friction; null: none"})
      .Add("cogging", options.cogging, {.doc = "Torque of the rotor's slots; null: none"});
  return table;
}

}  // namespace idbench
