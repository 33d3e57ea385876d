#include "scenarios/motion/trajectory/random_points.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "robots/plant/plant_error.h"
#include "robots/random/random_stream.h"
#include "scenarios/motion/limited_robot_test.h"
#include "scenarios/motion/state_at_test.h"

namespace idbench {
namespace {

/// Of an arm whose elbow has no limits of speed; the shoulder has 1 rad/s and 4 rad/s².
RandomPointOptions Wander(double duration_s = 200.0) {
  RandomPointOptions options{.duration_s = duration_s, .move_s = {1.2, 2.2}};
  options.lower_rad = PerJoint{{-0.5, 0.2}};
  options.upper_rad = PerJoint{{0.5, 1.0}};
  return options;
}

RandomPointOptions Lagged(double duration_s = 60.0) {
  RandomPointOptions options = Wander(duration_s);
  options.lag_rad_s = PerJoint{{8.0, 12.0}};
  options.lag_damping_ratio = PerJoint{{0.5}};
  return options;
}

PointToPointMotion Drawn(const RandomPointOptions& options, std::uint64_t seed = 1,
                         std::int64_t trial = 0) {
  return DrawRandomPoints(LimitedRobot(), options, seed, trial);
}

std::string RefusedDraw(const RandomPointOptions& options, std::uint64_t seed = 1) {
  try {
    Drawn(options, seed);
  } catch (const PlantError& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("Points, moves and rests fill the spans that are asked for, and the duration") {
  RandomPointOptions options = Wander(4000.0);
  options.velocity_limits = options.acceleration_limits = false;
  const PointToPointMotion motion = Drawn(options);
  CHECK(motion.duration_s() == 4000.0);
  Eigen::VectorXd least = motion.begin(), most = motion.begin();
  double time_s = 0.0, shortest = 9.0, longest = 0.0, briefest = 9.0, largest = 0.0;
  for (const PointMove& move : motion.moves()) {
    CHECK(time_s < 4000.0);
    least = least.cwiseMin(move.to);
    most = most.cwiseMax(move.to);
    shortest = std::min(shortest, move.move_s);
    longest = std::max(longest, move.move_s);
    briefest = std::min(briefest, move.dwell_s);
    largest = std::max(largest, move.dwell_s);
    time_s += move.move_s + move.dwell_s;
  }
  CHECK(time_s >= 4000.0);
  // Of about 1800 uniform draws the outermost lie within 1 % of the ends, but for 2·e^−18.
  CHECK((least - Eigen::Vector2d(-0.5, 0.2)).minCoeff() >= 0.0);
  CHECK((least - Eigen::Vector2d(-0.5, 0.2)).maxCoeff() < 0.01);
  CHECK((Eigen::Vector2d(0.5, 1.0) - most).minCoeff() >= 0.0);
  CHECK((Eigen::Vector2d(0.5, 1.0) - most).maxCoeff() < 0.01);
  for (const auto& [low, high, lower, upper] :
       {std::array{shortest, longest, 1.2, 2.2}, std::array{briefest, largest, 0.2, 0.8}}) {
    CHECK(low >= lower);
    CHECK(low < lower + 0.01);
    CHECK(high <= upper);
    CHECK(high > upper - 0.01);
  }
}

TEST_CASE("Without bounds, points lie in the middle of each joint's range") {
  RandomPointOptions options{.duration_s = 500.0, .range_fraction = 0.5};
  options.velocity_limits = options.acceleration_limits = false;
  options.upper_rad = PerJoint{{-0.5, 0.0}};
  Eigen::VectorXd least = Eigen::Vector2d::Zero(), most = Eigen::Vector2d::Constant(-9.0);
  const PointToPointMotion motion = Drawn(options);
  for (const PointMove& move : motion.moves()) {
    least = least.cwiseMin(move.to);
    most = most.cwiseMax(move.to);
  }
  // Half of ±2 and ±3, up to what is stated; 5 % are left out of one in 250 draws but for e^−12.
  CHECK(least[0] >= -1.0);
  CHECK(least[0] < -0.97);
  CHECK(least[1] >= -1.5);
  CHECK(least[1] < -1.4);
  CHECK(most[0] <= -0.5);
  CHECK(most[0] > -0.53);
}

TEST_CASE("One of the named joints moves by the least step, whatever the others do") {
  RandomPointOptions options = Wander();
  options.velocity_limits = options.acceleration_limits = false;
  options.least_step_rad = 0.35;
  const auto steps = [](const PointToPointMotion& motion, int joint) {
    Eigen::VectorXd from = motion.begin();
    std::vector<double> sizes;
    for (const PointMove& move : motion.moves()) {
      sizes.push_back(std::abs(move.to[joint] - from[joint]));
      from = move.to;
    }
    return sizes;
  };
  const PointToPointMotion any = Drawn(options);
  const std::vector<double> shoulder = steps(any, 0), elbow = steps(any, 1);
  for (std::size_t k = 0; k < shoulder.size(); ++k) CHECK(std::max(shoulder[k], elbow[k]) >= 0.35);
  CHECK(std::ranges::min(shoulder) < 0.1);
  CHECK(std::ranges::min(elbow) < 0.1);
  options.least_step_joints = "elbow";
  const PointToPointMotion named = Drawn(options);
  CHECK(std::ranges::min(steps(named, 1)) >= 0.35);
  CHECK(std::ranges::min(steps(named, 0)) < 0.1);
}

TEST_CASE("Moves that break a limit are drawn anew, and all others are those without limits") {
  RandomPointOptions options = Wander();
  const PointToPointMotion kept = Drawn(options);
  options.velocity_limits = options.acceleration_limits = false;
  const PointToPointMotion free = Drawn(options);
  const auto peaks = [](const PointToPointMotion& motion) {
    Eigen::Vector2d most = Eigen::Vector2d::Zero();
    for (int i = 0; i <= 40000; ++i) {
      const JointState state = StateAt(motion, motion.duration_s() * i / 40000);
      most = most.cwiseMax(Eigen::Vector2d(std::abs(state.qd[0]), std::abs(state.qdd[0])));
    }
    return most;
  };
  CHECK(peaks(free)[0] > 1.05);
  CHECK(peaks(kept)[0] <= 1.0 + 1e-9);
  CHECK(peaks(kept)[0] > 0.9);
  CHECK(peaks(kept)[1] <= 4.0);
  CHECK(kept.begin() == free.begin());
  // The first move of this seed keeps the limits.
  CHECK(kept.moves()[0].to == free.moves()[0].to);
  CHECK(kept.moves()[0].move_s == free.moves()[0].move_s);
}

TEST_CASE("With a lag the limits hold for what the robot does, and the range that of its joint") {
  RandomPointOptions options = Lagged();
  options.lower_rad = PerJoint{{-1.9, -0.1}};
  options.upper_rad = PerJoint{{1.9, 0.1}};
  options.move_s = {0.4, 0.6};
  options.lag_damping_ratio = PerJoint{{0.2, 0.5}};
  options.velocity_limits = false;
  options.acceleration_limits = false;
  double beyond_points = 0.0, beyond_range = 0.0;
  const auto look = [&](double t, const PointToPointMotion& motion) {
    const double q = std::abs(StateAt(motion, t).q[0]);
    beyond_points = std::max(beyond_points, q - 1.9);
    beyond_range = std::max(beyond_range, q - 2.0);
  };
  const PointToPointMotion swings = Drawn(options);
  for (int i = 0; i <= 33333; ++i) look(60.0 * i / 33333, swings);
  CHECK(beyond_points > 0.01);
  CHECK(beyond_range <= 1e-4);  // the peak between two instants of the grid: 0.05 % of what swings

  RandomPointOptions limited = Lagged();
  const PointToPointMotion within = Drawn(limited);
  double speed = 0.0, acceleration = 0.0;
  for (int i = 0; i <= 33333; ++i) {
    const JointState state = StateAt(within, 60.0 * i / 33333);
    speed = std::max(speed, std::abs(state.qd[0]));
    acceleration = std::max(acceleration, std::abs(state.qdd[0]));
  }
  CHECK(speed <= 1.0 + 1e-3);
  CHECK(speed > 0.8);
  CHECK(acceleration <= 4.0 + 4e-3);
}

TEST_CASE("A shorter motion is the beginning of a longer one, and may end within a move") {
  for (const RandomPointOptions& options : {Wander(10.0), Lagged(10.0)}) {
    RandomPointOptions longer = options;
    longer.duration_s = 47.3;
    const PointToPointMotion brief = Drawn(options), whole = Drawn(longer);
    for (int i = 0; i <= 100; ++i) {
      const JointState one = StateAt(brief, 0.1 * i), other = StateAt(whole, 0.1 * i);
      CHECK(one.q == other.q);
      CHECK(one.qd == other.qd);
      CHECK(one.qdd == other.qdd);
    }
    CHECK(StateAt(whole, 0.0).q == whole.begin());
    CHECK(StateAt(whole, 0.0).qd.norm() < 1e-14);
  }
}

TEST_CASE("Seed, stream and, where that is asked for, the trial key the draws") {
  const RandomPointOptions cell = Wander();
  RandomPointOptions trial = Wander(), other = Wander();
  trial.draw = Draw::kTrial;
  other.stream = "validation";
  const auto same = [](const PointToPointMotion& a, const PointToPointMotion& b) {
    return a.begin() == b.begin() && a.moves()[3].to == b.moves()[3].to &&
           a.moves()[3].move_s == b.moves()[3].move_s &&
           a.moves()[3].dwell_s == b.moves()[3].dwell_s;
  };
  CHECK(same(Drawn(cell, 1, 0), Drawn(cell, 1, 7)));
  CHECK(same(Drawn(trial, 1, 7), Drawn(trial, 1, 7)));
  CHECK(same(Drawn(cell, 1, 0), Drawn(trial, 1, -1)));
  CHECK_FALSE(same(Drawn(trial, 1, 0), Drawn(trial, 1, 7)));
  CHECK_FALSE(same(Drawn(cell, 1, 0), Drawn(cell, 2, 0)));
  CHECK_FALSE(same(Drawn(cell, 1, 0), Drawn(other, 1, 0)));
}

TEST_CASE("Where no move will do, the joint that hinders most is named") {
  RandomPointOptions fast = Wander();
  fast.lower_rad = PerJoint{{-1.9, 0.2}};
  fast.upper_rad = PerJoint{{1.9, 0.2}};
  fast.move_s = {0.01, 0.01};
  fast.least_step_rad = 0.3;
  CHECK(RefusedDraw(fast) ==
        "of 10000 moves that were drawn for 0 s, none will do: most would exceed the velocity "
        "limit of joint 'shoulder', 1 rad/s: take longer moves (move_s) or points that are closer "
        "together (lower_rad, upper_rad), or switch off velocity_limits");
  fast.velocity_limits = false;
  CHECK(RefusedDraw(fast) ==
        "of 10000 moves that were drawn for 0 s, none will do: most would exceed the acceleration "
        "limit of joint 'shoulder', 4 rad/s²: take longer moves (move_s) or points that are "
        "closer together (lower_rad, upper_rad), or switch off acceleration_limits");
  RandomPointOptions swings = Lagged();
  swings.velocity_limits = swings.acceleration_limits = false;
  swings.lower_rad = PerJoint{{0.0, 2.99}};
  swings.upper_rad = PerJoint{{0.1, 3.0}};
  swings.lag_rad_s = PerJoint{{2.0, 2.0}};
  swings.lag_damping_ratio = PerJoint{{0.05}};
  swings.move_s = {0.5, 0.6};
  CHECK(RefusedDraw(swings).find("none will do: most would take joint 'elbow' out of its range, -3 "
                                 "to 3 rad, as it swings past the point: take points further from "
                                 "the end of the range (lower_rad, upper_rad), longer moves "
                                 "(move_s), or a larger lag_damping_ratio") != std::string::npos);
  // From the middle of its range a joint hardly finds a point that lies as far as the half of it.
  std::uint64_t seed = 0;
  const auto place = [&seed] {
    return RandomStream(seed, -1, "motion/random_points/identification").Uniform(0, 0);
  };
  while (std::abs(place() - 0.5) > 2e-6) ++seed;  // one of 250,000
  RandomPointOptions far;
  far.lower_rad = PerJoint{{-1.0, 0.0}};
  far.upper_rad = PerJoint{{1.0, 0.0}};
  far.least_step_rad = 0.999999;
  CHECK(RefusedDraw(far, seed) ==
        "of 10000 moves that were drawn for 0 s, none will do: most are too small: take a "
        "least_step_rad below 0.999999, or a wider range of points");
}

TEST_CASE("What contradicts the robot is not drawn") {
  RandomPointOptions wrong;
  wrong.lower_rad = PerJoint{{0.0, 0.0, 0.0}};
  CHECK_THROWS_WITH_AS(
      Drawn(wrong),
      "DrawRandomPoints: /lower_rad: got a list of 3\n"
      "  accepted here: one number, or a list with one for each of shoulder, elbow",
      std::invalid_argument);
}

}  // namespace
}  // namespace idbench
