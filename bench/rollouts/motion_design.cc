#include "bench/rollouts/motion_design.h"

#include <cstddef>
#include <deque>

#include "bench/rollouts/motion_condition.h"
#include "scenarios/motion/motions.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// What each member of a part's ShownParameters is, but the width of Coulomb friction.
void AddShown(const ShownParameters& shown, CanonicalText& text) {
  // All members: with a further one this no longer compiles.
  const auto& [equations, friction, columns] = shown;
  const auto& [coulomb_width_rad_s, own_widths_rad_s] = friction;
  for (const auto& [kind, cut, rows] : equations) {
    text.Add("equation", kind).Add("cut", cut);
    for (const int row : rows) text.Add("row", row);
  }
  for (const double width : own_widths_rad_s) text.Add("own_width_rad_s", width);
  for (const int column : columns) text.Add("column", column);
}

/// Compares candidates of a part.
class ConditionOfPart {
 public:
  ConditionOfPart(const RobotModel& model, const ShownParameters& shown, int configuration)
      : dynamics_(model, shown.friction, configuration),
        rows_(dynamics_, shown.equations, shown.columns) {}

  double Of(const Motion& motion) const { return MotionCondition(dynamics_, rows_, motion); }

 private:
  Dynamics dynamics_;
  RowRegressor rows_;
};

}  // namespace

std::string KeyOf(const MotionDesign& design) {
  // All members: with a further one this no longer compiles.
  const auto& [robot, options, tables, shown, seed, trial, configuration] = design;
  CanonicalText text;
  text.Add("robot", robot.hash()).Add("options", WriteValue(options).dump());
  for (const ShownParameters& part : shown) {
    text.Add("coulomb_width_rad_s", part.friction.coulomb_width_rad_s);
  }
  text.Add("seed", seed).Add("trial", trial);
  for (std::size_t k = 0; k < shown.size(); ++k) {
    if (k > 0) text.Add("part", k);  // that of the first is left out, as of a motion alone
    AddShown(shown[k], text);
  }
  if (configuration != 0) text.Add("configuration", configuration);
  for (const TimedTable& table : tables) {
    text.Add("time_s", table.time_s).Add("values", table.values);
  }
  return text.Hash();
}

std::unique_ptr<const Motion> Design(const MotionDesign& design) {
  const RobotModel& model = design.robot.robot().model;
  std::deque<ConditionOfPart> conditions;  // which stay where they are
  std::vector<MotionCost> costs;
  for (const ShownParameters& shown : design.shown) {
    const ConditionOfPart& condition = conditions.emplace_back(model, shown, design.configuration);
    costs.emplace_back([&condition](const Motion& motion) { return condition.Of(motion); });
  }
  return MakeMotion(design.options, design.tables, model, design.seed, design.trial, costs);
}

}  // namespace idbench
