#include "bench/rollouts/recipe.h"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "bench/rollouts/rollouts.h"
#include "robots/dynamics/dynamics.h"
#include "robots/plant/plant_error.h"
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
  SensorOptions shifting = noisy, drifting = noisy;
  shifting[kJointPosition].bias_shift_std = {{0.1, 0.0}};
  drifting[kJointPosition].drift_std = {{0.0, 0.1}};
  for (const FeedbackRecipe& feedback :
       {FeedbackRecipe{shifting, {1, 0, "a/feedback"}},
        FeedbackRecipe{drifting, {1, 0, "a/feedback"}}, FeedbackRecipe{{}, {1, 0, "a/feedback"}},
        FeedbackRecipe{noisy, {1, 0, "a/feedback"}}, FeedbackRecipe{{}, {2, 0, "a/feedback"}},
        FeedbackRecipe{{}, {1, 1, "a/feedback"}}, FeedbackRecipe{{}, {1, 0, "b/feedback"}}}) {
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
  for (const ReleaseOptions& release : {ReleaseOptions{1.0}, ReleaseOptions{1.0000000000000002},
                                        ReleaseOptions{1.0, ReleaseTorque::kGravity}}) {
    with([&](Recipe& recipe) { recipe.release = release; });
  }
  std::set<std::string> keys;
  for (const Recipe& recipe : recipes) keys.insert(KeyOf(recipe));
  CHECK(keys.size() == recipes.size());
}

TEST_CASE("Sensors without drift, shift and calibration error leave a key what it was") {
  const Ingredients of;
  Recipe recipe = of.Exact();
  recipe.feedback = FeedbackRecipe{{}, {1, 0, "a/feedback"}};
  recipe.feedback->sensors["wrench/ft"].noise_std = {{0.1}};
  const std::string key = KeyOf(recipe);
  // Of an error that is not there nothing is in the key, its correlation time either.
  for (const std::string_view channel :
       {std::string_view(kJointPosition), std::string_view("wrench/ft")}) {
    recipe.feedback->sensors[channel].drift_time_s = 3.0;
    CHECK(KeyOf(recipe) == key);
  }
  recipe.feedback->sensors["wrench/ft"].calibration_error = CalibrationErrorOptions{};
  CHECK(KeyOf(recipe) != key);
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

WayPointMotion HoldAt(double q1, double q2) { return {{Eigen::Vector2d(q1, q2)}, {}, 0.5}; }

/// planar2 without joint friction, or with Coulomb friction that wide, held and let go.
Signals LetGo(const Motion& motion, ReleaseTorque torque, double duration_s,
              std::optional<double> coulomb_width_rad_s = std::nullopt,
              std::optional<Environment> environment = std::nullopt) {
  const Robot robot = LoadRobot("planar2");
  const HashedRobot hashed(robot);
  TruthRecipe recipe{robot.FindSet("")->pi};
  if (coulomb_width_rad_s) {
    recipe.plant.coulomb_width_rad_s = *coulomb_width_rad_s;
    recipe.plant.friction_integration = FrictionIntegration::kExplicit;
  } else {
    const ParameterLayout layout(robot.model);
    recipe.pi.tail(recipe.pi.size() - layout.inertial_size()).setZero();
  }
  const CompiledTruth truth(hashed, recipe);
  return Simulate({.truth = truth,
                   .motion = motion,
                   .control = ComputedTorqueOptions{},
                   .control_pi = recipe.pi,
                   .rate_hz = 1000.0,
                   .environment = std::move(environment),
                   .release = ReleaseOptions{duration_s, torque}});
}

TEST_CASE("A robot that is let go without torque falls, and keeps its energy") {
  const Signals signals = LetGo(HoldAt(0.6, -0.3), ReleaseTorque::kNone, 1.0);
  REQUIRE(signals.time_s.size() == 1500);
  const Eigen::MatrixXd &tau = signals[kJointTorque], &q = signals[kJointPosition];
  const Eigen::Index first = (signals.time_s.array() < 0.5).count();
  CHECK(tau.bottomRows(1500 - first).isZero(0.0));
  // Held at rest by an exact model; rounding.
  CHECK((q.topRows(first).rowwise() - Eigen::RowVector2d(0.6, -0.3)).cwiseAbs().maxCoeff() < 1e-12);
  CHECK(tau.topRows(first).cwiseAbs().minCoeff() > 1e-3);
  // With T = q̇ᵀM·q̇/2 and g(q) = ∂V/∂q: the power of gravity is all that changes T.
  const Robot robot = LoadRobot("planar2");
  const Dynamics dynamics(robot.model, {});
  Dynamics::Scratch scratch(dynamics);
  Eigen::VectorXd pi = robot.FindSet("")->pi;
  pi.tail(pi.size() - ParameterLayout(robot.model).inertial_size()).setZero();
  double energy = 0.0, work = 0.0, last_power = 0.0;
  for (Eigen::Index k = first; k < q.rows(); ++k) {
    const Eigen::VectorXd qk = q.row(k), qd = signals[kJointVelocity].row(k),
                          zero = Eigen::VectorXd::Zero(2);
    Eigen::VectorXd g(2), with_qd(2);
    dynamics.InverseDynamics(pi, qk, zero, zero, scratch, g);
    dynamics.InverseDynamics(pi, qk, zero, qd, scratch, with_qd);
    const double now = 0.5 * qd.dot(with_qd - g), power = -qd.dot(g);
    if (k > first) work += 0.5 * (power + last_power) * (signals.time_s[k] - signals.time_s[k - 1]);
    if (k == first) energy = now;
    last_power = power;
    // The steps are semi-implicit: of q̇, half a step of the plant, 0.125 ms, times a power of up to
    // 100 W.
    CHECK(std::abs(now - energy - work) < 0.0125);
  }
  CHECK(work > 1.0);
}

TEST_CASE("The gravity torque of an exact model keeps a resting arm at rest") {
  const Signals signals = LetGo(HoldAt(0.6, -0.3), ReleaseTorque::kGravity, 1.0);
  const Eigen::MatrixXd& q = signals[kJointPosition];
  REQUIRE(q.rows() == 1500);
  // An equilibrium that is unstable by rounding alone.
  CHECK((q.rowwise() - Eigen::RowVector2d(0.6, -0.3)).cwiseAbs().maxCoeff() < 1e-12);
  CHECK(signals[kJointTorque].bottomRows(1000).cwiseAbs().minCoeff() > 1e-3);
}

TEST_CASE("A robot that was let go is moved by what touches it") {
  const Environment push{{{.link = 1, .force = {1, 0, 0}, .begin_s = 1.0, .hold_s = 0.1}}};
  const Signals signals =
      LetGo(HoldAt(0.6, -0.3), ReleaseTorque::kGravity, 1.0, std::nullopt, push);
  const Eigen::MatrixXd& q = signals[kJointPosition];
  const Eigen::Index before = (signals.time_s.array() <= 1.0).count();
  const Eigen::MatrixXd moved = (q.rowwise() - Eigen::RowVector2d(0.6, -0.3)).cwiseAbs();
  CHECK(moved.topRows(before).maxCoeff() < 1e-12);  // as without a touch
  // An impulse of 0.1 N·s at a lever of 0.4 m on 2 kg·m², 0.02 rad/s, for 0.4 s.
  CHECK(moved.bottomRows(1).maxCoeff() > 5e-3);
}

TEST_CASE("A robot that leaves its range has failed, and is told to have been let go") {
  CHECK_THROWS_WITH_AS(LetGo(HoldAt(2.7, 0.0), ReleaseTorque::kNone, 5.0),
                       doctest::Contains("; the controller let go at 0.5 s, and a shorter release "
                                         "ends before"),
                       PlantError);
}

TEST_CASE("Friction that would chatter where a robot falls to is refused, though it held still") {
  // At the elbow, with h·fc = 1.5e-4 and (M⁻¹)_22 from 5.3, where it is bent, to 10.4, straight:
  // the width has to be 8.0e-4 there, 1.6e-3 here.
  const double width = 0.0012;
  CHECK_NOTHROW(LetGo(HoldAt(0.0, 1.5), ReleaseTorque::kGravity, 0.5, width));
  CHECK_THROWS_WITH_AS(LetGo(HoldAt(0.0, 1.5), ReleaseTorque::kNone, 0.5, width),
                       doctest::Contains("would chatter"), PlantError);
}

}  // namespace
}  // namespace idbench
