#include "sim/truth/mujoco_options.h"

namespace idbench {

FieldTable Visit(MujocoPlantOptions& options) {
  FieldTable table;
  table
      .Add("timestep_s", options.timestep_s,
           {.doc = "Simulation step; the rates of sensors and controllers must divide its inverse",
            .unit = "s",
            .lower = 0,
            .upper = 0.1,
            .lower_open = true})
      .Add("integrator", options.integrator,
           {.doc = "MuJoCo's integrator; with implicit and RK4 the velocity changes by slightly "
                   "more or less than the recorded acceleration says; RK4 follows open-loop torque "
                   "within a step, all others hold it",
            .choices = {"implicitfast", "Euler", "implicit", "RK4", "discrete"}})
      .Add(
          "coulomb_width_rad_s", options.coulomb_width_rad_s,
          {.doc = "Width w of the true Coulomb friction fc·tanh(q̇/w), in m/s for a prismatic joint",
           .unit = "rad/s",
           .lower = 0,
           .lower_open = true})
      .Add("friction_integration", options.friction_integration,
           {.doc = "Friction of a step: that of the velocity before it (explicit), which "
                   "chatters at light joints, or after it (implicit), stable for any step and "
                   "width, with the integrators implicitfast, Euler and discrete; recorded torques "
                   "and accelerations satisfy the model in both cases"})
      .Add("max_steps", options.max_steps,
           {.doc = "Greatest number of steps; an experiment that takes more fails", .lower = 1});
  return table;
}

bool HasSemiImplicitStep(const MujocoPlantOptions& options) {
  return options.integrator != "RK4" && options.integrator != "implicit";
}

}  // namespace idbench
