#include "scenarios/motion/excitation/exciting_motion.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/plant/canonical_text.h"
#include "robots/plant/plant_error.h"
#include "robots/robot.h"
#include "scenarios/motion/excitation/excitation_objective.h"
#include "scenarios/motion/excitation/motion_constraints.h"
#include "scenarios/motion/excitation/motion_curve.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// A robot whose base parameters, viscous and Coulomb friction a motion is to show.
struct Shown {
  explicit Shown(const std::string& name) : robot(LoadRobot(name)) {}

  Robot robot;
  std::vector<PlacedEquation> equations = {Equation::kTorque};
  std::vector<int> columns =
      FindBaseParameters(robot.model, equations,
                         ConsideredParameters(robot.model, equations,
                                              {JointParameter::kViscous, JointParameter::kCoulomb}))
          .independent;
  Dynamics dynamics = Dynamics(robot.model, FrictionShape{0.05});
  RowRegressor rows = RowRegressor(dynamics, equations, columns);
  Eigen::VectorXd pi = robot.FindSet("")->pi;
  ExcitationSubject subject = {robot.model, dynamics, rows, pi};
};

/// The settings of the study of Katsumata et al. 2019.
ExcitingMotionOptions OfStudy(std::optional<ExcitationCriterion> criterion) {
  ExcitingMotionOptions options;
  options.criterion = criterion;
  options.floor_m = 0.25;
  return options;
}

std::string TextOfMotion(const Motion& motion) {
  CanonicalText text;
  motion.Describe(text);
  return text.text();
}

/// The greatest constraint of a motion at 1 kHz.
double WorstOf(const Shown& shown, const Motion& motion, const MotionConstraints::Options& limits) {
  const MotionConstraints constraints(shown.robot.model, shown.dynamics, shown.pi, limits);
  const auto count = static_cast<Eigen::Index>(1000.0 * motion.duration_s()) + 1;
  const int n = shown.robot.model.dofs();
  Eigen::MatrixXd q(count, n), qd(count, n), qdd(count, n), g;
  JointState state = JointState::Zero(n);
  for (Eigen::Index k = 0; k < count; ++k) {
    motion.Evaluate(static_cast<double>(k) / 1000.0, state);
    q.row(k) = state.q;
    qd.row(k) = state.qd;
    qdd.row(k) = state.qdd;
  }
  Dynamics::Scratch scratch(shown.dynamics);
  constraints.Values({q, qd, qdd}, scratch, g);
  return g.maxCoeff();
}

TEST_CASE("Derivatives of a design's criterion and constraints are those of differences") {
  const Shown shown("kuka_lwr4_mdh");
  const SplineCurve curve(3.0, 1.0);
  SampledBasis basis;
  basis.rate_hz = 25.0;
  for (Eigen::MatrixXd* part : {&basis.B, &basis.Bd, &basis.Bdd}) part->resize(76, curve.size());
  for (Eigen::Index k = 0; k < 76; ++k) {
    const Eigen::MatrixXd at = curve.At(static_cast<double>(k) / 25.0);
    basis.B.row(k) = at.row(0);
    basis.Bd.row(k) = at.row(1);
    basis.Bdd.row(k) = at.row(2);
  }
  const MotionConstraints constraints(shown.robot.model, shown.dynamics, shown.pi,
                                      {.floor_m = 0.25});
  Eigen::VectorXd x(curve.size() * 7);
  for (Eigen::Index k = 0; k < x.size(); ++k) x[k] = std::sin(0.2 + 1.9 * static_cast<double>(k));
  for (const ExcitationCriterion criterion :
       {ExcitationCriterion::kLogDet, ExcitationCriterion::kHadamard,
        ExcitationCriterion::kCondition, ExcitationCriterion::kScaledCondition}) {
    const WeighedRows rows(shown.rows, criterion, ErrorsOfRows({}, {}, shown.robot.model), {});
    ExcitationObjective objective(shown.dynamics, shown.rows, rows, 1.0, constraints, basis);
    Eigen::VectorXd g;
    objective.MoveTo(x, g);
    Eigen::VectorXd weights(g.size());
    for (Eigen::Index k = 0; k < g.size(); ++k)
      weights[k] = 0.5 + 0.5 * std::sin(0.7 * static_cast<double>(k));
    const Eigen::VectorXd exact = objective.Gradient(weights);
    const auto at = [&](const Eigen::VectorXd& where) {
      const double f = objective.MoveTo(where, g);
      return f + weights.dot(g);
    };
    CAPTURE(ToString(criterion));
    double worst = 0.0;
    for (Eigen::Index k = 0; k < x.size(); k += 3) {
      constexpr double kStep = 1e-4;
      Eigen::VectorXd moved = x;
      const auto shifted = [&](double steps) {
        moved[k] = x[k] + steps * kStep;
        return at(moved);
      };
      const double difference =
          (8.0 * (shifted(1.0) - shifted(-1.0)) - (shifted(2.0) - shifted(-2.0))) / (12.0 * kStep);
      worst = std::max(worst, std::abs(difference - exact[k]));
    }
    CHECK(worst < 1e-6 * exact.lpNorm<Eigen::Infinity>());
  }
}

TEST_CASE("With the study's settings designs are as good as its, and keep all limits") {
  const Shown shown("kuka_lwr4_mdh");
  REQUIRE(shown.columns.size() == 57);
  struct Figure {
    ExcitationCriterion criterion;
    double most;
  };
  // Of the study's 8 starts the worst; ours are from 2 of any.
  for (const auto& [criterion, most] : {Figure{ExcitationCriterion::kLogDet, -587.0},
                                        Figure{ExcitationCriterion::kHadamard, -630.0},
                                        Figure{ExcitationCriterion::kCondition, 43.0}}) {
    ExcitingMotionOptions options = OfStudy(criterion);
    options.starts = 2;
    const ExcitingMotion designed = DesignExcitingMotion(shown.subject, options, 5, 0);
    CAPTURE(ToString(criterion));
    for (const ExcitationStart& start : designed.starts) {
      CHECK(start.designed <= most);
      CHECK(start.designed < start.random);
      CHECK(start.kept > 0.98);
    }
    const double reported = CriterionOf(criterion, InformationOn(shown.subject, *designed.motion));
    CHECK(reported == doctest::Approx(designed.starts[designed.best].designed).epsilon(1e-9));
    CHECK(WorstOf(shown, *designed.motion, {.floor_m = 0.25}) <= 1e-9);
  }
}

TEST_CASE("A design that knows of disturbances is better by what it knows") {
  const Shown shown("kuka_lwr4_mdh");
  ExcitingMotionOptions plain = OfStudy(ExcitationCriterion::kLogDet);
  plain.duration_s = 5.0;
  plain.design = {.friction = {JointParameter::kViscous, JointParameter::kCoulomb},
                  .coulomb_width_rad_s = 0.05};
  ExcitingMotionOptions knowing = plain;
  knowing.errors = DesignErrorOptions{.noise_std_nm = {{0.5, 0.5, 0.3, 0.3, 0.2, 0.1, 0.1}},
                                      .offset_std_nm = {{0.2}},
                                      .cogging_amplitude_nm = {{0.4}},
                                      .cogging_periods_per_rev = {{2.0}}};
  const auto judged = [&](const ExcitingMotionOptions& options) {
    // A random motion of the same seed stands at the same start, judged by what is known.
    return DesignExcitingMotion(shown.subject, options, 7, 0);
  };
  const ExcitingMotion with = judged(knowing), without = judged(plain);
  const DesignErrors errors = ErrorsOfRows(knowing.errors, knowing.design, shown.robot.model);
  const WeighedRows rows(shown.rows, ExcitationCriterion::kLogDet, errors, {});
  const auto value = [&](const Motion& motion) {
    Eigen::MatrixXd q(500, 7), qd(500, 7), qdd(500, 7);
    JointState state = JointState::Zero(7);
    for (Eigen::Index k = 0; k < 500; ++k) {
      motion.Evaluate(static_cast<double>(k) / 100.0, state);
      q.row(k) = state.q;
      qd.row(k) = state.qd;
      qdd.row(k) = state.qdd;
    }
    Dynamics::Scratch scratch(shown.dynamics);
    std::vector<Eigen::MatrixXd> W;
    shown.rows.Dense({q, qd, qdd}, scratch, W);
    return rows.Value({{q, qd, qdd}, W, 100.0});
  };
  CHECK(value(*with.motion) == doctest::Approx(with.starts[0].designed).epsilon(1e-9));
  CHECK(value(*with.motion) < value(*without.motion) - 3.0);
  CHECK(without.starts[0].designed <
        CriterionOf(ExcitationCriterion::kLogDet, InformationOn(shown.subject, *with.motion)));
  CHECK(WorstOf(shown, *with.motion, {.floor_m = 0.25}) <= 1e-9);
}

TEST_CASE("A design that is told of a motion shows what that one did not") {
  const Shown shown("kuka_lwr4_mdh");
  ExcitingMotionOptions options = OfStudy(ExcitationCriterion::kLogDet);
  options.duration_s = 4.0;
  const ExcitingMotion first = DesignExcitingMotion(shown.subject, options, 3, 0);
  const Eigen::MatrixXd taught = InformationOn(shown.subject, *first.motion, options);
  CHECK((taught - InformationOn(shown.subject, *first.motion)).norm() < 1e-12 * taught.norm());
  options.stream = "second";
  const ExcitingMotion alone = DesignExcitingMotion(shown.subject, options, 3, 0);
  ExcitationSubject told = shown.subject;
  told.known = taught;
  const ExcitingMotion second = DesignExcitingMotion(told, options, 3, 0);
  const auto both = [&](const Motion& motion) {
    return CriterionOf(ExcitationCriterion::kLogDet, taught + InformationOn(shown.subject, motion));
  };
  CHECK(second.starts[0].designed == doctest::Approx(both(*second.motion)).epsilon(1e-9));
  CHECK(both(*second.motion) < both(*alone.motion));
}

TEST_CASE("Random motions and series keep limits too, and the same seed gives the same motion") {
  const Shown shown("kuka_lwr4_mdh");
  for (const bool spline : {true, false}) {
    ExcitingMotionOptions options = OfStudy(std::nullopt);
    if (!spline) options.curve = FourierCurveOptions{};
    const auto make = [&](std::uint64_t seed) {
      return DesignExcitingMotion(shown.subject, options, seed, 3).motion;
    };
    const std::unique_ptr<Motion> motion = make(11);
    CHECK(TextOfMotion(*motion) == TextOfMotion(*make(11)));
    CHECK(TextOfMotion(*motion) != TextOfMotion(*make(12)));
    CHECK(WorstOf(shown, *motion, {.margin = 0.98 + 1e-9, .floor_m = 0.25}) <= 0.0);
    options.criterion = ExcitationCriterion::kLogDet;
    options.optimiser.rounds = 2;
    const ExcitingMotion designed = DesignExcitingMotion(shown.subject, options, 11, 3);
    CHECK(designed.starts[0].designed < designed.starts[0].random - 20.0);
    CHECK(WorstOf(shown, *designed.motion, {.floor_m = 0.25}) <= 1e-9);
    CHECK(TextOfMotion(*designed.motion) ==
          TextOfMotion(*DesignExcitingMotion(shown.subject, options, 11, 3).motion));
  }
}

TEST_CASE("Torque limits bind where they are small") {
  Shown shown("kuka_lwr4_mdh");
  ExcitingMotionOptions options = OfStudy(ExcitationCriterion::kLogDet);
  options.optimiser.rounds = 3;
  JointLimits limits = shown.robot.model.limits();
  limits.effort << 12.0, 45.0, 8.0, 14.0, 0.9, 0.8, 0.35;
  const RobotModel& old = shown.robot.model;
  RobotModel weak(old.name(), old.base_name(), old.links(), old.gravity(), limits);
  weak.SetCollision(old.collision());
  shown.robot.model = weak;
  const ExcitingMotion designed = DesignExcitingMotion(shown.subject, options, 5, 0);
  CHECK(WorstOf(shown, *designed.motion, {.floor_m = 0.25}) <= 1e-9);
  CHECK(designed.starts[0].designed < designed.starts[0].random);
  options.torque_limits = false;
  const ExcitingMotion strong = DesignExcitingMotion(shown.subject, options, 5, 0);
  CHECK(WorstOf(shown, *strong.motion, {.floor_m = 0.25}) > 0.1);
  CHECK(strong.starts[0].designed < designed.starts[0].designed);
}

TEST_CASE("Where torques alone limit a motion it is better than its start, and within them") {
  const Shown shown("ur10");
  ExcitingMotionOptions options = OfStudy(ExcitationCriterion::kLogDet);
  options.duration_s = 5.0;
  options.floor_m.reset();
  const RobotModel& old = shown.robot.model;
  JointLimits limits = old.limits();
  limits.velocity.setConstant(INFINITY);
  limits.acceleration.setConstant(INFINITY);
  limits.effort *= 0.5;
  const RobotModel free(old.name(), old.base_name(), old.links(), old.gravity(), limits);
  const ExcitationSubject subject{free, shown.dynamics, shown.rows, shown.pi};
  options.self_collision = false;
  for (const std::uint64_t seed : {1, 2, 3}) {
    CAPTURE(seed);
    const ExcitingMotion designed = DesignExcitingMotion(subject, options, seed, 0);
    CHECK(designed.starts[0].designed < designed.starts[0].random - 20.0);
  }
}

TEST_CASE("A floor above the arm's middle pose is told") {
  const Shown shown("kuka_lwr4_mdh");
  ExcitingMotionOptions options = OfStudy(ExcitationCriterion::kLogDet);
  options.floor_m = 0.9;
  CHECK_THROWS_WITH_AS(DesignExcitingMotion(shown.subject, options, 1, 0),
                       "no motion about the middle pose keeps the limits, height of 'elbow' first: "
                       "give another centre_q_rad, floor_m or margin",
                       PlantError);
}

TEST_CASE("A start that fails does not count beside others") {
  const Shown shown("kuka_lwr4_mdh");
  ExcitingMotionOptions options = OfStudy(ExcitationCriterion::kCondition);
  options.duration_s = 1.0;  // two way points, of which some cannot tell 57 columns apart
  options.optimiser = {.rounds = 1, .evaluations = 2};
  const auto starts = [&](std::uint64_t seed) {
    try {
      return DesignExcitingMotion(shown.subject, options, seed, 0).starts.size();
    } catch (const PlantError&) {
      return std::size_t{0};
    }
  };
  std::uint64_t seed = 1;
  while (seed < 200 && starts(seed) == 1) ++seed;
  REQUIRE(starts(seed) == 0);
  options.starts = 3;
  const ExcitingMotion designed = DesignExcitingMotion(shown.subject, options, seed, 0);
  CHECK(designed.starts.size() >= 1);
  CHECK(designed.failed == 3 - std::ssize(designed.starts));
  CHECK(designed.failed >= 1);
  CHECK(designed.failure.find("cannot tell the 57 columns of its design apart") !=
        std::string::npos);
  CHECK(designed.criterion == ExcitationCriterion::kCondition);
}

TEST_CASE("A motion that cannot tell the columns apart is told, one of one piece for example") {
  const Shown shown("kuka_lwr4_mdh");
  ExcitingMotionOptions options = OfStudy(ExcitationCriterion::kCondition);
  options.duration_s = 0.05;
  options.rate_hz = 20.0;
  options.curve = SplineCurveOptions{.waypoint_s = 0.05};
  CHECK_THROWS_WITH_AS(
      DesignExcitingMotion(shown.subject, options, 1, 0),
      "a motion of 0.05 s in this form cannot tell the 57 columns of its design apart: give it a "
      "longer duration_s, nearer way points, more harmonics or a higher rate_hz, or ask less of "
      "design",
      PlantError);
  const RowRegressor none(shown.dynamics, shown.equations, {});
  const ExcitationSubject nothing{shown.robot.model, shown.dynamics, none, shown.pi};
  CHECK_THROWS_AS(DesignExcitingMotion(nothing, options, 1, 0), PlantError);
}

TEST_CASE("The clearance is kept inside, whatever the margin") {
  const Shown shown("kuka_lwr4_mdh");
  ExcitingMotionOptions options = OfStudy(std::nullopt);
  options.margin = 1.0;
  options.floor_m = 0.6;
  options.clearance_m = 0.05;
  const ExcitingMotion random = DesignExcitingMotion(shown.subject, options, 3, 0);
  CHECK(WorstOf(shown, *random.motion, {.floor_m = 0.6, .clearance_m = 0.05}) <= 1e-9);
}

/// What is said of options of a robot, "where: what" line by line.
std::string IssuesOf(const ExcitingMotionOptions& options, const RobotModel& model) {
  std::string text;
  for (const Issue& issue : CheckExcitingMotion(options, model, "/motion")) {
    text += issue.where + ": " + issue.what + "\n";
  }
  return text;
}

TEST_CASE("Options that contradict the robot are refused") {
  const RobotModel model = LoadRobot("kuka_lwr4_mdh").model;
  ExcitingMotionOptions options = OfStudy(ExcitationCriterion::kLogDet);
  CHECK(IssuesOf(options, model).empty());
  options.centre_q_rad = std::vector<double>(6, 0.0);
  CHECK(IssuesOf(options, model).starts_with("/motion/centre_q_rad: "));
  options.centre_q_rad.reset();
  RobotModel bare(
      "bare", "base", model.links(), model.gravity(),
      {model.limits().lower, model.limits().upper, Eigen::VectorXd::Constant(7, INFINITY),
       Eigen::VectorXd::Constant(7, INFINITY), model.limits().effort});
  CHECK(IssuesOf(options, bare) ==
        "/motion/floor_m: is given, and no sphere of the robot has to stay above a floor\n");
  options.floor_m.reset();
  options.torque_limits = false;
  CHECK(IssuesOf(options, bare) ==
        "/motion: nothing limits how fast these joints may move: joint1, joint2, joint3, joint4, "
        "joint5, joint6, joint7\n");
}

TEST_CASE("Where limits are to be written is shown; what no motor drives is its control's matter") {
  ExcitingMotionOptions options;
  const std::vector<Issue> issues =
      CheckExcitingMotion(options, LoadRobot("leg2").model, "/motion");
  REQUIRE(issues.size() == 1);
  CHECK(
      ConfigError("s.json", issues).what() ==
      std::string(
          "s.json: /motion: nothing limits how fast these joints may move: q2\n"
          "  a URDF states them itself: <limit … effort=\"40\" velocity=\"2\"/> in each <joint>\n"
          "  for any model file, write a robot.json beside it that names it, or add \"joints\" to "
          "the one that is there:\n"
          "    {\"name\": \"leg2\", \"title\": \"leg2\", \"model\": \"NAME OF THE MODEL FILE\",\n"
          "     \"joints\": {\"q2\": {\"velocity_limit_rad_s\": 2, "
          "\"acceleration_limit_rad_s2\": 10}}}\n"
          "  one limit is enough for a joint: of velocity, of acceleration, or of torque where "
          "torque_limits counts it"));
}

TEST_CASE("Options are read, and what cannot be is told") {
  const auto issues = [](const char* text) {
    ExcitingMotionOptions options;
    std::vector<Issue> found;
    ReadFields(Visit(options), Json::parse(text), "", found);
    std::string where;
    for (const Issue& issue : found) where += issue.where + " ";
    return where;
  };
  CHECK(issues(R"({"criterion": null, "curve": {"type": "fourier", "rest": false}})") == "");
  CHECK(issues(R"({"criterion": "jx"})") == "/criterion ");
  CHECK(issues(R"({"duration_s": 0.5})") == "/curve/waypoint_s ");
  CHECK(issues(R"({"curve": {"type": "fourier", "harmonics": 1}})") == "/curve/harmonics ");
  CHECK(issues(R"({"optimiser": {"rounds": 0, "evaluations": 0}})") ==
        "/optimiser/rounds /optimiser/evaluations ");
}

}  // namespace
}  // namespace idbench
