#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "scenarios/motion/limited_robot_test.h"
#include "scenarios/motion/trajectory/random_points.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

std::string PointIssues(const char* text) {
  RandomPointOptions options;
  std::vector<Issue> issues;
  ReadFields(Visit(options), Json::parse(text), "/motion", issues);
  if (issues.empty()) issues = CheckRandomPoints(LimitedRobot(), options, "/motion");
  return issues.empty() ? "" : ConfigError("s.json", issues).what();
}

TEST_CASE("Options that contradict themselves are refused") {
  CHECK(PointIssues("{}").empty());
  CHECK(PointIssues(R"({"move_s": [1, 1], "lag_rad_s": [8, 12], "lag_damping_ratio": 0.6,
                        "least_step_rad": 0.4, "least_step_joints": "elbow"})")
            .empty());
  CHECK(PointIssues(R"({"move_s": [1]})") ==
        "s.json: /motion/move_s: got a list of 1\n"
        "  accepted here: the least and the greatest duration");
  CHECK(PointIssues(R"({"dwell_s": [1, 0.5]})") ==
        "s.json: /motion/dwell_s: the least duration 1 is above the greatest 0.5\n"
        "  accepted here: the least duration first");
  CHECK(PointIssues(R"({"move_s": [0, 1]})") ==
        "s.json: /motion/move_s/0: got 0\n  accepted here: a number, at least 0.001 [s]");
  CHECK(PointIssues(R"({"lag_rad_s": 8})") ==
        "s.json: /motion/lag_damping_ratio: missing, but lag_rad_s is given\n  a lag has both");
  CHECK(PointIssues(R"({"lag_damping_ratio": 0.5})") ==
        "s.json: /motion/lag_rad_s: missing, but lag_damping_ratio is given\n  a lag has both");
  CHECK(
      PointIssues(R"({"lag_rad_s": [8, 1.5], "lag_damping_ratio": 1, "move_s": [0.5, 1]})") ==
      "s.json: /motion/lag_rad_s: 1.5 rad/s with a damping ratio of 1 is slower than moves of 0.5 "
      "s, so that joints would not follow them\n  accepted here: at least 2");
  // (s + 2)·(s + 8), and moves of 0.4 s
  CHECK(PointIssues(R"({"lag_rad_s": 4, "lag_damping_ratio": [0.5, 1.25], "move_s": [0.4, 1]})") ==
        "s.json: /motion/lag_rad_s: 4 rad/s with a damping ratio of 1.25 is slower than moves of "
        "0.4 s, so that joints would not follow them\n  accepted here: at least 5");
  CHECK(PointIssues(R"({"lag_rad_s": [8, 1.5], "lag_damping_ratio": 1, "move_s": []})") ==
        "s.json: /motion/move_s: got a list of 0\n"
        "  accepted here: the least and the greatest duration");
}

TEST_CASE("Options that contradict the robot are refused") {
  CHECK(PointIssues(
            R"({"lower_rad": [0, 0, 0], "lag_rad_s": [9], "lag_damping_ratio": [1, 1, 1]})") ==
        "s.json: /motion/lower_rad: got a list of 3\n"
        "  accepted here: one number, or a list with one for each of shoulder, elbow\n"
        "s.json: /motion/lag_damping_ratio: got a list of 3\n"
        "  accepted here: one number, or a list with one for each of shoulder, elbow");
  CHECK(PointIssues(R"({"lower_rad": [-2.5, -3], "upper_rad": 2.5})") ==
        "s.json: /motion/lower_rad/0: got -2.5, out of the range of joint 'shoulder'\n"
        "  accepted here: -2 to 2\n"
        "s.json: /motion/upper_rad: got 2.5, out of the range of joint 'shoulder'\n"
        "  accepted here: -2 to 2");
  CHECK(PointIssues(R"({"lower_rad": [1, 1], "upper_rad": [1, 0.5]})") ==
        "s.json: /motion/lower_rad: leaves no range of joint 'elbow': 1 to 0.5\n"
        "  accepted here: a lower bound that is not above the upper one");
  CHECK(PointIssues(R"({"upper_rad": -1.9})") ==
        "s.json: /motion/upper_rad: leaves no range of joint 'shoulder': -1.8 to -1.9\n"
        "  accepted here: a lower bound that is not above the upper one");
  CHECK(PointIssues(R"({"least_step_rad": 0.1, "least_step_joints": "elbow, wrist"})") ==
        "s.json: /motion/least_step_joints: the robot has no \"wrist\"\n"
        "  accepted here: shoulder, elbow");
  CHECK(PointIssues(R"({"least_step_joints": "elbow"})") ==
        "s.json: /motion/least_step_rad: missing, but least_step_joints is given\n"
        "  say by how much one of these joints moves at least");
  CHECK(PointIssues(R"({"least_step_rad": 2, "least_step_joints": "shoulder"})") ==
        "s.json: /motion/least_step_rad: got 2, but no joint can move that far from the middle of "
        "the range of its points\n  accepted here: less than 1.8");
}

TEST_CASE("The range of the points is what is stated, or the middle of each joint's own") {
  RandomPointOptions options{.range_fraction = 0.5};
  options.lower_rad = PerJoint{{-0.2}};
  options.least_step_joints = "elbow";
  const PointRange range = RangeOfPoints(LimitedRobot(), options);
  CHECK(range.lower == Eigen::Vector2d(-0.2, -0.2));
  CHECK(range.upper == Eigen::Vector2d(1.0, 1.5));
  CHECK(StepJoints(LimitedRobot(), options) == std::vector<int>{1});
  CHECK(StepJoints(LimitedRobot(), {}) == std::vector<int>{0, 1});
}

}  // namespace
}  // namespace idbench
