#include "scenarios/motion/trajectory/way_points.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "scenarios/motion/limited_robot_test.h"
#include "scenarios/motion/state_at_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// Three points, 1 s and 2 s apart, dwelling 0.5 s in each.
WayPointMotion Tour() {
  return {
      {Eigen::Vector2d(0, 0), Eigen::Vector2d(1, -2), Eigen::Vector2d(-1, -2)}, {1.0, 2.0}, 0.5};
}

std::string WayPointIssues(const char* text) {
  WayPointOptions options;
  std::vector<Issue> issues;
  ReadFields(Visit(options), Json::parse(text), "/motion", issues);
  if (issues.empty()) issues = CheckWayPoints(LimitedRobot(), options, "/motion");
  return issues.empty() ? "" : ConfigError("s.json", issues).what();
}

TEST_CASE("It dwells in every point and passes the middle of each way at half time") {
  const WayPointMotion motion = Tour();
  CHECK(motion.duration_s() == 4.5);
  for (const double t : {0.0, 0.4, 0.5}) CHECK(StateAt(motion, t).q == Eigen::Vector2d(0, 0));
  for (const double t : {1.5, 1.9, 2.0}) CHECK(StateAt(motion, t).q == Eigen::Vector2d(1, -2));
  for (const double t : {4.0, 4.2, 9.0}) CHECK(StateAt(motion, t).q == Eigen::Vector2d(-1, -2));
  CHECK(StateAt(motion, 1.0).q.isApprox(Eigen::Vector2d(0.5, -1.0), 1e-15));
  CHECK(StateAt(motion, 3.0).q.isApprox(Eigen::Vector2d(0.0, -2.0), 1e-15));
  // Peak speed 15/8·Δq/T at half time.
  CHECK(StateAt(motion, 1.0).qd.isApprox(1.875 * Eigen::Vector2d(1, -2), 1e-14));
}

TEST_CASE("It is twice continuously differentiable") {
  const WayPointMotion motion = Tour();
  const double h = 1e-5;
  for (const double t : {0.2, 0.6, 1.1, 1.49, 1.7, 2.3, 3.9}) {
    const JointState before = StateAt(motion, t - h);
    const JointState after = StateAt(motion, t + h);
    // Truncation h²/6·|d³| ≤ 1.7e-11·120; rounding 2e-16/h.
    CHECK(((after.q - before.q) / (2.0 * h) - StateAt(motion, t).qd).cwiseAbs().maxCoeff() < 1e-8);
    CHECK(((after.qd - before.qd) / (2.0 * h) - StateAt(motion, t).qdd).cwiseAbs().maxCoeff() <
          1e-7);
  }
  for (const double t : {0.5, 1.5, 2.0, 4.0}) {
    // Third derivative 60·Δq/T³ ≤ 120, over 1e-9 s.
    CHECK(StateAt(motion, t - 1e-9).qdd.cwiseAbs().maxCoeff() < 2e-7);
    CHECK(StateAt(motion, t + 1e-9).qdd.cwiseAbs().maxCoeff() < 2e-7);
  }
}

TEST_CASE("Without durations, the stated part of the limits is reached and not passed") {
  WayPointOptions options;
  options.points_rad = {{0.0, -1.0}, {1.5, -1.0}, {1.49, -1.0}};
  options.limit_fraction = 0.8;
  const WayPointMotion motion = MakeWayPointMotion(LimitedRobot(), options);
  double speed = 0.0;
  double acceleration_at_the_end = 0.0;
  const double first = 1.875 * 1.5 / 0.8;  // the velocity binds: T = 15/8·Δq/(f·v)
  for (int i = 0; i <= 20000; ++i) {
    const double t = motion.duration_s() * i / 20000;
    const JointState state = StateAt(motion, t);
    speed = std::max(speed, std::abs(state.qd(0)));
    CHECK(std::abs(state.qdd(0)) <= 0.8 * 4.0 * (1.0 + 1e-12));
    if (t > first) {
      acceleration_at_the_end = std::max(acceleration_at_the_end, std::abs(state.qdd(0)));
    }
  }
  CHECK(speed == doctest::Approx(0.8).epsilon(1e-6));  // the grid misses the peak
  // On the short way the acceleration binds.
  CHECK(acceleration_at_the_end == doctest::Approx(0.8 * 4.0).epsilon(1e-4));
}

TEST_CASE("A single point is rest") {
  WayPointOptions options;
  options.points_rad = {{0.5, 1.0}};
  options.dwell_s = 3.0;
  const WayPointMotion motion = MakeWayPointMotion(LimitedRobot(), options);
  CHECK(motion.duration_s() == 3.0);
  CHECK(StateAt(motion, 1.0).q == Eigen::Vector2d(0.5, 1.0));
  CHECK(StateAt(motion, 1.0).qd.isZero(0.0));
}

TEST_CASE("Contradictions are refused") {
  CHECK(WayPointIssues(R"({"points_rad": [[0, 0], [1, 0]], "segment_s": [2]})").empty());
  CHECK(WayPointIssues(R"({"points_rad": []})") ==
        "s.json: /motion/points_rad: is empty\n  give at least one pose");
  CHECK(WayPointIssues(R"({"points_rad": [[0, 0]]})") ==
        "s.json: /motion/dwell_s: a single point takes no time\n  give it a dwell_s above 0");
  CHECK(WayPointIssues(R"({"points_rad": [[0, 0], [1, 1]], "segment_s": [1, 2]})") ==
        "s.json: /motion/segment_s: got a list of 2 for 2 points\n  accepted here: a list of 1");
  CHECK(WayPointIssues(R"({"points_rad": [[0], [1, 4]]})") ==
        "s.json: /motion/points_rad/0: got a list of 1\n"
        "  accepted here: one number for each of shoulder, elbow\n"
        "s.json: /motion/points_rad/1/1: got 4, out of the range of joint 'elbow'\n"
        "  accepted here: -3 to 3");
  CHECK(WayPointIssues(R"({"points_rad": [[0, 0], [0, 0]]})") ==
        "s.json: /motion: takes no time: all points are the same\n  give a dwell_s above 0");
}

TEST_CASE(
    "Durations that the limits do not allow are refused, and missing ones that they do not "
    "give") {
  CHECK(WayPointIssues(R"({"points_rad": [[0, 0], [1, 0]], "segment_s": [1.5]})") ==
        "s.json: /motion/segment_s/0: 1.5 s is too short for joint 'shoulder' to move by 1\n"
        "  the limits of the joint require at least 1.875 s; velocity_limits and "
        "acceleration_limits switch them off");
  CHECK(WayPointIssues(R"({"points_rad": [[0, 0], [1, 0]], "segment_s": [1.5],
                       "velocity_limits": false})")
            .empty());
  CHECK(WayPointIssues(R"({"points_rad": [[0, 0], [0, 1]], "segment_s": [0]})") ==
        "s.json: /motion/segment_s/0: 0 s is too short for joint 'elbow' to move by 1\n"
        "  accepted here: more than 0");
  CHECK(WayPointIssues(R"({"points_rad": [[0, 0], [1, 1]]})") ==
        "s.json: /motion/segment_s: missing: joint 'elbow' has no limit that gives a duration\n"
        "  give the duration of each segment, or the robot velocity or acceleration limits");
}

TEST_CASE("Sizes that contradict each other are refused") {
  CHECK_THROWS_WITH_AS(
      WayPointMotion({Eigen::Vector2d::Zero()}, {1.0}, 0.0),
      "WayPointMotion: 1 points, segments of [1] s, dwelling 0 s: expected points of one size, a "
      "duration between each two, and some duration",
      std::invalid_argument);
  WayPointOptions options;
  options.points_rad = {{0.0}};
  CHECK_THROWS_WITH_AS(MakeWayPointMotion(LimitedRobot(), options),
                       "MakeWayPointMotion: /points_rad/0: got a list of 1\n"
                       "  accepted here: one number for each of shoulder, elbow",
                       std::invalid_argument);
}

}  // namespace
}  // namespace idbench
