#include "sim/truth/lugre.h"

#include <cmath>

namespace idbench {

double LugreOptions::Rate(std::size_t joint, double qd) const {
  const double ratio = qd / stribeck_velocity_rad_s[joint];
  const double g =
      coulomb_nm[joint] + (static_nm[joint] - coulomb_nm[joint]) * std::exp(-ratio * ratio);
  return stiffness_nm_rad[joint] * std::abs(qd) / g;
}

double LugreOptions::Torque(std::size_t joint, double z, double qd) const {
  const double zd = qd - Rate(joint, qd) * z;
  return stiffness_nm_rad[joint] * z + damping_nms_rad[joint] * zd;
}

double LugreOptions::Advance(std::size_t joint, double z, double qd, double h) const {
  const double x = Rate(joint, qd) * h;
  const double share = x > 0.0 ? -std::expm1(-x) / x : 1.0;  // (1 − e^(−x))/x
  return std::exp(-x) * z + qd * h * share;
}

FieldTable Visit(LugreOptions& options) {
  FieldTable table;
  table
      .Add("stiffness_nm_rad", options.stiffness_nm_rad,
           {.doc = "Stiffness of the bristles", .unit = "N·m/rad", .lower = 0, .lower_open = true})
      .Add("damping_nms_rad", options.damping_nms_rad,
           {.doc = "Damping of the bristles", .unit = "N·m·s/rad", .lower = 0})
      .Add("coulomb_nm", options.coulomb_nm,
           {.doc = "Friction at high speed", .unit = "N·m", .lower = 0})
      .Add("static_nm", options.static_nm,
           {.doc = "Friction at which the joint breaks away; 0: no LuGre friction",
            .unit = "N·m",
            .lower = 0})
      .Add("stribeck_velocity_rad_s", options.stribeck_velocity_rad_s,
           {.doc = "Velocity at which the excess of static over Coulomb friction has fallen to 1/e",
            .unit = "rad/s",
            .lower = 0,
            .lower_open = true});
  return table;
}

}  // namespace idbench
