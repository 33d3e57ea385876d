#pragma once

#include <optional>
#include <string>
#include <vector>

#include "robots/dynamics/rows.h"
#include "robots/recording/aligned_view.h"
#include "scenarios/options/fields.h"
#include "scenarios/robot_options.h"

namespace idbench {

/// A body of unknown mass and moments on a link of a robot that is known.
struct PayloadUnknownsOptions {
  std::string link;                             ///< "": the robot's last one.
  std::vector<double> com_m = {0.0, 0.0, 0.0};  ///< Its known centre, in the link's frame.
  std::vector<double> mass_bounds_kg = {};      ///< Lower and upper.
  std::vector<double> moment_bounds_kgm2 = {};  ///< Of all three moments.
  double prior_range_fraction = 0.5;            ///< Prior mean, from lower to upper bound.
};
FieldTable Visit(PayloadUnknownsOptions& options);

/// What the unknowns are.
struct ParametrisationOptions {
  std::string type = "base";
  std::vector<std::string> friction;  ///< Of viscous, coulomb, offset.
  bool rotor_inertia = false;
  /// Width of tanh(q̇/w) in the Coulomb columns; 0 for sign(q̇). Absent: as the simulated friction,
  /// or 0 for a recording.
  std::optional<double> coulomb_width_rad_s;
  // Bounds; what they are of stands at SetBounds().
  std::optional<double> lower_prior_factor;
  std::optional<double> upper_prior_factor;
  std::optional<PayloadUnknownsOptions> payload;  ///< Of type "payload".
  std::optional<double> first_moment_reach_m;
  Labelled<std::vector<double>> bounds;

  bool bounded() const;
};
FieldTable Visit(ParametrisationOptions& options);

struct ProblemOptions {
  ParametrisationOptions parametrisation;
  std::optional<PriorOptions> prior;
  std::vector<std::string> equations = {"joint_torque"};
  AlignmentOptions alignment;
};
FieldTable Visit(ProblemOptions& options);
/// In the order in which regressors have them.
std::vector<Equation> EquationsOf(const ProblemOptions& options);

}  // namespace idbench
