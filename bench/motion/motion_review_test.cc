#include "bench/motion/motion_review.h"

#include <doctest/doctest.h>

#include <Eigen/LU>
#include <cmath>
#include <fstream>
#include <string>

#include "bench/motion/motion_page.h"
#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/temporary_folder_test.h"
#include "scenarios/motion/motions.h"
#include "scenarios/motion/trajectory/quintic_spline.h"
#include "scenarios/motion/trajectory/timed_table.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// A spline of two joints over two seconds.
QuinticSplineMotion TwoJoints() {
  Eigen::MatrixXd points(3, 2);
  points << 0.0, 0.2, 1.0, -0.4, -0.5, 0.3;
  return {2.0, points};
}

struct Planar {
  Robot robot = LoadRobot("planar2");
  ShownParameters shown = {{Equation::kTorque}, {}, {}};
  Planar() {
    shown.columns = FindBaseParameters(robot.model, shown.equations,
                                       ConsideredParameters(robot.model, shown.equations, {}))
                        .independent;
  }
};

TEST_CASE("Criteria of a motion are those of its rows at 100 Hz, its last sample left out") {
  const Planar planar;
  const QuinticSplineMotion motion = TwoJoints();
  const MotionReview review = ReviewMotion(planar.robot, planar.shown, 0, motion);
  CHECK(review.duration_s == 2.0);
  CHECK(review.columns == static_cast<int>(planar.shown.columns.size()));
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(review.columns, review.columns);
  const Dynamics dynamics(planar.robot.model);
  Dynamics::Scratch scratch(dynamics);
  const RowRegressor rows(dynamics, planar.shown.equations, planar.shown.columns);
  Eigen::MatrixXd W(2, review.columns);
  JointState state = JointState::Zero(2);
  for (int k = 0; k < 200; ++k) {
    motion.Evaluate(0.01 * k, state);
    rows.Single(state.q, state.qd, state.qdd, scratch, W);
    M += W.transpose() * W;
  }
  REQUIRE(review.criteria.size() == 5);
  CHECK(review.criteria[0].first == "jd");
  CHECK(review.criteria[0].second == doctest::Approx(-std::log(M.determinant())).epsilon(1e-9));
  CHECK(review.without_time ==
        doctest::Approx(review.criteria[0].second + review.columns * std::log(2.0)));
}

TEST_CASE("Who asks is told how far from the least J_d a motion can be") {
  const Robot kuka = LoadRobot("kuka_lwr4_mdh");
  const ParameterLayout layout(kuka.model);
  // Friction of two joints alone: the search is short, and the least is known, since |q̇| ≤ v.
  const ShownParameters shown{.equations = {Equation::kTorque},
                              .columns = {layout.Joint(0, JointParameter::kViscous),
                                          layout.Joint(1, JointParameter::kViscous)}};
  Eigen::MatrixXd points = Eigen::MatrixXd::Zero(2, 7);
  points.row(1).setConstant(0.5);
  MotionReview review = ReviewMotion(kuka, shown, 0, QuinticSplineMotion(2.0, points));
  CHECK(BoundSentence(review).empty());
  BoundReview(kuka, shown, 0, review);
  REQUIRE(review.least_jd);
  const JointLimits& limits = kuka.model.limits();
  const double v0 = limits.velocity[0], v1 = limits.velocity[1];
  CHECK(*review.least_jd == doctest::Approx(-2.0 * std::log(200.0 * v0 * v1)).epsilon(2e-3));
  const std::string sentence = BoundSentence(review);
  CAPTURE(sentence);
  CHECK(
      sentence.starts_with("no motion of 2 s within the limits of position, velocity and "
                           "acceleration has a jd of rows that count alike below "));
  CHECK(ReviewText(review).find(sentence) != std::string::npos);
  review.criteria.front().second = *review.least_jd - 1.0;
  CHECK(BoundSentence(review).ends_with("; this one is beyond such a limit"));
  const Robot leg = LoadRobot("leg2");  // whose joints have no limit of acceleration
  Eigen::MatrixXd poses = Eigen::MatrixXd::Zero(2, leg.model.dofs());
  poses.row(1).setConstant(0.1);
  const ShownParameters of_leg{.equations = {Equation::kTorque},
                               .columns = {ParameterLayout(leg.model).Body(0)}};
  MotionReview leg_review = ReviewMotion(leg, of_leg, 0, QuinticSplineMotion(2.0, poses));
  BoundReview(leg, of_leg, 0, leg_review);
  CHECK(BoundSentence(leg_review).find("nothing limits the acceleration of ") != std::string::npos);
}

TEST_CASE("Limits that a motion uses are fractions of the robot's, by joint") {
  const Planar planar;
  const MotionReview review = ReviewMotion(planar.robot, planar.shown, 0, TwoJoints());
  REQUIRE(review.time_s.size() == 2001);
  CHECK(review.time_s[2000] == 2.0);
  const JointLimits& limits = planar.robot.model.limits();
  for (int j = 0; j < 2; ++j) {
    const UsedLimits& used = review.used[static_cast<std::size_t>(j)];
    CHECK(used.velocity.has_value() == std::isfinite(limits.velocity[j]));
    if (used.velocity) {
      CHECK(*used.velocity ==
            doctest::Approx(review.qd.col(j).cwiseAbs().maxCoeff() / limits.velocity[j]));
    }
    CHECK(used.torque.has_value() == std::isfinite(limits.effort[j]));
  }
  const std::string text = ReviewText(review);
  CHECK(text.starts_with("2 s, "));
  CHECK(text.find("\n  joint1 ") != std::string::npos);
}

TEST_CASE("What is written for a controller is read again as the same motion") {
  const Planar planar;
  const QuinticSplineMotion motion = TwoJoints();
  const TemporaryFolder folder;
  const std::string csv = MotionCsv(planar.robot, motion, 500.0);
  CHECK(csv.starts_with(
      "t_s,q1_rad,q2_rad,qd1_rad_s,qd2_rad_s,qdd1_rad_s2,qdd2_rad_s2\n0,0,0.2,0,0,0,0\n"));
  std::ofstream(folder.path() / "motion.csv") << csv;
  const TimedTable table =
      ReadTimedTable((folder.path() / "motion.csv").string(), NumberedColumns("q{}_rad", 2));
  REQUIRE(table.time_s.size() == 1001);
  CHECK(table.time_s[1000] == 2.0);
  JointState state = JointState::Zero(2);
  motion.Evaluate(table.time_s[321], state);
  CHECK((table.values.row(321).transpose() - state.q).norm() < 1e-11);
}

/// A hinge and a slide, of which the file limits the speed of the first alone.
constexpr const char* kCrane = R"(<robot name="crane"><link name="foot"/>
  <link name="mast"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="boom"><inertial><origin xyz="0.1 0 0"/><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="turn" type="revolute"><parent link="foot"/><child link="mast"/><axis xyz="0 0 1"/>
    <limit lower="-2" upper="2" effort="50" velocity="1.5"/></joint>
  <joint name="slide" type="prismatic"><parent link="mast"/><child link="boom"/><axis xyz="1 0 0"/>
    <limit lower="-0.5" upper="0.5" effort="80"/></joint></robot>)";

TEST_CASE("A prismatic joint is in metres, in columns that a recorded motion is read from") {
  const TemporaryFolder folder;
  const Robot crane = LoadRobot(folder.Write("crane.urdf", kCrane));
  const QuinticSplineMotion motion = TwoJoints();
  const std::string csv = MotionCsv(crane, motion, 500.0);
  CHECK(csv.starts_with("t_s,q1_rad,q2_m,qd1_rad_s,qd2_m_s,qdd1_rad_s2,qdd2_m_s2\n"));
  const RecordedMotionOptions recorded{folder.Write("motion.csv", csv)};
  CHECK(CheckMotion(recorded, crane.model, "/motion").empty());
  const std::vector<TimedTable> tables = ReadMotionTables(recorded, crane.model);
  REQUIRE(tables.size() == 1);
  JointState state = JointState::Zero(2);
  motion.Evaluate(tables[0].time_s[321], state);
  CHECK((tables[0].values.row(321).transpose() - state.q).norm() < 1e-11);
}

TEST_CASE("Amounts have the units of their joints, and a limit that is not known is told") {
  const TemporaryFolder folder;
  const Robot crane = LoadRobot(folder.Write("crane.urdf", kCrane));
  const ShownParameters shown = {
      {Equation::kTorque},
      {},
      FindBaseParameters(crane.model, {Equation::kTorque},
                         ConsideredParameters(crane.model, {Equation::kTorque}, {}))
          .independent};
  const MotionReview review = ReviewMotion(crane, shown, 0, TwoJoints());
  const UsedLimits& slide = review.used[1];
  CHECK(slide.velocity_text.ends_with(" m/s"));
  CHECK(slide.acceleration_text.ends_with(" m/s²"));
  CHECK(slide.torque_text.ends_with(" N"));
  CHECK(slide.position_text == "-0.401 … 0.3 m");
  CHECK(review.used[0].torque_text.ends_with(" N·m"));
  const double speed = review.qd.col(0).lpNorm<Eigen::Infinity>();
  CHECK(review.used[0].velocity == doctest::Approx(speed / 1.5));
  for (const std::string& text :
       {ReviewText(review), MotionPage(crane, review, "crane", std::nullopt)}) {
    CHECK(text.find("velocity: no limit is known of slide") != std::string::npos);
    CHECK(text.find("-0.401 … 0.3 m") != std::string::npos);
  }
}

TEST_CASE("Limits that a motion is at, or beyond, are named") {
  MotionReview review;
  review.used = {{.joint = "a", .position = 0.98, .velocity = 0.999, .torque = 1.2},
                 {.joint = "b", .velocity = 1.0, .acceleration = 0.5}};
  CHECK(LimitSentences(review) ==
        std::vector<std::string>{"beyond the limit: torque of a",
                                 "at the limit, which allows no more: velocity of a, b"});
}

TEST_CASE("How a design came about is on the page and in the text") {
  const Planar planar;
  ExcitationHistory history{.criterion = ExcitationCriterion::kLogDet, .failed = 0};
  history.starts = {{.random = 3.0, .designed = -4.0, .kept = 0.5, .evaluations = 7}};
  const MotionReview review =
      ReviewMotion(planar.robot, planar.shown, 0, TwoJoints(), {{"", history}});
  REQUIRE(review.design.size() == 3);
  const std::string text = ReviewText(review);
  for (const std::string& sentence : review.design) {
    CHECK(text.find(sentence + "\n") != std::string::npos);
  }
  const std::string page = MotionPage(planar.robot, review, "s", std::nullopt);
  CHECK(page.find("designed by jd, the less the better: 3 at the random start") !=
        std::string::npos);
}

TEST_CASE("A page holds criteria, limits, curves of each joint and a stick figure") {
  const Planar planar;
  const MotionReview review = ReviewMotion(planar.robot, planar.shown, 0, TwoJoints());
  const std::string page = MotionPage(planar.robot, review, "s: <a>", "/* charts */");
  CHECK(page.find("<title>s: &lt;a&gt;</title>") != std::string::npos);
  CHECK(page.find("id=\"motion-data\"") != std::string::npos);
  CHECK(page.find("chart-joints") != std::string::npos);
  for (const char* text : {"scaled_cond", "acceleration", "joint2"}) {
    CHECK(page.find(text) != std::string::npos);
  }
}

}  // namespace
}  // namespace idbench
