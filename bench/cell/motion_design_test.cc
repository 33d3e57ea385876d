#include "bench/cell/motion_design.h"

#include <doctest/doctest.h>

#include <functional>
#include <set>

#include "bench/cell/motion_condition.h"
#include "bench/cell/planar_design_test.h"

namespace idbench {
namespace {

TEST_CASE("Whatever decides a motion is in its key") {
  const PlanarDesign planar;
  Robot renamed = planar.robot;
  renamed.name = "another";
  const HashedRobot other(renamed);
  std::set<std::string> keys = {KeyOf(planar.design)};
  const auto with = [&](const std::function<void(MotionDesign&)>& change) {
    MotionDesign design = planar.design;
    change(design);
    keys.insert(KeyOf(design));
  };
  with([](MotionDesign& design) { design.options = WayPointOptions{}; });
  with([](MotionDesign& design) { std::get<FourierOptions>(design.options).candidates = 4; });
  with([](MotionDesign& design) {
    design.tables = {{Eigen::Vector2d(0, 1), Eigen::Matrix2d::Zero()}};
  });
  with([](MotionDesign& design) { design.shown[0].equations = {Equation::kWrench}; });
  with([](MotionDesign& design) { design.shown[0].equations.emplace_back(Equation::kWrench); });
  with([](MotionDesign& design) { design.shown[0].friction.coulomb_width_rad_s = 0.1; });
  with([](MotionDesign& design) { design.shown[0].friction.own_widths_rad_s = {0.1, 0.1}; });
  with([](MotionDesign& design) { design.shown[0].columns.pop_back(); });
  with([](MotionDesign& design) { design.seed = 2; });
  with([](MotionDesign& design) { design.trial = 3; });
  CHECK(keys.size() == 11);
  keys.insert(
      KeyOf({.robot = other, .options = planar.design.options, .shown = planar.design.shown}));
  CHECK(keys.size() == 12);
}

TEST_CASE("The motion of a design is the candidate that tells its columns apart best") {
  const PlanarDesign planar;
  FourierOptions options = std::get<FourierOptions>(planar.design.options);
  options.candidates = 8;
  MotionDesign design = planar.design;
  design.options = options;
  const ShownParameters& shown = design.shown[0];
  const Dynamics dynamics(planar.robot.model, shown.friction);
  const RowRegressor rows(dynamics, shown.equations, shown.columns);
  const double of_all = MotionCondition(dynamics, rows, *Design(design));
  for (options.candidates = 1; options.candidates < 8; ++options.candidates) {
    design.options = options;
    CHECK(MotionCondition(dynamics, rows, *Design(design)) >= of_all);
  }
  CHECK(TextOf(*Design(planar.design)) == TextOf(*Design(planar.design)));
}

}  // namespace
}  // namespace idbench
