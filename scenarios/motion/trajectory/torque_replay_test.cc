#include "scenarios/motion/trajectory/torque_replay.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>

#include "robots/temporary_folder_test.h"
#include "scenarios/motion/limited_robot_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

Eigen::VectorXd TorqueAt(const TorqueReplayOptions& options, double t,
                         const RobotModel& model = LimitedRobot()) {
  Eigen::VectorXd tau(2);
  MakeTorqueLaw(options, ReadTorqueTable(options, model), model)->At(t, tau);
  return tau;
}

std::unique_ptr<Motion> InitialStateOf(const TorqueReplayOptions& options) {
  return MakeInitialState(options, ReadTorqueTable(options, LimitedRobot()), LimitedRobot());
}

/// The same arm with one motor, between upper and lower link.
RobotModel OneMotor() {
  RobotModel model = LimitedRobot();
  model.SetActuation({{"cable"}, Eigen::Vector2d(-0.5, 1.0)});
  return model;
}

std::string TorqueReplayIssues(const std::string& text, const RobotModel& model = LimitedRobot()) {
  TorqueReplayOptions options;
  std::vector<Issue> issues;
  ReadFields(Visit(options), Json::parse(text), "/control", issues);
  if (issues.empty()) issues = CheckTorqueReplay(options, model, "/control");
  return issues.empty() ? "" : ConfigError("s.json", issues).what();
}

TEST_CASE("Sines sum up, with their phases and offset; a motor that is not named has no torque") {
  TorqueReplayOptions options{.q_rad = {0.0, 0.0}, .qd_rad_s = {}, .duration_s = 5.0};
  options.actuators = {{"elbow", {{2.0, 3.0}, {0.5, 4.0}, {0.1, -1.0}, 7.0, {}, {}}}};
  for (const double t : {0.0, 0.3, 2.7}) {
    const double pi = std::numbers::pi;
    const Eigen::VectorXd tau = TorqueAt(options, t);
    CHECK(tau(0) == 0.0);
    // Closed form, rounding of the phase.
    CHECK(tau(1) ==
          doctest::Approx(7.0 + 2.0 * std::sin(pi * t + 0.1) + 3.0 * std::sin(8.0 * pi * t - 1.0))
              .epsilon(1e-13));
  }
  options.actuators = {{"elbow", {{2.0}, {0.25}, {}, 0.0, {}, {}}}};
  CHECK(TorqueAt(options, 1.0)(1) == doctest::Approx(2.0).epsilon(1e-15));  // no phase: sin(π/2)
}

TEST_CASE("A table is interpolated or held, and behind its end the last torque stays") {
  const TemporaryFolder folder;
  const std::string file =
      folder.Write("table.csv", "t_s,tau1_nm,tau2_nm\n10,1,0\n10.5,2,-4\n12,5,-4\n");
  TorqueReplayOptions options{.q_rad = {0.0, 0.0}, .qd_rad_s = {}};
  options.file.emplace(file);
  CHECK(TorqueAt(options, 0.0) == Eigen::Vector2d(1, 0));
  CHECK(TorqueAt(options, 0.25) == Eigen::Vector2d(1.5, -2));
  CHECK(TorqueAt(options, 0.5) == Eigen::Vector2d(2, -4));
  CHECK(TorqueAt(options, 1.25) == Eigen::Vector2d(3.5, -4));
  CHECK(TorqueAt(options, 2.0) == Eigen::Vector2d(5, -4));
  CHECK(TorqueAt(options, 9.0) == Eigen::Vector2d(5, -4));
  options.interpolation = TorqueInterpolation::kHold;
  CHECK(TorqueAt(options, 0.49) == Eigen::Vector2d(1, 0));
  CHECK(TorqueAt(options, 0.5) == Eigen::Vector2d(2, -4));

  CHECK(InitialStateOf(options)->duration_s() == 2.0);
  options.duration_s = 1.5;
  CHECK(InitialStateOf(options)->duration_s() == 1.5);
}

TEST_CASE("The experiment starts in the stated state, at rest by default") {
  TorqueReplayOptions options{.q_rad = {0.5, -1.0}, .qd_rad_s = {}, .duration_s = 5.0};
  JointState state = JointState::Zero(2);
  InitialStateOf(options)->Evaluate(0.0, state);
  CHECK(state.q == Eigen::Vector2d(0.5, -1.0));
  CHECK(state.qd == Eigen::Vector2d::Zero());
  options.qd_rad_s = {2.0, 3.0};
  InitialStateOf(options)->Evaluate(0.0, state);
  CHECK(state.qd == Eigen::Vector2d(2.0, 3.0));
  options.duration_s.reset();
  CHECK_THROWS_WITH_AS(InitialStateOf(options),
                       "MakeInitialState: neither the options nor a file say how long",
                       std::invalid_argument);
}

TEST_CASE("Contradictions are refused") {
  const std::string sine = R"("actuators": {"elbow": {"amplitude_nm": [1], "frequency_hz": [2]}})";
  CHECK(TorqueReplayIssues(R"({"q_rad": [0, 0], "duration_s": 1, )" + sine + "}").empty());
  CHECK(TorqueReplayIssues(R"({"q_rad": [0, 0], )" + sine + "}") ==
        "s.json: /control/duration_s: missing\n  needed here: series have no end of their own");
  CHECK(TorqueReplayIssues(R"({"q_rad": [0, 0]})") ==
        "s.json: /control/actuators: missing, and so is file\n"
        "  give the torque either as a file or as series of motors");
  CHECK(TorqueReplayIssues(R"({"q_rad": [0, 0], "file": "x.csv", )" + sine + "}") ==
        "s.json: /control/file: is given together with actuators\n"
        "  give the torque either as a file or as series of motors");
  CHECK(TorqueReplayIssues(R"({"q_rad": [0, 0], "duration_s": 1, "actuators": {"elbow":
                       {"amplitude_nm": [1, 2], "frequency_hz": [1], "phase_rad": [1, 2, 3]}}})") ==
        "s.json: /control/actuators/elbow/frequency_hz: got a list of 1 for 2 amplitudes\n"
        "  one for each sine is needed\n"
        "s.json: /control/actuators/elbow/phase_rad: got a list of 3 for 2 amplitudes\n"
        "  one for each sine is needed");
  CHECK(TorqueReplayIssues(R"({"q_rad": [0, 4], "qd_rad_s": [1], "duration_s": 1,
                       "actuators": {"elbo": {}}})") ==
        "s.json: /control/q_rad/1: got 4, out of the range of joint 'elbow'\n"
        "  accepted here: -3 to 3\n"
        "s.json: /control/qd_rad_s: got a list of 1\n"
        "  accepted here: one number for each of shoulder, elbow\n"
        "s.json: /control/actuators/elbo: unknown motor\n"
        "  accepted here: shoulder, elbow\n  did you mean 'elbow'?");
  CHECK(TorqueReplayIssues(R"({"q_rad": [0, 0], "file": "/nowhere/tau.csv"})")
            .find("s.json: /control/file: /nowhere/tau.csv: cannot be read") == 0);
}

TEST_CASE("Chebyshev polynomials run from -1 to 1 in their period, beside sines and offset") {
  TorqueReplayOptions options{.q_rad = {0.0, 0.0}, .qd_rad_s = {}, .duration_s = 0.5};
  options.actuators = {{"elbow", {{2.0}, {0.5}, {}, 7.0, {1.5, -3.0, 0.25, 4.0, -2.5}, 0.5}},
                       {"shoulder", {{}, {}, {}, 0.0, {0.75}, 0.5}}};
  for (const double t : {0.0, 0.07, 0.25, 0.4, 0.5}) {
    // T_k(cos φ) = cos(kφ)
    const double phi = std::acos(4.0 * t - 1.0);
    const double series = 1.5 - 3.0 * std::cos(phi) + 0.25 * std::cos(2.0 * phi) +
                          4.0 * std::cos(3.0 * phi) - 2.5 * std::cos(4.0 * phi);
    const Eigen::VectorXd tau = TorqueAt(options, t);
    // Closed form, rounding of numbers up to 20.
    CHECK(std::abs(tau(1) - 7.0 - 2.0 * std::sin(std::numbers::pi * t) - series) < 1e-13);
    CHECK(tau(0) == 0.75);
  }
}

TEST_CASE("Motors drive the joints as the robot says") {
  TorqueReplayOptions options{.q_rad = {0.0, 0.0}, .qd_rad_s = {}, .duration_s = 1.0};
  options.actuators = {
      {"cable", {.amplitude_nm = {}, .frequency_hz = {}, .phase_rad = {}, .offset_nm = 6.0}}};
  CHECK(TorqueAt(options, 0.5, OneMotor()) == Eigen::Vector2d(-3.0, 6.0));
  const TemporaryFolder folder;
  TorqueReplayOptions table{.q_rad = {0.0, 0.0}, .qd_rad_s = {}};
  table.file = folder.Write("table.csv", "t_s,tau1_nm\n0,2\n1,4\n");
  CHECK(TorqueAt(table, 0.5, OneMotor()) == Eigen::Vector2d(-1.5, 3.0));
}

TEST_CASE("Effort limits clip the torque of joints with motors of their own") {
  TorqueReplayOptions options{.q_rad = {0.0, 0.0}, .qd_rad_s = {}, .duration_s = 1.0};
  options.actuators = {
      {"shoulder", {.amplitude_nm = {}, .frequency_hz = {}, .phase_rad = {}, .offset_nm = -30.0}}};
  CHECK(TorqueAt(options, 0.0) == Eigen::Vector2d(-30.0, 0.0));
  options.effort_limits = true;
  CHECK(TorqueAt(options, 0.0) == Eigen::Vector2d(-10.0, 0.0));
  CHECK(TorqueReplayIssues(R"({"q_rad": [0, 0], "duration_s": 1, "effort_limits": true,
                       "actuators": {"cable": {"offset_nm": 1}}})",
                           OneMotor()) ==
        "s.json: /control/effort_limits: effort limits are those of joints, but the robot has not "
        "one motor for each joint\n"
        "  set it to false");
}

TEST_CASE("Polynomials that nobody bounds are refused") {
  const auto issues = [](const std::string& elbow) {
    return TorqueReplayIssues(R"({"q_rad": [0, 0], "duration_s": 1, "actuators": {"elbow": )" +
                              elbow + "}}");
  };
  CHECK(issues(R"({"chebyshev_nm": [1, 2], "chebyshev_period_s": 1})").empty());
  CHECK(issues(R"({"chebyshev_nm": [1, 2]})") ==
        "s.json: /control/actuators/elbow/chebyshev_period_s: missing\n"
        "  give chebyshev_nm and chebyshev_period_s together");
  CHECK(issues(R"({"chebyshev_period_s": 1})") ==
        "s.json: /control/actuators/elbow/chebyshev_nm: missing\n"
        "  give chebyshev_nm and chebyshev_period_s together");
  CHECK(issues(R"({"chebyshev_nm": [1, 2], "chebyshev_period_s": 0.75})") ==
        "s.json: /control/actuators/elbow/chebyshev_period_s: is 0.75 s, and duration_s 1 s\n"
        "  beyond their period the polynomials grow without bounds");
}

TEST_CASE("A motor that the robot has not is refused") {
  TorqueReplayOptions options{.q_rad = {0.0, 0.0}, .qd_rad_s = {}};
  options.actuators = {{"wrist", {}}};
  CHECK_THROWS_WITH_AS(MakeTorqueLaw(options, {}, LimitedRobot()),
                       "MakeTorqueLaw: no such motor: 'wrist'", std::invalid_argument);
}

TEST_CASE("The torque of a file needs what the file holds") {
  const TorqueReplayOptions options{.q_rad = {0.0, 0.0}, .qd_rad_s = {}, .file = "tau.csv"};
  CHECK_THROWS_WITH_AS(MakeTorqueLaw(options, {}, LimitedRobot()),
                       "MakeTorqueLaw: what the file holds is missing", std::invalid_argument);
}

}  // namespace
}  // namespace idbench
