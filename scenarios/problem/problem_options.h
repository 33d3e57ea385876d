#pragma once

#include <optional>
#include <string>
#include <vector>

#include "estimators/interface/problem.h"
#include "robots/dynamics/equations.h"
#include "robots/dynamics/parameters.h"
#include "robots/recording/aligned_view.h"
#include "robots/term_options.h"
#include "scenarios/options/fields.h"
#include "scenarios/problem/robot_options.h"

namespace idbench {

/// Options of a body with unknown mass and moments on a link of a known robot.
struct PayloadUnknownsOptions {
  std::string link;                             ///< "": the robot's last link.
  std::vector<double> com_m = {0.0, 0.0, 0.0};  ///< Its known centre of mass, in the link's frame.
  std::vector<double> mass_bounds_kg = {};      ///< Lower and upper.
  std::vector<double> moment_bounds_kgm2 = {};  ///< Lower and upper, for all three moments.
  double prior_range_fraction = 0.5;  ///< Position of the prior mean between lower and upper bound.
};
FieldTable Visit(PayloadUnknownsOptions& options);

/// Options of the unknowns.
struct ParametrisationOptions {
  std::string type = "base";
  std::vector<JointParameter> friction;  ///< Not kRotorInertia.
  bool rotor_inertia = false;
  /// Width w of tanh(q̇/w) in the Coulomb columns, of all joints or of each; 0 for sign(q̇). Absent:
  /// that of the simulated friction, or 0 for a recording.
  std::optional<PerJoint> coulomb_width_rad_s;
  // Bounds; SetBounds() says to what each applies.
  std::optional<double> lower_prior_factor;
  std::optional<double> upper_prior_factor;
  std::optional<PayloadUnknownsOptions> payload;  ///< For type "payload".
  std::optional<double> first_moment_reach_m;
  Labelled<std::vector<double>> bounds;

  /// Returns true if any bound is set.
  bool bounded() const;
  /// Returns the shape with that width.
  FrictionShape friction_shape() const;
};
FieldTable Visit(ParametrisationOptions& options);

/// An equation: the name of its kind alone, or an object where it has further options.
struct EquationOptions {
  Equation type = Equation::kTorque;
  std::string channel = "";     ///< That measures it; "" for that of the kind.
  std::string mount = "";       ///< Place that its rows are about; "" for that of the kind.
  std::string joints = "";      ///< Whose rows count, as a pattern (see ExpandPattern()); "": all.
  std::string components = "";  ///< Likewise, of a wrench.
  PerJoint dead_zone_rad_s = {};  ///< Least speeds at which rows count, see RowMask.
  DeadZoneOf dead_zone_of = DeadZoneOf::kRow;

  /// Returns whether rows may not count.
  bool has_dead_zone() const;

  bool operator==(const EquationOptions&) const = default;
};
FieldTable Visit(EquationOptions& options);
/// Returns the equation of a robot; nothing if it is at a place that the robot lacks.
///
/// Appends issues for joints or components that it has no rows for, and for one that is named
/// twice.
/// @param where  JSON pointer of `options`.
std::optional<PlacedEquation> PlacedEquationOf(const EquationOptions& options,
                                               const RobotModel& model, const std::string& where,
                                               std::vector<Issue>& issues);
template <>
struct Binding<EquationOptions> {
  static void Read(const Json& json, const std::string& pointer, const FieldInfo& info,
                   EquationOptions& value, std::vector<Issue>& issues);
  static void Write(const EquationOptions& value, Json& json);
  static void Schema(const FieldInfo& info, const EquationOptions& value, Json& schema);
};

/// Options of the problem that all estimators get.
struct ProblemOptions {
  ParametrisationOptions parametrisation;
  std::optional<PriorOptions> prior;
  std::vector<EquationOptions> equations = {{}};
  std::vector<TermOptions> terms = {};  ///< To estimate, beside those of `parametrisation`.
  AlignmentOptions alignment;
};
FieldTable Visit(ProblemOptions& options);
/// Returns the equations, each row once, in the order of a regressor's rows; without those at a
/// place that the robot lacks.
std::vector<PlacedEquation> EquationsOf(const ProblemOptions& options, const RobotModel& model);

}  // namespace idbench
