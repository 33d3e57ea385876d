#include "bench/cell/motion_design.h"

#include "bench/cell/motion_condition.h"
#include "scenarios/motion/motions.h"
#include "scenarios/options/json.h"

namespace idbench {

std::string KeyOf(const MotionDesign& design) {
  // All members: with a further one this no longer compiles.
  const auto& [robot, options, table, shown, seed, trial, configuration] = design;
  const auto& [equations, friction, columns] = shown;
  const auto& [coulomb_width_rad_s, own_widths_rad_s] = friction;
  CanonicalText text;
  text.Add("robot", robot.hash())
      .Add("options", WriteValue(options).dump())
      .Add("coulomb_width_rad_s", coulomb_width_rad_s)
      .Add("seed", seed)
      .Add("trial", trial);
  for (const auto& [kind, cut, rows] : equations) {
    text.Add("equation", kind).Add("cut", cut);
    for (const int row : rows) text.Add("row", row);
  }
  for (const double width : own_widths_rad_s) text.Add("own_width_rad_s", width);
  for (const int column : columns) text.Add("column", column);
  if (configuration != 0) text.Add("configuration", configuration);
  if (table) text.Add("time_s", table->time_s).Add("values", table->values);
  return text.Hash();
}

std::unique_ptr<const Motion> Design(const MotionDesign& design) {
  const RobotModel& model = design.robot.robot().model;
  const Dynamics dynamics(model, design.shown.friction, design.configuration);
  const RowRegressor rows(dynamics, design.shown.equations, design.shown.columns);
  return MakeMotion(design.options, design.table, model, design.seed, design.trial,
                    [&](const Motion& motion) { return MotionCondition(dynamics, rows, motion); });
}

}  // namespace idbench
