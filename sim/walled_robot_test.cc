#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "robots/plant/plant_error.h"
#include "robots/temporary_folder_test.h"
#include "sim/mujoco_robot.h"
#include "sim/truth/compile_truth.h"
#include "sim/truth/environment.h"

/// Simulations of robots that press against walls.
namespace idbench {
namespace {

constexpr double kMass = 2.0;  // [kg]
constexpr double kFreeFall = 9.81;

/// A block of 2 kg that slides along x and z, with gravity along −z.
Robot Block(const TemporaryFolder& folder) {
  return LoadRobot(folder.Write("block.xml", R"(<mujoco><option gravity="0 0 -9.81"/><worldbody>
      <body name="rail"><joint name="x" type="slide" axis="1 0 0"/>
        <inertial pos="0 0 0" mass="1e-6" diaginertia="1e-6 1e-6 1e-6"/>
        <body name="block"><joint name="z" type="slide" axis="0 0 1"/>
          <inertial pos="0 0 0" mass="2" diaginertia="0.01 0.01 0.01"/></body>
      </body></worldbody></mujoco>)"));
}

/// A floor at z = 0 below the block.
Environment FloorOf(double stiffness, double damping, double friction, double width = 1e-3) {
  return {.walls = {{.name = "wall 0",
                     .link = 1,
                     .stiffness = stiffness,
                     .damping = damping,
                     .friction = friction,
                     .friction_width = width}}};
}

/// The block, let go from a state under constant torques.
class Fall {
 public:
  /// @param rail_n  Coulomb friction of the joint along x [N].
  explicit Fall(const Environment& environment, const MujocoPlantOptions& options = {},
                double rail_n = 0.0)
      : truth_(CompileTruth(Block(folder_), PiOf(Block(folder_), rail_n), options)),
        robot_({truth_, &environment}),
        sample_{0.0, JointState::Zero(2), Eigen::VectorXd::Zero(2)} {}

  void Begin(const Eigen::Vector2d& q, const Eigen::Vector2d& qd) { robot_.Reset(q, qd); }
  const TrueSample& Step(double push_n = 0.0) {
    robot_.Step(Eigen::Vector2d(push_n, 0.0), sample_);
    return sample_;
  }
  /// Steps until the time has passed. @return the last sample.
  const TrueSample& Run(double duration_s, double push_n = 0.0) {
    const auto steps = std::lround(duration_s / robot_.step_s());
    for (long step = 0; step < steps; ++step) Step(push_n);
    return sample_;
  }

 private:
  static Eigen::VectorXd PiOf(const Robot& block, double rail_n) {
    Eigen::VectorXd pi = block.FindSet("")->pi;
    pi[ParameterLayout(2).Joint(0, JointParameter::kCoulomb)] = rail_n;
    return pi;
  }

  TemporaryFolder folder_;
  TrueRobot truth_;
  MujocoRobot robot_;
  TrueSample sample_;
};

TEST_CASE(
    "A block on a floor without damping bounces back to its height; with it, it comes to rest") {
  const Environment elastic = FloorOf(8000.0, 0.0, 0.0);
  Fall bouncing(elastic);
  bouncing.Begin({0.0, 0.1}, {0.0, 0.0});
  double deepest = 0.0, highest = 0.0;
  bool was_below = false;
  for (int step = 0; step < 1600; ++step) {  // 0.4 s: down, up and down again
    const double z = bouncing.Step().state.q(1);
    deepest = std::min(deepest, z);
    was_below |= z < 0.0;
    if (was_below) highest = std::max(highest, z);
  }
  // ½kd² = mg(z₀ + d)
  const double weight = kMass * kFreeFall;
  const double d = (weight + std::sqrt(weight * weight + 2.0 * 8000.0 * weight * 0.1)) / 8000.0;
  CHECK(-deepest == doctest::Approx(d).epsilon(0.005));
  CHECK(highest == doctest::Approx(0.1).epsilon(0.005));
  const Environment damped = FloorOf(8000.0, 200.0, 0.0);
  Fall settling(damped);
  settling.Begin({0.0, 0.1}, {0.0, 0.0});
  const TrueSample& rest = settling.Run(2.0);
  CHECK(rest.state.q(1) == doctest::Approx(-weight / 8000.0).epsilon(1e-9));
  CHECK(std::abs(rest.state.qd(1)) < 1e-9);
}

TEST_CASE("Samples have the force of the wall at their state") {
  const Environment floor = FloorOf(8000.0, 60.0, 0.3);
  Fall fall(floor);
  fall.Begin({0.0, 0.0}, {0.5, -0.2});
  int pressed = 0;
  for (int step = 0; step < 400; ++step) {
    const TrueSample& sample = fall.Step(1.0);
    const double depth = -sample.state.q(1);
    const double F = depth > 0.0 ? std::max(0.0, 8000.0 * depth - 60.0 * sample.state.qd(1)) : 0.0;
    pressed += F > 0.0;
    const double v = sample.state.qd(0);
    const double friction = 0.3 * F * v / std::hypot(v, 1e-3);
    CHECK(sample.state.qdd(1) == doctest::Approx(F / kMass - kFreeFall).epsilon(1e-9));
    CHECK(sample.state.qdd(0) == doctest::Approx((1.0 - friction) / (kMass + 1e-6)).epsilon(1e-9));
  }
  CHECK(pressed > 100);
}

TEST_CASE("Friction slows a block by μg and holds it without chatter, however narrow it is") {
  const double weight = kMass * kFreeFall;
  for (const double width : {1e-3, 1e-8}) {
    CAPTURE(width);
    const Environment floor = FloorOf(8000.0, 200.0, 0.3, width);
    Fall fall(floor);
    fall.Begin({0.0, -weight / 8000.0}, {0.5, 0.0});
    const double after = fall.Run(0.1).state.qd(0);
    CHECK(after == doctest::Approx(0.5 - 0.3 * kFreeFall * 0.1).epsilon(0.005));
    fall.Run(0.4);
    double fastest = 0.0, backwards = 0.0;
    for (int step = 0; step < 400; ++step) {  // pushed by half of what friction can hold
      const double v = fall.Step(0.15 * weight).state.qd(0);
      fastest = std::max(fastest, v);
      backwards = std::min(backwards, v);
    }
    // It creeps with v/√(v² + w²) = ½.
    CHECK(fastest <= 0.6 * width);
    CHECK(backwards >= -0.1 * width);
  }
}

TEST_CASE("A contact that is too stiff for the step is refused with the step that does") {
  const Environment hard = FloorOf(2e7, 0.0, 0.0);
  const auto press = [&](double step_s) {
    Fall fall(hard, {.timestep_s = step_s});
    fall.Begin({0.0, 1e-4}, {0.0, 0.0});
    fall.Run(0.02);
  };
  // ½/√(k/m)
  const double longest_s = 0.5 / std::sqrt(2e7 / kMass);
  std::string message;
  try {
    press(0.00025);
  } catch (const PlantError& error) {
    message = error.what();
  }
  CAPTURE(message);
  CHECK(message.find("wall 0 is too stiff for the step") != std::string::npos);
  CHECK(message.find(fmt::format("at most {:.3g} s does", longest_s)) != std::string::npos);
  CHECK_NOTHROW(press(0.99 * longest_s));
}

TEST_CASE("A contact whose damping ends in a step is refused with the step that resolves it") {
  const Environment stiff = FloorOf(8000.0, 4000.0, 0.0);
  const auto press = [&](double step_s) {
    Fall fall(stiff, {.timestep_s = step_s});
    fall.Begin({0.0, 1e-4}, {0.0, 0.0});
    fall.Run(0.02);
  };
  const double longest_s = 0.5 * kMass / 4000.0;
  CHECK_THROWS_WITH_AS(
      press(0.001),
      doctest::Contains(fmt::format("timestep_s is 0.001 s, at most {:.3g} s does; or take a "
                                    "smaller damping_ns_m",
                                    longest_s)
                            .c_str()),
      PlantError);
  CHECK_NOTHROW(press(0.99 * longest_s));
}

TEST_CASE("An experiment that begins inside a wall is refused, one that begins pressed is not") {
  const Environment floor = FloorOf(8000.0, 60.0, 0.0);
  Fall fall(floor);
  fall.Begin({0.0, -0.3}, {0.0, 0.0});
  CHECK_THROWS_WITH_AS(
      fall.Step(),
      "the experiment begins 0.3 m inside wall 0, whose spring pushes with 2.4e+03 N: does its "
      "normal point towards the robot?",
      PlantError);
  fall.Begin({0.0, -0.004}, {0.0, 0.0});
  CHECK_NOTHROW(fall.Step());
  const Environment hard = FloorOf(1e5, 60.0, 0.0);
  Fall pressed(hard);
  pressed.Begin({0.0, -0.004}, {0.0, 0.0});
  CHECK_THROWS_AS(pressed.Step(), PlantError);
}

TEST_CASE("Implicit friction of joints and that of a wall are found together") {
  // Both so narrow that either of them alone, taken at a step's beginning, would chatter.
  constexpr double kRail = 2.0, kSlipWidth = 1e-6;
  const double weight = kMass * kFreeFall;
  const Environment floor = FloorOf(8000.0, 200.0, 0.3, kSlipWidth);
  Fall fall(
      floor,
      {.coulomb_width_rad_s = kSlipWidth, .friction_integration = FrictionIntegration::kImplicit},
      kRail);
  fall.Begin({0.0, -weight / 8000.0}, {0.5, 0.0});
  const double slowing = (0.3 * weight + kRail) / kMass;
  const TrueSample& after = fall.Run(0.1);
  const double expected = 0.5 - slowing * after.t;
  // The secant takes the wall's friction μg·v⁺/v of a step h: Σ h·μg·(1 − v⁺/v) = h·μg·ln(v₀/v).
  const double lost = 0.00025 * 0.3 * kFreeFall * std::log(0.5 / expected);
  CHECK(std::abs(after.state.qd(0) - expected) < 2.0 * lost);
  fall.Run(0.4);
  for (int step = 0; step < 400; ++step) {  // pushed by half of what both can hold
    const double v = fall.Step(0.5 * (0.3 * weight + kRail)).state.qd(0);
    REQUIRE(v > -0.1 * kSlipWidth);
    REQUIRE(v < kSlipWidth);
  }
}

TEST_CASE("Walls are refused with an integrator that cannot take their damping at its end") {
  const TemporaryFolder folder;
  const Robot block = Block(folder);
  const TrueRobot truth = CompileTruth(block, block.FindSet("")->pi, {.integrator = "RK4"});
  const Environment floor = FloorOf(8000.0, 0.0, 0.0);
  CHECK_THROWS_AS(MujocoRobot({truth, &floor}), std::invalid_argument);
}

}  // namespace
}  // namespace idbench
