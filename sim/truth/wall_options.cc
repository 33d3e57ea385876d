#include "sim/truth/wall_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "robots/pose_options.h"

namespace idbench {

FieldTable Visit(WallOptions& o) {
  FieldTable table;
  table
      .Add("link", o.link,
           {.doc = "Body of the model file, or attached body of the experiment's configuration, of "
                   "which a point can press against the wall",
            .required = true})
      .Add("point_m", o.point_m, {.doc = "That point, fixed in that body's frame", .unit = "m"})
      .Add("through_m", o.through_m,
           {.doc = "Point of the wall's plane, in the axes of the robot's base",
            .unit = "m",
            .required = true})
      .Add("normal", o.normal,
           {.doc = "Direction out of the wall, towards the robot, in the axes of its base; of any "
                   "length",
            .required = true})
      .Add("stiffness_n_m", o.stiffness_n_m,
           {.doc = "Force per depth behind the plane",
            .unit = "N/m",
            .lower = 0,
            .upper = 1e12,
            .lower_open = true,
            .required = true})
      .Add("damping_ns_m", o.damping_ns_m,
           {.doc = "Force per speed into the wall; it never pulls", .unit = "N·s/m", .lower = 0})
      .Add("friction", o.friction,
           {.doc = "Coefficient of Coulomb friction along the plane", .lower = 0})
      .Add("friction_width_m_s", o.friction_width_m_s,
           {.doc = "Width w of that friction, μF·v/√(v² + w²)",
            .unit = "m/s",
            .lower = 0,
            .lower_open = true})
      .Check([&o](std::vector<Issue>& issues) {
        CheckThree(o.point_m, "/point_m", issues);
        CheckThree(o.through_m, "/through_m", issues);
        CheckThree(o.normal, "/normal", issues);
        if (o.normal.size() != 3 ||
            std::ranges::any_of(o.normal, [](double x) { return x != 0.0; })) {
          return;
        }
        issues.push_back({"/normal", "is zero", {"give a direction, as [0, 0, 1]"}});
      });
  return table;
}

std::string Describe(const WallOptions& wall) {
  return fmt::format("a wall of {:g} N/m before {}", wall.stiffness_n_m, wall.link);
}

}  // namespace idbench
