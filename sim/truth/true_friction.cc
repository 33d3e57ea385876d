#include "sim/truth/true_friction.h"

#include <cmath>

#include "robots/dynamics/dynamics.h"

namespace idbench {
namespace {

/// Beyond it a joint would nearly lock itself, as the gear of a screw does.
constexpr double kMostOfLoad = 0.9;

}  // namespace

TrueFriction TrueFriction::None(int dofs) {
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(dofs);
  return {zero, zero, zero, zero, Eigen::VectorXd::Ones(dofs), zero};
}

double TrueFriction::Torque(int i, double qd, double width, double factor) const {
  double level = coulomb(i);
  if (stribeck_excess(i) != 0.0) {
    const double ratio = qd / stribeck_velocity(i);
    level += stribeck_excess(i) * std::exp(-ratio * ratio);
  }
  // A tanh for each joint and step is a part of the simulation's time that shows.
  const double coulomb_torque = level == 0.0 ? 0.0 : level * FrictionShape{width}.Coulomb(qd);
  return factor * (viscous(i) * qd + coulomb_torque) + offset(i);
}

FieldTable Visit(FrictionOptions& options) {
  FieldTable table;
  table
      .Add("viscous_nms_rad", options.viscous_nms_rad,
           {.doc = "Viscous friction; null: that of the parameter set",
            .unit = "N·m·s/rad",
            .lower = 0})
      .Add("coulomb_nm", options.coulomb_nm,
           {.doc = "Coulomb friction; null: that of the parameter set", .unit = "N·m", .lower = 0})
      .Add("offset_nm", options.offset_nm,
           {.doc = "Constant torque; null: that of the parameter set", .unit = "N·m"})
      .Add("stribeck_excess_nm", options.stribeck_excess_nm,
           {.doc = "Static minus Coulomb friction", .unit = "N·m", .lower = 0})
      .Add("stribeck_velocity_rad_s", options.stribeck_velocity_rad_s,
           {.doc = "Velocity at which the excess has fallen to 1/e",
            .unit = "rad/s",
            .lower = 0,
            .lower_open = true})
      .Add("load_coefficient", options.load_coefficient,
           {.doc =
                "Growth of Coulomb friction with the load: a fraction of the torque that links and "
                "rotor take",
            .lower = 0,
            .upper = kMostOfLoad});
  return table;
}

}  // namespace idbench
