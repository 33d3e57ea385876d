#include "bench/rollouts/motion_design.h"

#include <doctest/doctest.h>

#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bench/rollouts/motion_condition.h"
#include "bench/rollouts/planar_design_test.h"

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
  with([](MotionDesign& design) { design.options = RandomPointOptions{}; });
  with([](MotionDesign& design) {
    design.options = RandomPointOptions{.lag_rad_s = PerJoint{{8.0}}};
  });
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
  // Of a sequence each part shows its own, and it matters which.
  const FourierOptions fourier = std::get<FourierOptions>(planar.design.options);
  const auto with_parts = [&](std::vector<MotionPartOptions> parts, double blend_s,
                              const std::vector<std::vector<int>>& columns) {
    with([&](MotionDesign& design) {
      design.options = SequenceOptions{std::move(parts), blend_s};
      design.shown.clear();
      for (const std::vector<int>& of_part : columns) {
        design.shown.push_back({.columns = of_part});
      }
    });
  };
  FourierOptions longer = fourier;
  longer.duration_s = 2.0;
  with_parts({fourier, fourier}, 1.0, {{0, 1}, {2}});
  with_parts({fourier, fourier}, 1.0, {{0}, {1, 2}});
  with_parts({fourier, fourier}, 1.5, {{0}, {1, 2}});
  with_parts({fourier, longer}, 1.0, {{0}, {1, 2}});
  with_parts({longer, fourier}, 1.0, {{0}, {1, 2}});
  CHECK(keys.size() == 18);
  keys.insert(
      KeyOf({.robot = other, .options = planar.design.options, .shown = planar.design.shown}));
  CHECK(keys.size() == 19);
}

TEST_CASE("Spheres and parameters count in the key of a motion that they limit, and in no other") {
  const PlanarDesign planar;
  Robot spheres = planar.robot;
  CollisionModel collision = spheres.model.collision();
  collision.spheres.push_back({"more", 0, Eigen::Vector3d::Zero(), 0.1});
  spheres.model.SetCollision(collision);
  Robot heavier = planar.robot;
  heavier.sets[0].pi *= 1.1;
  heavier.nominal_set = heavier.sets[0].name;
  for (const bool exciting : {false, true}) {
    std::set<std::string> keys;
    for (const Robot* robot : {&planar.robot, &std::as_const(spheres), &std::as_const(heavier)}) {
      const HashedRobot hashed(*robot);
      MotionDesign design{
          .robot = hashed, .options = planar.design.options, .shown = planar.design.shown};
      if (exciting) design.options = ExcitingMotionOptions{};
      keys.insert(KeyOf(design));
    }
    CHECK(keys.size() == (exciting ? 3 : 1));
  }
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
  const double of_all = MotionCondition(dynamics, rows, *Design(design).motion);
  for (options.candidates = 1; options.candidates < 8; ++options.candidates) {
    design.options = options;
    CHECK(MotionCondition(dynamics, rows, *Design(design).motion) >= of_all);
  }
  CHECK(TextOf(*Design(planar.design).motion) == TextOf(*Design(planar.design).motion));
}

TEST_CASE("Random points are drawn by seed and trial, whatever they show") {
  const PlanarDesign planar;
  MotionDesign design = planar.design;
  design.options = RandomPointOptions{.duration_s = 5.0, .draw = Draw::kTrial};
  design.trial = 3;
  const std::string text = TextOf(*Design(design).motion);
  CHECK(TextOf(*Design(design).motion) == text);
  design.shown[0].columns.pop_back();
  CHECK(TextOf(*Design(design).motion) == text);
  design.trial = 4;
  CHECK(TextOf(*Design(design).motion) != text);
}

TEST_CASE("Each Fourier part of a sequence is designed by what it is to show itself") {
  const PlanarDesign planar;
  FourierOptions options = std::get<FourierOptions>(planar.design.options);
  options.candidates = 40;
  options.amplitude_fraction = 0.2;
  options.velocity_limits = options.acceleration_limits = false;
  const auto of = [&](const MotionOptions& motion, const std::vector<ShownParameters>& shown) {
    return Design({.robot = planar.hashed, .options = motion, .shown = shown}).motion;
  };
  const ShownParameters torque = planar.design.shown[0];
  const ShownParameters two_columns{.equations = {Equation::kTorque},
                                    .columns = {torque.columns[0], torque.columns[1]}};
  const auto by_torque = of(options, {torque}), by_two = of(options, {two_columns});
  REQUIRE(TextOf(*by_torque) != TextOf(*by_two));
  const auto sequence = of(SequenceOptions{{options, options}, 1.0}, {torque, two_columns});
  JointState state = JointState::Zero(2), expected = JointState::Zero(2);
  for (const double t : {0.0, 0.5, 0.75}) {
    sequence->Evaluate(t, state);
    by_torque->Evaluate(t, expected);
    CHECK(state.q == expected.q);
    sequence->Evaluate(1.0 + 1.0 + t, state);
    by_two->Evaluate(t, expected);
    CHECK(state.q == expected.q);
  }
}

}  // namespace
}  // namespace idbench
