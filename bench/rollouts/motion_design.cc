#include "bench/rollouts/motion_design.h"

#include <cstddef>
#include <deque>
#include <string>
#include <type_traits>

#include "bench/rollouts/motion_condition.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// What each member of a part's ShownParameters is, but the width of Coulomb friction.
void AddShown(const ShownParameters& shown, CanonicalText& text) {
  // All members: with a further one this no longer compiles.
  const auto& [equations, friction, columns, known, pi_covariance] = shown;
  const auto& [coulomb_width_rad_s, own_widths_rad_s] = friction;
  for (const auto& [kind, cut, rows] : equations) {
    text.Add("equation", kind).Add("cut", cut);
    for (const int row : rows) text.Add("row", row);
  }
  for (const double width : own_widths_rad_s) text.Add("own_width_rad_s", width);
  for (const int column : columns) text.Add("column", column);
  if (known.size() > 0) text.Add("known", known);
  if (pi_covariance.size() > 0) text.Add("pi_covariance", pi_covariance);
}

/// What of the robot an exciting motion depends on, beside its model's hash: parameters of the
/// torques that are limited, and spheres.
void AddLimitsOf(const Robot& robot, CanonicalText& text) {
  text.Add("pi", robot.FindSet("")->pi);
  // All members: with a further one this no longer compiles.
  const auto& [spheres, pairs, above_floor] = robot.model.collision();
  for (const auto& [name, link, p_LC_L, radius_m] : spheres) {
    text.Add("sphere", name).Add("link", link).Add("p_LC_L", p_LC_L).Add("radius_m", radius_m);
  }
  for (const auto& [one, other] : pairs) text.Add("one", one).Add("other", other);
  for (const int sphere : above_floor) text.Add("above_floor", sphere);
}

/// What a part is designed for.
class DesignOfPart {
 public:
  DesignOfPart(const Robot& robot, const ShownParameters& shown, int configuration)
      : robot_(robot),
        shown_(shown),
        dynamics_(robot.model, shown.friction, configuration),
        rows_(dynamics_, shown.equations, shown.columns) {}

  PartDesign Get() const {
    return {[this](const Motion& motion) { return MotionCondition(dynamics_, rows_, motion); },
            ExcitationSubject{robot_.model, dynamics_, rows_, robot_.FindSet("")->pi, shown_.known,
                              shown_.pi_covariance}};
  }

 private:
  const Robot& robot_;
  const ShownParameters& shown_;
  Dynamics dynamics_;
  RowRegressor rows_;
};

}  // namespace

std::string KeyOf(const MotionDesign& design) {
  // All members: with a further one this no longer compiles.
  const auto& [robot, options, tables, shown, seed, trial, configuration, given] = design;
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
  bool excites = false;
  ForEachPart(options, [&excites]<class Part>(const Part&, const std::string&) {
    excites |= std::is_same_v<Part, ExcitingMotionOptions>;
  });
  if (excites) AddLimitsOf(robot.robot(), text);
  for (const TimedTable& table : tables) {
    text.Add("time_s", table.time_s).Add("values", table.values);
  }
  for (const std::vector<MotionDesign>& of_part : given) {
    text.Add("given", of_part.size());
    for (const MotionDesign& other : of_part) text.Add("other", KeyOf(other));
  }
  return text.Hash();
}

MadeMotion Design(const MotionDesign& design,
                  const std::function<DesiredMotion(const MotionDesign&)>& make) {
  const Robot& robot = design.robot.robot();
  std::deque<DesignOfPart> parts;  // which stay where they are
  std::vector<PartDesign> designs;
  for (const ShownParameters& shown : design.shown) {
    designs.push_back(parts.emplace_back(robot, shown, design.configuration).Get());
  }
  std::size_t k = 0;
  ForEachPart(design.options, [&]<class Part>(const Part& part, const std::string&) {
    const std::size_t at = k++;
    if constexpr (std::is_same_v<Part, ExcitingMotionOptions>) {
      if (design.given.empty()) return;
      ExcitationSubject& subject = *designs[at].subject;
      for (const MotionDesign& other : design.given[at]) {
        const Eigen::MatrixXd taught = InformationOn(subject, *make(other).motion, part);
        if (subject.known.size() == 0) {
          subject.known = taught;
        } else {
          subject.known += taught;
        }
      }
    }
  });
  MadeMotion made;
  made.motion = MakeMotion(design.options, design.tables, robot.model, design.seed, design.trial,
                           designs, &made.histories);
  return made;
}

}  // namespace idbench
