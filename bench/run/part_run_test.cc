#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "bench/captured_output_test.h"
#include "bench/cell/prepared_cell.h"
#include "bench/metrics/metrics.h"
#include "robots/dynamics/dynamics.h"
#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/robot.h"
#include "scenarios/options/json.h"
#include "scenarios/scenario_reader.h"

/// A part of a robot from its simulation over a log and its identification to the whole file.
namespace idbench {
namespace {

std::string UrdfLink(const std::string& name, double mass, double size) {
  return fmt::format(
      "<link name=\"{}\"><inertial><origin xyz=\"0.02 -0.01 {}\"/><mass value=\"{}\"/>"
      "<inertia ixx=\"{}\" ixy=\"0\" ixz=\"0\" iyy=\"{}\" iyz=\"0\" "
      "izz=\"{}\"/></inertial></link>\n",
      name, size, mass, mass * size * size, 1.1 * mass * size * size, 0.6 * mass * size * size);
}

std::string UrdfJoint(const std::string& name, const std::string& type, const std::string& parent,
                      const std::string& child, const std::string& origin, const std::string& axis,
                      const std::string& more = "") {
  return fmt::format(
      "<joint name=\"{}\" type=\"{}\"><origin {}/><parent link=\"{}\"/><child link=\"{}\"/>"
      "<axis xyz=\"{}\"/><limit lower=\"-2.5\" upper=\"2.5\" effort=\"90\" "
      "velocity=\"3\"/>{}</joint>\n",
      name, type, origin, parent, child, axis, more);
}

/// Seven turning joints, a hand, and two fingers of which one follows the other.
std::string ArmWithGripper() {
  std::string text =
      "<robot name=\"franka\">\n<!-- as calibrated -->\n" + UrdfLink("link0", 3.0, 0.1);
  for (int i = 1; i <= 7; ++i) {
    text += UrdfLink(fmt::format("link{}", i), 4.0 - 0.45 * i, 0.1);
    text += UrdfJoint(
        fmt::format("joint{}", i), "revolute", fmt::format("link{}", i - 1),
        fmt::format("link{}", i),
        i == 1 ? "xyz=\"0 0 0.3\""
               : fmt::format("xyz=\"0.03 0 0.2\" rpy=\"{} 0 0\"", i % 2 == 0 ? -1.5708 : 1.5708),
        "0 0 1");
  }
  return text + UrdfLink("hand", 0.7, 0.05) + UrdfLink("left_finger", 0.02, 0.02) +
         UrdfLink("right_finger", 0.02, 0.02) +
         UrdfJoint("mount", "fixed", "link7", "hand", "xyz=\"0 0 0.1\" rpy=\"0 0 -0.785\"",
                   "0 0 1") +
         UrdfJoint("finger1", "prismatic", "hand", "left_finger", "xyz=\"0 0 0.06\"", "0 1 0") +
         UrdfJoint("finger2", "prismatic", "hand", "right_finger", "xyz=\"0 0 0.06\"", "0 -1 0",
                   "<mimic joint=\"finger1\"/>") +
         "</robot>\n";
}

/// A humanoid of 44 joints that floats, beside a ball: arms and legs of 7 and 6 joints, hands of 6,
/// torso, neck and eyes.
std::string Humanoid() {
  int body = 0;
  const auto open = [&body](const std::string& name, const std::string& place, double mass) {
    const char* const axes[] = {"1 0 0", "0 1 0", "0 0 1"};
    const int k = body++;
    return fmt::format(
        "<body name=\"{0}_link\" pos=\"{1}\" euler=\"{2} 0 {3}\"><joint name=\"{0}\" axis=\"{4}\" "
        "range=\"-100 100\"/><inertial pos=\"0.01 0.02 -0.05\" mass=\"{5}\" "
        "diaginertia=\"{6} {7} {6}\"/>\n",
        name, place, k % 5, 3 * (k % 4), axes[k % 3], mass, 0.004 * mass, 0.005 * mass);
  };
  const auto chain = [&](const std::string& name, int joints, const std::string& place, double mass,
                         const std::string& end = "") {
    std::string text;
    for (int i = 1; i <= joints; ++i) {
      text += open(fmt::format("{}{}", name, i), i == 1 ? place : "0 0 -0.1", mass / i);
    }
    text += end;
    for (int i = 0; i < joints; ++i) text += "</body>";
    return text + "\n";
  };
  std::string text =
      "<mujoco model=\"humanoid\"><worldbody><body name=\"ball\"><freejoint/><geom "
      "size=\"0.1\"/></body>"
      "<body name=\"pelvis\" pos=\"0 0 1\"><freejoint name=\"floating\"/><inertial pos=\"0 0 0\" "
      "mass=\"6\" diaginertia=\"0.1 0.1 0.1\"/>\n";
  for (const char* side : {"left", "right"}) {
    text += chain(fmt::format("{}_leg", side), 6, "0 0.1 -0.1", 3.0);
  }
  text += open("torso1", "0 0 0.1", 2.0) + open("torso2", "0 0 0.1", 2.0) +
          open("torso3", "0 0 0.1", 5.0);
  for (const char* side : {"left", "right"}) {
    std::string hand;
    for (int finger = 1; finger <= 3; ++finger) {
      hand += chain(fmt::format("{}_finger{}_", side, finger), 2,
                    fmt::format("0 {} -0.1", 0.02 * finger), 0.05);
    }
    text += chain(fmt::format("{}_arm", side), 7, "0 0.2 0.2", 2.0, hand);
  }
  return text + chain("neck", 3, "0 0 0.3", 1.0) +
         "</body></body></body></body></worldbody></mujoco>\n";
}

/// A run of a part with least squares.
struct PartRun {
  Json robot;        ///< /robot of the scenarios.
  int joints;        ///< That move.
  std::string name;  ///< Of the model file.
};

Json SimulationOf(const PartRun& part) {
  Json json = ParseJson(R"({"name": "simulated",
    "control": {"type": "exact_replay"},
    "experiments": {"run1": {"motion": {"type": "fourier", "base_frequency_hz": 0.3, "duration_s": 4, "candidates": 1}}},
    "sensors": {"joint_torque": {"noise_std_nm": 0.001}},
    "problem": {"prior": {}}, "estimators": {"ols": {}}, "trials": 1, "timing_trials": 1})",
                        "simulation");
  json["robot"] = part.robot;
  json["robot"]["truth"] = {{"mass_scale", 1.1}, {"inertia_scale", 1.15}};
  return json;
}

Json RecordingOf(const PartRun& part, const std::filesystem::path& series) {
  Json json =
      ParseJson(R"({"name": "recorded", "experiments": {"run1": {"file": "cell0_run1_trial0.csv"}},
    "problem": {"prior": {}}, "estimators": {"ols": {}}, "timing_trials": 1})",
                "recording");
  const auto columns = [&](const char* name, const char* unit) {
    return fmt::format("{}{{1..{}}}_{}", name, part.joints, unit);
  };
  json["recording"] = {{"root", series.string()},
                       {"columns",
                        {{"time", "t_s"},
                         {"joint_position", columns("q", "rad")},
                         {"joint_velocity", columns("qd", "rad_s")},
                         {"joint_acceleration", columns("qdd", "rad_s2")},
                         {"joint_torque", columns("tau", "nm")}}}};
  json["robot"] = part.robot;
  return json;
}

/// Joint torques of a robot's bodies, in the states of a part of it.
Eigen::MatrixXd TorquesOf(const Robot& robot, const Robot& part, const FixedStates& states) {
  const Eigen::Index rows = states.q.rows();
  const int n = robot.model.dofs();
  Eigen::MatrixXd q = Eigen::MatrixXd::Zero(rows, n), qd = q, qdd = q, tau = q;
  for (const HeldJoint& held : part.held) {
    const int joint = robot.model.JointIndex(held.name);
    if (joint >= 0) q.col(joint).setConstant(held.position);
  }
  std::vector<Eigen::Index> moving;
  for (int i = 0; i < part.model.dofs(); ++i) {
    moving.push_back(robot.model.JointIndex(part.model.link(i).joint));
    q.col(moving.back()) = states.q.col(i);
    qd.col(moving.back()) = states.qd.col(i);
    qdd.col(moving.back()) = states.qdd.col(i);
  }
  Eigen::VectorXd pi = robot.FindSet("")->pi;
  pi.tail(ParameterLayout(robot.model).term_count()).setZero();
  const Dynamics dynamics(robot.model);
  Dynamics::Scratch scratch(dynamics);
  dynamics.InverseDynamics(pi, {q, qd, qdd}, scratch, tau);
  return tau(Eigen::all, moving);
}

/// Simulates the part, identifies it from the log of that, exports it, and checks the whole file.
void CheckRoundTrip(const PartRun& part, const TemporaryFolder& folder) {
  const std::filesystem::path simulated = folder / "simulated";
  const ProgramResult simulation = Call({"run", folder.Write("s.json", SimulationOf(part).dump()),
                                         "--out", simulated.string(), "--jobs", "1"});
  CAPTURE(simulation.errors);
  REQUIRE(simulation.code == 0);
  const Json recording = RecordingOf(part, simulated / "series");
  const std::string out = (folder / "recorded").string();
  const ProgramResult result = Call({"run", folder.Write("r.json", recording.dump()), "--out", out,
                                     "--export", (folder / "new").string()});
  CAPTURE(result.output);
  CAPTURE(result.errors);
  REQUIRE(result.code == 0);

  const std::string file = folder / "new" / "ols" / part.name;
  const LoadedScenario loaded = LoadScenario(recording, "test", {}, AllMetrics());
  const Robot again = LoadRobot(file, loaded.robot.part);
  CHECK(again.nominal_set == "identified");
  CHECK(again.model.dofs() == part.joints);
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  const Eigen::VectorXd x = context.problem().parameters.FromPi(again.FindSet("")->pi);
  const Json identified = ReadJsonFile(folder / "recorded" / "identified.json");
  const Json& parameters = identified["cells"][0]["estimators"][0]["parameters"];
  REQUIRE(parameters.size() == static_cast<std::size_t>(x.size()));
  for (Eigen::Index k = 0; k < x.size(); ++k) {
    const double wanted = parameters[static_cast<std::size_t>(k)]["value"].get<double>();
    CHECK(std::abs(x[k] - wanted) <= 1e-10);  // round-off of numbers of 1 and their null space
  }
  // The whole file with those joints at rest.
  const FixedStates states = MakeFixedStates(again.model, 20, 13);
  const Eigen::MatrixXd tau = TorquesOf(again, again, states);
  const Eigen::MatrixXd wanted = TorquesOf(LoadWhole(again), again, states);
  CHECK((tau - wanted).cwiseAbs().maxCoeff() <= 1e-9 * tau.cwiseAbs().maxCoeff());
  // It is not the robot that was there before.
  const Eigen::MatrixXd before = TorquesOf(loaded.robot, again, states);
  CHECK((tau - before).cwiseAbs().maxCoeff() >= 0.01 * tau.cwiseAbs().maxCoeff());
}

TEST_CASE(
    "An arm with a gripper is identified from a log of its seven joints, and exported whole") {
  const TemporaryFolder folder;
  const std::string file = folder.Write("franka.urdf", ArmWithGripper());
  CheckRoundTrip({{{"model", file},
                   {"joints", "joint{1..7}"},
                   {"held_at", {{"finger1", 0.03}, {"finger2", 0.03}}}},
                  7,
                  "franka.urdf"},
                 folder);
  CHECK(ReadText(folder / "new" / "ols" / "franka.urdf").find("<!-- as calibrated -->") !=
        std::string::npos);
}

TEST_CASE("An arm of a humanoid is identified from a log of its joints, and exported whole") {
  const TemporaryFolder folder;
  const std::string file = folder.Write("humanoid.xml", Humanoid());
  REQUIRE(LoadRobot(file).model.dofs() == 44);
  CheckRoundTrip({{{"model", file},
                   {"root", "torso3_link"},
                   {"joints", {"right_arm{1..7}"}},
                   {"held_at", {{"torso1", 0.2}, {"right_finger2_1", 0.5}, {"left_arm3", -0.4}}}},
                  7,
                  "humanoid.xml"},
                 folder);
}

TEST_CASE("--merge-locked wants an export") {
  const TemporaryFolder folder;
  const std::string file = folder.Write("franka.urdf", ArmWithGripper());
  const PartRun part{{{"model", file}, {"joints", "joint{1..7}"}}, 7, "franka.urdf"};
  CHECK(Call({"run", folder.Write("s.json", SimulationOf(part).dump()), "--merge-locked"}).errors ==
        "--merge-locked: needs --export, the folder to write to\n");
}

}  // namespace
}  // namespace idbench
