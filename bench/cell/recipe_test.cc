#include "bench/cell/recipe.h"

#include <doctest/doctest.h>

#include <functional>
#include <set>
#include <vector>

#include "bench/cell/rollouts.h"
#include "scenarios/motion/trajectory/fourier.h"
#include "scenarios/motion/trajectory/way_points.h"

namespace idbench {
namespace {

FourierMotion Sway(double amplitude) {
  return {{.base_frequency_hz = 0.5,
           .q0 = Eigen::Vector2d(0.1, -0.2),
           .a = Eigen::Vector2d(amplitude, -0.3),
           .b = Eigen::Vector2d(0.0, 0.4)},
          0.5};
}

/// What recipes of planar2 refer to.
struct Ingredients {
  Robot robot = LoadRobot("planar2");
  HashedRobot hashed{robot};
  CompiledTruth truth{hashed, {robot.FindSet("")->pi}};
  FourierMotion motion = Sway(0.5);

  Recipe Exact() const { return {truth, motion, ExactReplayOptions{}}; }
};

TEST_CASE("Whatever decides a roll-out is in its key") {
  const Ingredients of;
  const FourierMotion other_motion = Sway(0.5000000000000001);
  TruthRecipe heavy = of.truth.recipe();
  heavy.pi[10] *= 1.0000000000000002;
  const CompiledTruth other_truth(of.hashed, heavy);
  const TimedTable torque{Eigen::Vector2d(0.0, 1.0), Eigen::Matrix2d::Zero()};

  std::vector<Recipe> recipes = {of.Exact(),
                                 {other_truth, of.motion, ExactReplayOptions{}},
                                 {of.truth, other_motion, ExactReplayOptions{}},
                                 {of.truth, of.motion, ComputedTorqueOptions{}},
                                 {of.truth, of.motion, PdGravityOptions{}}};
  const auto with = [&](const std::function<void(Recipe&)>& change) {
    Recipe recipe = of.Exact();
    change(recipe);
    recipes.push_back(recipe);
  };
  with([](Recipe& recipe) { recipe.control_pi = Eigen::VectorXd::Zero(3); });
  with([](Recipe& recipe) { recipe.rate_hz = 200.0; });
  for (const SignalSource& source : SignalSources()) {
    with([&source](Recipe& recipe) { recipe.signals = {&source}; });
  }
  with([&](Recipe& recipe) { recipe.torque = torque; });
  with([&](Recipe& recipe) {
    recipe.torque = torque;
    recipe.torque->values(1, 1) = 0.1;
  });
  SensorOptions noisy;
  noisy[kJointPosition].noise_std = {{0.1, 0.1}};
  for (const FeedbackRecipe& feedback :
       {FeedbackRecipe{{}, {1, 0, "a/feedback"}}, FeedbackRecipe{noisy, {1, 0, "a/feedback"}},
        FeedbackRecipe{{}, {2, 0, "a/feedback"}}, FeedbackRecipe{{}, {1, 1, "a/feedback"}},
        FeedbackRecipe{{}, {1, 0, "b/feedback"}}}) {
    with([&](Recipe& recipe) { recipe.feedback = feedback; });
  }
  // No environment, one in which nothing touches, and touches that differ in one thing each.
  const Touch touch{.link = 1, .force = {1, 0, 0}, .ramp_s = 0.1, .hold_s = 0.2};
  std::vector<Environment> environments = {{}, {{touch}}, {{touch, touch}}};
  const auto with_touch = [&](const std::function<void(Touch&)>& change) {
    environments.push_back({{touch}});
    change(environments.back().touches[0]);
  };
  with_touch([](Touch& other) { other.link = 0; });
  with_touch([](Touch& other) { other.beyond_cuts = true; });
  with_touch([](Touch& other) { other.p_LT_L[2] = 1e-300; });
  with_touch([](Touch& other) { other.force[0] = 1.0000000000000002; });
  with_touch([](Touch& other) { other.axes = ForceAxes::kBase; });
  with_touch([](Touch& other) { other.shape = TouchShape::kHalfSine; });
  with_touch([](Touch& other) { other.begin_s = 1e-300; });
  with_touch([](Touch& other) { other.ramp_s = 0.2; });
  with_touch([](Touch& other) { other.hold_s = 0.1; });
  for (const Environment& environment : environments) {
    with([&](Recipe& recipe) { recipe.environment = environment; });
  }
  std::set<std::string> keys;
  for (const Recipe& recipe : recipes) keys.insert(KeyOf(recipe));
  CHECK(keys.size() == recipes.size());
}

TEST_CASE("The key asks for values, not for the objects that hold them") {
  const Ingredients one, two;
  CHECK(KeyOf(one.Exact()) == KeyOf(two.Exact()));
  RolloutStore store;
  const Signals& signals = store.Get(one.Exact());
  CHECK(&store.Get(two.Exact()) == &signals);
  CHECK(signals[kJointPosition].rows() == 50);
  Recipe faster = one.Exact();
  faster.rate_hz = 200.0;
  CHECK(store.Get(faster)[kJointPosition].rows() == 100);
}

TEST_CASE("A roll-out has the bits of the simulation that its recipe describes") {
  const Ingredients of;
  const Signals exact = Simulate(of.Exact());
  CHECK(exact[kJointTorque] == Simulate(of.Exact())[kJointTorque]);
  // The sway's state at 0.1 s, tenth sample.
  JointState state = JointState::Zero(2);
  of.motion.Evaluate(0.1, state);
  CHECK(exact[kJointPosition].row(10).transpose() == state.q);
  Recipe controlled{of.truth, of.motion, ComputedTorqueOptions{}};
  controlled.control_pi = of.truth.recipe().pi;
  const Signals followed = Simulate(controlled);
  CHECK((followed[kJointPosition] - exact[kJointPosition]).cwiseAbs().maxCoeff() <
        5e-3);  // sampled half a hold later
  CHECK(followed[kJointPosition] != exact[kJointPosition]);
}

}  // namespace
}  // namespace idbench
