#include "scenarios/problem/problem_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "scenarios/problem/parametrisations.h"

namespace idbench {
namespace {

/// What is wrong with a pair of bounds.
void CheckBounds(const std::vector<double>& bounds, const std::string& where,
                 std::vector<Issue>& issues) {
  if (bounds.size() == 2 && bounds[0] < bounds[1]) return;
  issues.push_back({where,
                    bounds.size() == 2 ? fmt::format("{} is not below {}", bounds[0], bounds[1])
                                       : fmt::format("got a list of {}", bounds.size()),
                    {"accepted here: the lower bound and the upper one"}});
}

std::vector<std::string> KindNames() {
  std::vector<std::string> names;
  for (const ParametrisationKind& kind : ParametrisationKinds()) names.emplace_back(kind.name);
  return names;
}

}  // namespace

FieldTable Visit(PayloadUnknownsOptions& o) {
  FieldTable table;
  table.Add("link", o.link, {.doc = "Link that carries the payload; empty: the last one"})
      .Add("com_m", o.com_m,
           {.doc = "Known centre of mass of the payload in the link's frame", .unit = "m"})
      .Add("mass_bounds_kg", o.mass_bounds_kg,
           {.doc = "Lower and upper bound of the payload's mass", .unit = "kg", .required = true})
      .Add("moment_bounds_kgm2", o.moment_bounds_kgm2,
           {.doc = "Lower and upper bound of the payload's moments of inertia about its centre of "
                   "mass, in axes parallel to the link's",
            .unit = "kg·m²",
            .required = true})
      .Add("prior_range_fraction", o.prior_range_fraction,
           {.doc = "Place of the prior mean between the bounds: 0 at the lower, 1 at the upper",
            .lower = 0.0,
            .upper = 1.0})
      .Check([&o](std::vector<Issue>& issues) {
        if (o.com_m.size() != 3) {
          issues.push_back({"/com_m",
                            fmt::format("got a list of {}", o.com_m.size()),
                            {"accepted here: x, y, z"}});
        }
        CheckBounds(o.mass_bounds_kg, "/mass_bounds_kg", issues);
        CheckBounds(o.moment_bounds_kgm2, "/moment_bounds_kgm2", issues);
      });
  return table;
}

FieldTable Visit(ParametrisationOptions& o) {
  FieldTable table;
  table.Add("type", o.type, {.doc = "Kind of the unknowns", .choices = KindNames()})
      .Add("friction", o.friction,
           {.doc = "Friction parameters to estimate for each joint",
            .choices = {"viscous", "coulomb", "offset"}})
      .Add("rotor_inertia", o.rotor_inertia, {.doc = "Estimate the rotor inertia of each joint"})
      .Add("coulomb_width_rad_s", o.coulomb_width_rad_s,
           {.doc = "Width w of tanh(q̇/w) in the Coulomb columns; 0: sign(q̇); null: that of the "
                   "simulated friction, or 0 for a recording",
            .unit = "rad/s",
            .lower = 0.0})
      .Add("lower_prior_factor", o.lower_prior_factor,
           {.doc = "Lower bound as a factor of the prior mean, for masses, moments of inertia, "
                   "viscous and Coulomb friction, rotor inertias and base parameters; null: none"})
      .Add("upper_prior_factor", o.upper_prior_factor,
           {.doc = "Upper bound as a factor of the prior mean, for the same unknowns; a product of "
                   "inertia then stays within half of the upper bound of the moment about the "
                   "third axis; null: none"})
      .Add("first_moment_reach_m", o.first_moment_reach_m,
           {.doc = "Distance that, times the body's prior mass, bounds the magnitude of each first "
                   "moment; null: no such bound",
            .unit = "m",
            .lower = 0.0,
            .lower_open = true})
      .Add("bounds", o.bounds,
           {.doc = "Lower and upper bound by the name of an unknown (link3.mcx), or of a kind of "
                   "unknown (fc); they replace the bounds above"})
      .Add("payload", o.payload,
           {.doc = "Unknown body on a link of the robot, for the type \"payload\"; the robot "
                   "itself is as the prior's set says"})
      .Check([&o](std::vector<Issue>& issues) {
        for (const auto& [which, bounds] : o.bounds) {
          if (bounds.size() == 2 && bounds[0] < bounds[1]) continue;
          issues.push_back({PointerTo("/bounds", which),
                            "is not a lower and an upper bound",
                            {"accepted here: a list of two numbers that increase"}});
        }
        if (o.lower_prior_factor && o.upper_prior_factor &&
            *o.lower_prior_factor >= *o.upper_prior_factor) {
          issues.push_back({"/lower_prior_factor", "is not below upper_prior_factor", {}});
        }
      });
  return table;
}

bool ParametrisationOptions::bounded() const {
  return lower_prior_factor || upper_prior_factor || first_moment_reach_m || !bounds.empty();
}

FieldTable Visit(ProblemOptions& o) {
  FieldTable table;
  table.Add("parametrisation", o.parametrisation, {.doc = "Unknowns to estimate, and their bounds"})
      .Add("prior", o.prior, {.doc = "Knowledge of the robot before any data; null: none"})
      .Add("equations", o.equations,
           {.doc = "Equations that the estimators set up for each sample",
            .choices = {"joint_torque", "base_wrench", "end_effector_wrench", "joint_position",
                        "joint_velocity"}})
      .Add("alignment", o.alignment,
           {.doc = "Treatment of channels that were not sampled together"})
      .Check([&o](std::vector<Issue>& issues) {
        if (o.equations.empty()) {
          issues.push_back({"/equations",
                            "is empty",
                            {"accepted here: joint_torque, base_wrench, end_effector_wrench, "
                             "joint_position, joint_velocity"}});
        }
      });
  return table;
}

std::vector<Equation> EquationsOf(const ProblemOptions& options) {
  const auto has = [&options](std::string_view name) {
    return std::ranges::find(options.equations, name) != options.equations.end();
  };
  std::vector<Equation> equations;
  if (has("joint_torque")) equations.push_back(Equation::kTorque);
  if (has("base_wrench")) equations.push_back(Equation::kWrench);
  if (has("end_effector_wrench")) equations.push_back(Equation::kEndEffector);
  if (has("joint_position")) equations.push_back(Equation::kPosition);
  if (has("joint_velocity")) equations.push_back(Equation::kVelocity);
  return equations;
}

}  // namespace idbench
