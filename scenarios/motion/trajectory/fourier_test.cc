#include "scenarios/motion/trajectory/fourier.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "scenarios/options/json.h"

namespace idbench {
namespace {

constexpr double kUnlimited = std::numeric_limits<double>::infinity();

double Zero(const Motion&) { return 0.0; }

/// Two revolute joints, of which the second has no limits, and a prismatic one with a lower stop.
RobotModel Robot(double velocity, double acceleration) {
  std::vector<Link> links(3);
  for (int i = 0; i < 3; ++i) {
    links[static_cast<std::size_t>(i)].name = "link" + std::to_string(i + 1);
    links[static_cast<std::size_t>(i)].joint = "joint" + std::to_string(i + 1);
    links[static_cast<std::size_t>(i)].parent = i - 1;
  }
  links[2].type = JointType::kPrismatic;
  JointLimits limits;
  limits.lower = Eigen::Vector3d(-1.0, -kUnlimited, 0.2);
  limits.upper = Eigen::Vector3d(3.0, kUnlimited, kUnlimited);
  limits.velocity = Eigen::Vector3d(velocity, kUnlimited, kUnlimited);
  limits.acceleration = Eigen::Vector3d(acceleration, kUnlimited, kUnlimited);
  limits.effort = Eigen::Vector3d::Constant(kUnlimited);
  return RobotModel("robot", "base", links, Eigen::Vector3d(0, 0, -9.81), limits);
}

/// Least and greatest of each signal of a joint on a grid that the design does not use.
struct Extent {
  double lower = kUnlimited, upper = -kUnlimited, speed = 0.0, acceleration = 0.0;
};
Extent ExtentOf(const Motion& motion, int joint, double period_s) {
  Extent extent;
  JointState state = JointState::Zero(3);
  constexpr int kPoints = 20011;
  for (int i = 0; i < kPoints; ++i) {
    motion.Evaluate(period_s * i / kPoints, state);
    extent.lower = std::min(extent.lower, state.q(joint));
    extent.upper = std::max(extent.upper, state.q(joint));
    extent.speed = std::max(extent.speed, std::abs(state.qd(joint)));
    extent.acceleration = std::max(extent.acceleration, std::abs(state.qdd(joint)));
  }
  return extent;
}

FourierMotion Design(const FourierOptions& options, double velocity = kUnlimited,
                     double acceleration = kUnlimited, std::int64_t trial = 0) {
  return DesignFourier(Robot(velocity, acceleration), options, 1, trial, Zero);
}

TEST_CASE("A single harmonic is the sine and cosine of its formula") {
  FourierSeries series{0.5, Eigen::VectorXd::Constant(1, 0.3), Eigen::MatrixXd::Constant(1, 1, 2.0),
                       Eigen::MatrixXd::Constant(1, 1, -1.0)};
  const FourierMotion motion(series, 4.0);
  const double w = std::numbers::pi;
  JointState state = JointState::Zero(1);
  for (const double t : {0.0, 0.1, 0.77, 3.9}) {
    motion.Evaluate(t, state);
    const double s = std::sin(w * t);
    const double c = std::cos(w * t);
    // Closed form: rounding only.
    CHECK(state.q(0) == doctest::Approx(0.3 + 2.0 / w * s + 1.0 / w * c).epsilon(1e-14));
    CHECK(state.qd(0) == doctest::Approx(2.0 * c - 1.0 * s).epsilon(1e-14));
    CHECK(state.qdd(0) == doctest::Approx(-2.0 * w * s - 1.0 * w * c).epsilon(1e-14));
  }
}

TEST_CASE("Velocity and acceleration are the derivatives of position") {
  const FourierMotion motion = Design({});
  JointState before = JointState::Zero(3);
  JointState now = JointState::Zero(3);
  JointState after = JointState::Zero(3);
  const double h = 1e-5;
  for (const double t : {0.5, 3.3, 8.1}) {
    motion.Evaluate(t - h, before);
    motion.Evaluate(t, now);
    motion.Evaluate(t + h, after);
    // Truncation h²/6·|d³q/dt³| ≤ 1e-9 and rounding 2e-16·|q|/h ≤ 1e-10 on signals of 1 to 30.
    CHECK((after.q - before.q).isApprox(2.0 * h * now.qd, 1e-7));
    CHECK((after.qd - before.qd).isApprox(2.0 * h * now.qdd, 1e-7));
  }
}

TEST_CASE("The motion repeats after one period") {
  const FourierMotion motion = Design({.base_frequency_hz = 0.25});
  JointState first = JointState::Zero(3);
  JointState second = JointState::Zero(3);
  motion.Evaluate(0.7, first);
  motion.Evaluate(4.7, second);
  CHECK(first.q.isApprox(second.q, 1e-13));  // rounding of the phase
  CHECK(first.qdd.isApprox(second.qdd, 1e-12));
}

TEST_CASE("A motion without tighter limits uses the stated part of the position range") {
  const FourierMotion motion = Design({.amplitude_fraction = 0.8});
  const double pi = std::numbers::pi;
  // Middle ± 0.8·half; ±π without a range; 2 m from the only stop of the prismatic joint.
  const double lower[] = {1.0 - 0.8 * 2.0, -0.8 * pi, 1.2 - 0.8};
  const double upper[] = {1.0 + 0.8 * 2.0, 0.8 * pi, 1.2 + 0.8};
  for (int j = 0; j < 3; ++j) {
    const Extent extent = ExtentOf(motion, j, 10.0);
    CHECK(extent.lower >= lower[j]);
    CHECK(extent.upper <= upper[j]);
    // The bound over all time is at most 1/cos(π/128) − 1 = 3.0e-4 wider than the extremes.
    CHECK(extent.upper - extent.lower > (1.0 - 3.1e-4) * (upper[j] - lower[j]));
  }
}

TEST_CASE("About a centre, a motion uses the stated part of the range on the nearer side") {
  const FourierMotion motion =
      Design({.amplitude_fraction = 0.5, .centre_q_rad = {{2.0, 0.3, 0.5}}});
  const double pi = std::numbers::pi;
  const double centre[] = {2.0, 0.3, 0.5};
  const double reach[] = {0.5 * 1.0, 0.5 * (pi - 0.3), 0.5 * 0.3};
  for (int j = 0; j < 3; ++j) {
    const Extent extent = ExtentOf(motion, j, 10.0);
    CHECK(extent.lower >= centre[j] - reach[j]);
    CHECK(extent.upper <= centre[j] + reach[j]);
    CHECK(extent.upper - extent.lower > (1.0 - 3.1e-4) * 2.0 * reach[j]);  // as above
  }
}

TEST_CASE("Velocity and acceleration limits hold at every instant and are reached") {
  const Extent slow = ExtentOf(Design({}, 0.5), 0, 10.0);
  CHECK(slow.speed <= 0.5);
  CHECK(slow.speed > 0.5 * (1.0 - 3.1e-4));
  const Extent gentle = ExtentOf(Design({}, 0.5, 0.2), 0, 10.0);
  CHECK(gentle.acceleration <= 0.2);
  CHECK(gentle.acceleration > 0.2 * (1.0 - 3.1e-4));
  CHECK(gentle.speed < 0.5);
}

TEST_CASE("Limits that are switched off do not bind") {
  const FourierOptions off{.velocity_limits = false, .acceleration_limits = false};
  CHECK(ExtentOf(Design(off, 0.5, 0.2), 0, 10.0).speed == ExtentOf(Design(off), 0, 10.0).speed);
}

TEST_CASE("The candidate of least cost is taken, and infinite costs lose") {
  std::vector<double> costs;
  const MotionCost third_is_best = [&](const Motion&) {
    const double all[] = {kUnlimited, std::nan(""), 2.0, 3.0, std::nan("")};
    costs.push_back(all[costs.size()]);
    return costs.back();
  };
  FourierOptions options{.candidates = 5};
  const FourierMotion best =
      DesignFourier(Robot(kUnlimited, kUnlimited), options, 1, 0, third_is_best);
  CHECK(costs.size() == 5);
  // Each of three candidates is better than the one before: the third again.
  double calls = 0.0;
  options.candidates = 3;
  const FourierMotion third = DesignFourier(Robot(kUnlimited, kUnlimited), options, 1, 0,
                                            [&](const Motion&) { return -++calls; });
  CHECK(best.series().a == third.series().a);
}

TEST_CASE("A single candidate needs no cost") {
  const FourierOptions options{.candidates = 1};
  const FourierMotion motion =
      DesignFourier(Robot(kUnlimited, kUnlimited), options, 1, 0, MotionCost());
  CHECK(motion.series().a.cols() == 5);
}

TEST_CASE("Candidates are compared on the design duration, the motion lasts its own") {
  std::vector<double> seen;
  FourierOptions options{.duration_s = 3.0, .design_duration_s = 20.0, .candidates = 4};
  const MotionCost cost = [&](const Motion& motion) {
    seen.push_back(motion.duration_s());
    return -static_cast<double>(seen.size());
  };
  const FourierMotion brief = DesignFourier(Robot(kUnlimited, kUnlimited), options, 1, 0, cost);
  options.duration_s = 60.0;
  const FourierMotion extended = DesignFourier(Robot(kUnlimited, kUnlimited), options, 1, 0, cost);
  CHECK(seen == std::vector<double>{20, 20, 20, 20, 20, 20, 20, 20});
  CHECK(brief.duration_s() == 3.0);
  CHECK(extended.duration_s() == 60.0);
}

TEST_CASE("A sweep over the duration keeps the coefficients") {
  const MotionCost cost = [](const Motion& motion) {
    JointState state = JointState::Zero(3);
    motion.Evaluate(motion.duration_s() / 3.0, state);
    return state.q(0);
  };
  const RobotModel robot = Robot(kUnlimited, kUnlimited);
  const FourierSeries brief =
      DesignFourier(robot, {.duration_s = 3.0, .design_duration_s = 20.0}, 1, 0, cost).series();
  const FourierSeries extended =
      DesignFourier(robot, {.duration_s = 60.0, .design_duration_s = 20.0}, 1, 0, cost).series();
  CHECK(brief.a == extended.a);
  CHECK(brief.b == extended.b);
}

TEST_CASE("Run faster, a motion has the same path, rates times k and accelerations times k²") {
  FourierOptions options{.duration_s = 12.0};
  const FourierMotion slow = Design(options, 1.0, 2.0);
  options.speed_factor = 4.0;
  const FourierMotion fast = Design(options, 1.0, 2.0);
  CHECK(fast.duration_s() == 12.0);
  JointState expected = JointState::Zero(3), state = JointState::Zero(3);
  for (const double t : {0.0, 0.3, 1.7, 2.9}) {
    slow.Evaluate(4.0 * t, expected);
    fast.Evaluate(t, state);
    CHECK((state.q - expected.q).norm() < 1e-14);  // round-off of some radians
    CHECK((state.qd - 4.0 * expected.qd).norm() < 1e-13);
    CHECK((state.qdd - 16.0 * expected.qdd).norm() < 1e-12);
  }
}

TEST_CASE("Stream, seed and, where drawn per trial, the trial key the motion") {
  const Eigen::MatrixXd a = Design({}).series().a;
  CHECK(Design({}).series().a == a);
  CHECK(Design({.stream = "validation"}).series().a != a);
  CHECK(Design({}, kUnlimited, kUnlimited, 7).series().a == a);
  const FourierOptions per_trial{.draw = Draw::kTrial};
  CHECK(Design(per_trial, kUnlimited, kUnlimited, 7).series().a !=
        Design(per_trial, kUnlimited, kUnlimited, 8).series().a);
  CHECK(DesignFourier(Robot(kUnlimited, kUnlimited), {}, 2, 0, Zero).series().a != a);
}

TEST_CASE("Contradictory coefficients are refused") {
  const FourierSeries series{0.1, Eigen::VectorXd::Zero(2), Eigen::MatrixXd::Zero(2, 3),
                             Eigen::MatrixXd::Zero(2, 4)};
  CHECK_THROWS_WITH_AS(FourierMotion(series, 1.0),
                       "FourierMotion: q0 has 2 joints, but a is 2 × 3 and b 2 × 4: expected "
                       "joints × harmonics",
                       std::invalid_argument);
  const FourierSeries still{0.1, Eigen::VectorXd::Zero(2), Eigen::MatrixXd::Zero(2, 3),
                            Eigen::MatrixXd::Zero(2, 3)};
  CHECK_THROWS_WITH_AS(FourierMotion(still, 0.0),
                       "FourierMotion: base frequency 0.1 Hz, duration 0 s: both must be positive",
                       std::invalid_argument);
}

TEST_CASE("Options outside their range are refused by name") {
  FourierOptions options;
  std::vector<Issue> issues;
  ReadFields(Visit(options),
             Json::parse(R"({"harmonics": 0, "amplitude_fraction": 1.5, "draw": "trail"})"),
             "/motion", issues);
  REQUIRE(issues.size() == 3);
  CHECK(ConfigError("s.json", issues).what() ==
        std::string("s.json: /motion/harmonics: got 0\n"
                    "  accepted here: an integer, at least 1 and at most 1000\n"
                    "s.json: /motion/amplitude_fraction: got 1.5\n"
                    "  accepted here: a number, greater than 0 and at most 1\n"
                    "s.json: /motion/draw: got \"trail\"\n"
                    "  accepted here: cell, trial\n"
                    "  did you mean 'trial'?"));
}

}  // namespace
}  // namespace idbench
