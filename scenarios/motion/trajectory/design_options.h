#pragma once

#include <vector>

#include "robots/dynamics/equations.h"
#include "robots/dynamics/parameters.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// By what the candidates of a designed motion are compared: by how well these equations tell the
/// base parameters of the robot and of its joints apart. It belongs to the motion and not to the
/// problem, so that what is swept there does not change how the robot moves.
struct DesignOptions {
  std::vector<Equation> equations = {Equation::kTorque};  ///< Not of cuts, drives or states.
  std::vector<JointParameter> friction = {};              ///< Without rotor inertia.
  bool rotor_inertia = false;
  double coulomb_width_rad_s = 0.0;  ///< See FrictionShape.

  bool operator==(const DesignOptions&) const = default;

  /// Returns the equations, each once and in the order of rows.
  std::vector<PlacedEquation> placed_equations() const;
  /// Returns what it asks of joints, in the order of JointParameter.
  std::vector<JointParameter> joint_parameters() const;
};
/// The table refuses other equations, none, and rotor inertia among friction.
FieldTable Visit(DesignOptions& options);

}  // namespace idbench
