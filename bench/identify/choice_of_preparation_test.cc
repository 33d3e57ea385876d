#include "bench/identify/choice_of_preparation.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <numbers>
#include <random>
#include <string>

#include "bench/identify/lab_logs.h"
#include "robots/dynamics/dynamics.h"
#include "robots/recording/csv.h"
#include "robots/robot.h"
#include "robots/temporary_folder_test.h"

namespace idbench {
namespace {

constexpr double kLogDuration = 20.0, kSampleRate = 100.0;
constexpr Eigen::Index kSamples = 2000;

/// A mast that turns about the vertical and a lift on it. Neither moves the other:
/// τ₁ = I·q̈₁ + friction, f₂ = m·(q̈₂ + g) + friction.
constexpr const char* kMast = R"(<robot name="mast"><link name="base"/>
<link name="column"><inertial><mass value="5"/>
  <inertia ixx="0.4" iyy="0.4" izz="0.5" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="lift"><inertial><mass value="2"/>
  <inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="turn" type="continuous"><parent link="base"/><child link="column"/>
  <axis xyz="0 0 1"/></joint>
<joint name="rise" type="prismatic"><parent link="column"/><child link="lift"/><axis xyz="0 0 1"/>
  <limit lower="-2" upper="2" effort="100" velocity="5"/></joint></robot>)";

/// Position, velocity and acceleration of a joint.
struct OneJoint {
  double q, qd, qdd;
};

OneJoint TwoSines(double t, double slow_hz, double fast_hz) {
  const double w = 2.0 * std::numbers::pi * slow_hz, v = 2.0 * std::numbers::pi * fast_hz;
  return {std::sin(w * t) + 0.3 * std::sin(v * t), w * std::cos(w * t) + 0.3 * v * std::cos(v * t),
          -w * w * std::sin(w * t) - 0.3 * v * v * std::sin(v * t)};
}

/// Rests from 49 % to 71 % of the log, around the tuning time; sin⁴ of whole half periods else.
OneJoint Rise(double t) {
  const double from = 0.49 * kLogDuration, until = 0.71 * kLogDuration;
  if (t >= from && t <= until) return {0.0, 0.0, 0.0};
  constexpr int kHalfPeriods = 5;
  const double since = t < from ? t : t - until;
  const double w = std::numbers::pi * kHalfPeriods / (t < from ? from : kLogDuration - until);
  const double s = std::sin(w * since), c = std::cos(w * since);
  return {s * s * s * s, 4.0 * w * s * s * s * c, 4.0 * w * w * s * s * (3.0 * c * c - s * s)};
}

/// @param values  kSamples × 5: time, positions and, to which noise is added, torques.
LabLogs LogsWith(const TemporaryFolder& folder, const std::string& robot, Eigen::MatrixXd values) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  for (double& torque : values.rightCols(2).reshaped()) torque += 0.02 * normal(random);
  std::ofstream stream(folder / "log.csv");
  WriteCsv(stream, {"t_s", "q1", "q2", "tau1", "tau2"}, values);
  stream.close();
  IdentifyOptions options;
  options.robot = robot;
  options.logs = {folder / "log.csv"};
  return ReadLabLogs(options);
}

TEST_CASE("A joint that rests in the tuning time does not hide what the others tell") {
  const double width = 0.2;  // of the column's Coulomb friction [rad/s]
  Eigen::MatrixXd values(kSamples, 5);
  for (Eigen::Index i = 0; i < kSamples; ++i) {
    const double t = static_cast<double>(i) / kSampleRate;
    const OneJoint turn = TwoSines(t, 0.4, 0.7), rise = Rise(t);
    values.row(i) << t, turn.q, rise.q, 0.7 * turn.qdd + 0.5 * turn.qd + std::tanh(turn.qd / width),
        2.6 * (rise.qdd + 9.81) + 3.0 * rise.qd;
  }
  const TemporaryFolder folder;
  const LabLogs logs = LogsWith(folder, folder.Write("mast.urdf", kMast), values);
  const MotionFacts facts = LookAtMotion(logs);
  CHECK(facts.coulomb_widths_rad_s.back() == doctest::Approx(width).epsilon(0.1));
  const ChosenPreparation chosen = ChoosePreparation(logs, facts, folder / "tuning", 1, nullptr);
  CHECK(chosen.preparation.coulomb_width_rad_s.values.front() ==
        doctest::Approx(width).epsilon(0.03));
  REQUIRE(chosen.sentences.size() == 6);
}

TEST_CASE("Joints whose friction is smooth at other speeds have widths of their own") {
  const double turns = 0.03, rises = 0.27;  // widths of their Coulomb friction [rad/s, m/s]
  Eigen::MatrixXd values(kSamples, 5);
  for (Eigen::Index i = 0; i < kSamples; ++i) {
    const double t = static_cast<double>(i) / kSampleRate;
    const OneJoint turn = TwoSines(t, 0.4, 0.7), rise = TwoSines(t, 0.6, 0.3);
    values.row(i) << t, turn.q, rise.q,
        0.7 * turn.qdd + 0.5 * turn.qd + 2.0 * std::tanh(turn.qd / turns),
        2.6 * (rise.qdd + 9.81) + 3.0 * rise.qd + 8.0 * std::tanh(rise.qd / rises);
  }
  const TemporaryFolder folder;
  const LabLogs logs = LogsWith(folder, folder.Write("mast.urdf", kMast), values);
  const ChosenPreparation chosen =
      ChoosePreparation(logs, LookAtMotion(logs), folder / "tuning", 1, nullptr);
  const std::vector<double>& widths = chosen.preparation.coulomb_width_rad_s.values;
  REQUIRE(widths.size() == 2);
  CHECK(widths[0] == doctest::Approx(turns).epsilon(0.03));
  CHECK(widths[1] == doctest::Approx(rises).epsilon(0.03));
  REQUIRE(chosen.sentences.size() == 6);
  CHECK(
      chosen.sentences[0].starts_with("each choice below is the simplest within 5 % of the least"));
  CHECK(chosen.sentences[3] ==
        fmt::format("widths of Coulomb friction that are used, of each joint that of the least "
                    "torque error in all of the fitted time, between those tried too: {:g}, {:g} "
                    "rad/s",
                    widths[0], widths[1]));
  CHECK_FALSE(chosen.preparation.stribeck);
}

TEST_CASE(
    "Friction that the robot's file declares, as an identified one does, is not chosen again") {
  Eigen::MatrixXd values(kSamples, 5);
  for (Eigen::Index i = 0; i < kSamples; ++i) {
    const double t = static_cast<double>(i) / kSampleRate;
    const OneJoint turn = TwoSines(t, 0.4, 0.7), rise = TwoSines(t, 0.6, 0.3);
    values.row(i) << t, turn.q, rise.q, 0.7 * turn.qdd + (turn.qd > 0.0 ? 3.0 : 2.0) * turn.qd,
        2.6 * (rise.qdd + 9.81) + 3.0 * rise.qd;
  }
  const TemporaryFolder folder;
  folder.Write("mast.urdf", kMast);
  const std::string robot =
      folder.Write("robot.json", R"({"name": "mast", "title": "A mast", "model": "mast.urdf",
    "nominal_set": "file", "terms": [{"type": "asymmetric_friction"}],
    "sets": {"file": {"source": "a test", "bodies": {
      "base": {"mass_kg": 1, "com_m": [0, 0, 0], "inertia_com_kgm2": [0.1, 0.1, 0.1, 0, 0, 0]},
      "column": {"mass_kg": 5, "com_m": [0, 0, 0], "inertia_com_kgm2": [0.4, 0.4, 0.5, 0, 0, 0]},
      "lift": {"mass_kg": 2, "com_m": [0, 0, 0], "inertia_com_kgm2": [0.01, 0.01, 0.01, 0, 0, 0]}}}}})");
  const LabLogs logs = LogsWith(folder, robot, values);
  const ChosenPreparation chosen =
      ChoosePreparation(logs, LookAtMotion(logs), folder / "tuning", 1, nullptr);
  CHECK_FALSE(chosen.preparation.asymmetric);
  CHECK(chosen.sentences.back().starts_with("further friction: "));
  CHECK(chosen.sentences.back().find("(of 2 tried") != std::string::npos);
}

/// planar2 with a heavy rotor at its elbow, whose torques are those of `ahead_s` later.
Preparation ChosenWithRotor(double ahead_s) {
  const Robot robot = LoadRobot("planar2");
  const Dynamics dynamics(robot.model);
  Eigen::VectorXd pi = robot.FindSet("")->pi;
  pi[ParameterLayout(robot.model).Joint(1, JointParameter::kRotorInertia)] = 1.5;
  Eigen::MatrixXd q(kSamples, 2), qd(kSamples, 2), qdd(kSamples, 2), tau(kSamples, 2),
      values(kSamples, 5);
  for (Eigen::Index i = 0; i < kSamples; ++i) {
    const double t = static_cast<double>(i) / kSampleRate;
    values.row(i) << t, TwoSines(t, 0.4, 0.7).q, TwoSines(t, 0.6, 0.3).q, 0.0, 0.0;
    const OneJoint joints[] = {TwoSines(t + ahead_s, 0.4, 0.7), TwoSines(t + ahead_s, 0.6, 0.3)};
    for (int j = 0; j < 2; ++j) {
      q(i, j) = joints[j].q;
      qd(i, j) = joints[j].qd;
      qdd(i, j) = joints[j].qdd;
    }
  }
  Dynamics::Scratch scratch(dynamics);
  dynamics.InverseDynamics(pi, {q, qd, qdd}, scratch, tau);
  values.rightCols(2) = tau;
  const TemporaryFolder folder;
  const LabLogs logs = LogsWith(folder, "planar2", values);
  return ChoosePreparation(logs, LookAtMotion(logs), folder / "tuning", 1, nullptr).preparation;
}

TEST_CASE("That torques are held over a sample is told where rotors make much of them, too") {
  const Preparation held = ChosenWithRotor(0.5 / kSampleRate);
  CHECK(held.rotor_inertia);
  CHECK(held.held_torque);
  const Preparation sampled = ChosenWithRotor(0.0);
  CHECK(sampled.rotor_inertia);
  CHECK_FALSE(sampled.held_torque);
}

}  // namespace
}  // namespace idbench
