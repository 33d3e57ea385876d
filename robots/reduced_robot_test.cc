#include "robots/reduced_robot.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "robots/dynamics/dynamics.h"
#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/robot_file.h"
#include "robots/temporary_folder_test.h"
#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

/// Three turning joints with a gripper; a tool is fixed to the last link, a shelf to the world.
constexpr std::string_view kArmWithGrip = R"(<mujoco><worldbody>
  <body name="base"><inertial pos="0 0 0.1" mass="5" diaginertia="0.1 0.1 0.1"/>
    <body name="link1" pos="0 0 0.3"><joint name="j1" axis="0 0 1" range="-3 3"/>
      <inertial pos="0 0.1 0.1" mass="3" diaginertia="0.05 0.04 0.03"/>
      <body name="link2" pos="0 0.1 0.2"><joint name="j2" axis="1 0 0" range="-2 2"/>
        <inertial pos="0.05 0 0.2" mass="2" diaginertia="0.04 0.03 0.02"/>
        <body name="link3" pos="0 0 0.4"><joint name="j3" axis="1 0 0" range="-2 2"/>
          <inertial pos="0 0.02 0.1" mass="1" diaginertia="0.01 0.01 0.004"/>
          <body name="tool" pos="0 0 0.2" quat="1 0 1 0">
            <inertial pos="0.02 0 0.03" mass="0.3" diaginertia="0.001 0.001 0.001"/></body>
          <body name="finger" pos="0.02 0 0.25"><joint name="grip" type="slide" axis="0 1 0"/>
            <inertial pos="0 0 0.02" mass="0.1" diaginertia="1e-4 1e-4 1e-5"/></body>
        </body>
      </body>
    </body>
  </body>
  <body name="shelf" pos="1 0 0"><inertial pos="0 0 0.5" mass="9" diaginertia="1 1 1"/></body>
</worldbody></mujoco>)";

/// The robot.json of the arm: other inertias than the file's, friction of joints and of coupled
/// motors, a transmission, force/torque sensors.
std::string Description() {
  const auto body = [](const char* name, double mass) {
    return fmt::format(
        R"("{}": {{"mass_kg": {}, "com_m": [0.03, 0.02, 0.07],
                   "inertia_com_kgm2": [0.02, 0.03, 0.025, 0.001, -0.002, 0.003]}})",
        name, mass);
  };
  const auto joint = [](const char* name, double value) {
    return fmt::format(R"("{}": {{"viscous_nms_rad": {}, "coulomb_nm": 0.2, "offset_nm": 0.1,
                                  "rotor_inertia_kgm2": 0.05}})",
                       name, value);
  };
  return R"({"name": "arm", "title": "An arm", "model": "arm.xml", "nominal_set": "measured",
    "joints": {"j1": {"velocity_limit_rad_s": 2}, "grip": {"velocity_limit_rad_s": 0.1}},
    "transmission": {"motors": ["m1", "m2", "m3", "m4"],
      "matrix": [[100, 0, 0, 0], [0, 50, 0, 0], [0, -25, 25, 0], [0, 0, 0, 10]],
      "offset_rad": [0.1, 0.2, -0.3, 0.01]},
    "force_torque_sensors": {
      "waist": {"link": "link2", "point_m": [0, 0, 0.1], "rpy_rad": [0.3, 0, 0.1], "link_side": "distal"},
      "elbow": {"link": "link2", "point_m": [0, 0, 0.4], "link_side": "proximal"},
      "wrist": {"link": "link3", "link_side": "proximal"}},
    "terms": [{"type": "asymmetric_friction", "on": "motors", "motors": "m3"},
              {"type": "offset", "on": "sensors"}, {"type": "gain", "motors": "{m3, m4}"}],
    "sets": {"measured": {"source": "a test", "bodies": {)" +
         body("base", 4.0) + "," + body("link1", 3.5) + "," + body("link2", 2.5) + "," +
         body("link3", 1.5) + "," + body("finger", 0.2) + R"(}, "joints": {)" + joint("j1", 1.0) +
         "," + joint("j2", 0.8) + "," + joint("j3", 0.6) + "," + joint("grip", 0.4) +
         R"(}, "terms": {"m3.fc+": 0.01, "m3.fc-": 0.02, "m3.fv+": 0.003, "m3.fv-": 0.004,
                       "waist.offset_fx": 1, "waist.offset_mz": 2, "elbow.offset_fy": 3,
                       "elbow.offset_mx": 4, "wrist.offset_fz": 5, "m3.gain": 0.6, "m4.gain": 0.7}}}})";
}

std::string WriteArmWithGrip(const TemporaryFolder& folder) {
  folder.Write("robot.json", Description());
  return folder.Write("arm.xml", kArmWithGrip);
}

RobotPart ArmPart(std::string root, std::vector<std::string> joints,
                  Labelled<double> held_at = {}) {
  return {std::move(root), {std::move(joints)}, std::move(held_at)};
}

/// States of the whole robot in which the joints that a part holds stand where it holds them.
FixedStates InWhole(const FixedStates& states, const Robot& part, const Robot& whole) {
  const Eigen::Index rows = states.q.rows();
  FixedStates all{Eigen::MatrixXd::Zero(rows, whole.model.dofs()),
                  Eigen::MatrixXd::Zero(rows, whole.model.dofs()),
                  Eigen::MatrixXd::Zero(rows, whole.model.dofs())};
  for (const HeldJoint& held : part.held) {
    all.q.col(whole.model.JointIndex(held.name)).setConstant(held.position);
  }
  for (int i = 0; i < part.model.dofs(); ++i) {
    const int j = whole.model.JointIndex(part.model.link(i).joint);
    all.q.col(j) = states.q.col(i);
    all.qd.col(j) = states.qd.col(i);
    all.qdd.col(j) = states.qdd.col(i);
  }
  return all;
}

constexpr Eigen::Index kStateCount = 12;

TEST_CASE("A robot.json of the whole gives a part the torques of the whole at rest elsewhere") {
  const TemporaryFolder folder;
  const std::string file = WriteArmWithGrip(folder);
  const Robot whole = LoadRobot(file);
  for (const RobotPart& options : {ArmPart("", {"j1", "j3"}, {{"j2", 0.7}, {"grip", 0.02}}),
                                   ArmPart("", {"j{1..3}"}, {{"grip", 0.05}}),
                                   ArmPart("", {"j1, grip"}, {{"j2", -0.4}, {"j3", 1.1}})}) {
    CAPTURE(options.joints.patterns[0]);
    const Robot part = LoadRobot(file, options);
    CHECK(part.name == "arm");
    CHECK(part.set_names() == std::vector<std::string>{"measured"});
    CHECK(part.model.limits().velocity[0] == 2.0);
    const FixedStates states = MakeFixedStates(part.model, kStateCount, 7);
    const FixedStates all = InWhole(states, part, whole);
    const Dynamics own(part.model), theirs(whole.model);
    Dynamics::Scratch own_scratch(own), their_scratch(theirs);
    Eigen::MatrixXd tau(kStateCount, own.dofs()), wanted(kStateCount, theirs.dofs());
    own.InverseDynamics(part.FindSet("")->pi, states.samples(), own_scratch, tau);
    theirs.InverseDynamics(whole.FindSet("")->pi, all.samples(), their_scratch, wanted);
    for (int i = 0; i < own.dofs(); ++i) {
      const int j = whole.model.JointIndex(part.model.link(i).joint);
      // Friction, coupled motors and rotors too.
      CHECK((tau.col(i) - wanted.col(j)).cwiseAbs().maxCoeff() <=
            1e-12 * wanted.cwiseAbs().maxCoeff());
    }
    Eigen::MatrixXd wrench(kStateCount, 6), base(kStateCount, 6);
    own.BaseWrench(part.FindSet("")->pi, states.samples(), own_scratch, wrench);
    theirs.BaseWrench(whole.FindSet("")->pi, all.samples(), their_scratch, base);
    CHECK((wrench - base).cwiseAbs().maxCoeff() <= 1e-12 * base.cwiseAbs().maxCoeff());
    for (std::size_t k = 0; k < part.model.cuts().size(); ++k) {
      const int there = whole.model.CutIndex(part.model.cuts()[k].name);
      own.CutWrench(static_cast<int>(k), part.FindSet("")->pi, states.samples(), own_scratch,
                    wrench);
      theirs.CutWrench(there, whole.FindSet("")->pi, all.samples(), their_scratch, base);
      CHECK((wrench - base).cwiseAbs().maxCoeff() <= 1e-12 * base.cwiseAbs().maxCoeff());
    }
  }
}

TEST_CASE("A part has the offsets of its sensors and the gains of its motors, and no others") {
  const TemporaryFolder folder;
  const std::string file = WriteArmWithGrip(folder);
  const auto own_terms = [&](const RobotPart& options) {
    const Robot part = LoadRobot(file, options);
    const Eigen::VectorXd& pi = part.FindSet("")->pi;
    const std::vector<Term>& terms = part.model.terms();
    std::string text;
    for (std::size_t k = 0; k < terms.size(); ++k) {
      const Term& term = terms[k];
      const double value = pi[pi.size() - std::ssize(terms) + static_cast<Eigen::Index>(k)];
      if (value == 0.0) continue;
      text += fmt::format("{} {} on", term.name, value);
      for (const auto& [row, factor] : term.shares) text += fmt::format(" {}:{}", row, factor);
      if (term.rows == TermRows::kCut) text += fmt::format(" of cut {}", term.cut);
      if (term.rows == TermRows::kDrives) text += fmt::format(" of input {}", term.input);
      text += "; ";
    }
    return text;
  };
  CHECK(own_terms(ArmPart("", {"j1, grip"})) ==
        "wrist.offset_fz 5 on 2:1 of cut 0; m4.gain 0.7 on 1:-10 of input 1; ");
  CHECK(
      own_terms(ArmPart("link1", {"j{2..3}"})) ==
      "m3.fc+ 0.01 on 0:-25 1:25; m3.fc- 0.02 on 0:-25 1:25; m3.fv+ 0.003 on 0:-25 1:25; "
      "m3.fv- 0.004 on 0:-25 1:25; waist.offset_fx 1 on 0:1 of cut 0; waist.offset_mz 2 on 5:1 of "
      "cut 0; elbow.offset_fy 3 on 1:1 of cut 1; elbow.offset_mx 4 on 3:1 of cut 1; m3.gain 0.6 "
      "on 0:25 1:-25 of input 1; ");
}

std::vector<std::string> CutNames(const Robot& robot) {
  std::vector<std::string> names;
  for (const Cut& cut : robot.model.cuts()) names.push_back(cut.name);
  return names;
}

TEST_CASE("Sensors beyond which all or nothing of a link lies stay, the others are left out") {
  const TemporaryFolder folder;
  const std::string file = WriteArmWithGrip(folder);
  // The finger hangs on the hand side of the wrist, which the part's last link cannot tell.
  const Robot no_grip = LoadRobot(file, ArmPart("", {"j{1..3}"}));
  CHECK(CutNames(no_grip) == std::vector<std::string>{"waist", "elbow"});
  CHECK(std::ranges::find(no_grip.notes,
                          "force/torque sensors are left out, because no link of this part, or not "
                          "all of it, lies beyond them: wrist") != no_grip.notes.end());
  // All of link 2 and 3 lies beyond the waist and is part of link 1.
  CHECK(CutNames(LoadRobot(file, ArmPart("", {"j1, grip"}))) == std::vector<std::string>{"wrist"});
  CHECK(CutNames(LoadRobot(file, ArmPart("link1", {}))) ==
        std::vector<std::string>{"waist", "elbow", "wrist"});
  CHECK(CutNames(LoadRobot(file, ArmPart("link2", {}))) == std::vector<std::string>{"wrist"});
}

TEST_CASE("Positions of motors are those of the whole, and motors without a joint are left out") {
  const TemporaryFolder folder;
  const std::string file = WriteArmWithGrip(folder);
  const Robot whole = LoadRobot(file);
  const Robot part = LoadRobot(file, ArmPart("", {"j1", "j3"}, {{"j2", 0.7}}));
  CHECK(part.model.actuation().names == std::vector<std::string>{"m1", "m3"});
  CHECK(part.model.actuation().B == Eigen::Vector2d(100.0, 25.0).asDiagonal().toDenseMatrix());
  const Eigen::Vector2d q(0.4, -0.9);
  const Eigen::Vector4d all(0.4, 0.7, -0.9, 0.0);
  const Eigen::Vector2d own =
      part.model.actuation().B.transpose() * (q - part.model.actuation().zero);
  const Eigen::Vector4d theirs =
      whole.model.actuation().B.transpose() * (all - whole.model.actuation().zero);
  CHECK(own[0] == doctest::Approx(theirs[0]));
  CHECK(own[1] == doctest::Approx(theirs[2]));
  CHECK(
      std::ranges::find(part.notes, "motors that drive no joint that moves are left out: m2, m4") !=
      part.notes.end());
}

TEST_CASE("Motors that a part cannot tell apart are refused by name") {
  const TemporaryFolder folder;
  const std::string file = WriteArmWithGrip(folder);
  std::string message;
  try {
    LoadRobot(file, ArmPart("", {"j1", "j2"}));
  } catch (const PartError& error) {
    message = WithoutFolder(error.what(), error.source());
  }
  CHECK(
      message ==
      "arm.xml: /joints: the motors m1, m2, m3 drive the joints that move as fewer would, now that "
      "others are held\n  let all joints that a motor drives move, or hold all of them");
}

TEST_CASE("The base of a part has what its set says of it, else what the file says") {
  const TemporaryFolder folder;
  const std::string file = WriteArmWithGrip(folder);
  const auto mass = [&](const Robot& robot, int body) {
    return robot.FindSet("")->pi[ParameterLayout(robot.model).Body(body)];
  };
  const Robot arm = LoadRobot(file, ArmPart("link1", {}));
  CHECK(mass(arm, -1) == 3.5);  // a link of the whole, with its own entry
  CHECK(arm.left_out == std::vector<std::string>{"shelf"});
  // All bodies that a set names must be known, those that are left out too.
  std::string json = Description();
  json.replace(json.find("\"finger\""), 8, "\"thumb\"");
  folder.Write("robot.json", json);
  std::string message;
  try {
    LoadRobot(file, ArmPart("link1", {"j2"}));
  } catch (const ConfigError& error) {
    message = WithoutFolder(error.what(), error.source());
  }
  CHECK(message ==
        "robot.json: /sets/measured/bodies/thumb: the model has no such body\n"
        "  accepted here: base, link1, link2, link3, finger\n"
        "robot.json: /sets/measured/bodies/finger: missing");
}

TEST_CASE("A root that is fixed to a link has its own inertia from the file") {
  const TemporaryFolder folder;
  std::string text(kArmWithGrip);
  const std::string wheel =
      "<body name=\"wheel\"><joint name=\"turn\"/><inertial pos=\"0 0 0\" "
      "mass=\"0.05\" diaginertia=\"1e-5 1e-5 1e-5\"/></body>";
  text.insert(text.find("</body>", text.find("name=\"tool\"")), wheel);
  const std::string file = folder.Write("arm.xml", text);
  std::string json = Description();
  json.insert(json.find("\"finger\""), R"("wheel": {"mass_kg": 0.07, "com_m": [0, 0, 0],
      "inertia_com_kgm2": [1e-5, 1e-5, 1e-5, 0, 0, 0]},)");
  json.replace(json.find("\"transmission\""),
               json.find("\"force_torque") - json.find("\"transmission\""), "");
  json.replace(json.find("\"terms\": ["), json.find("\"sets\"") - json.find("\"terms\": ["), "");
  json.erase(json.rfind(", \"terms\""), json.rfind("}}}}") - json.rfind(", \"terms\"") + 1);
  folder.Write("robot.json", json);
  const Robot robot = LoadRobot(file, ArmPart("tool", {}));
  const ParameterLayout layout(robot.model);
  CHECK(robot.model.joint_names() == std::vector<std::string>{"turn"});
  CHECK(robot.FindSet("")->pi[layout.Body(-1)] == 0.3);  // the file's tool
  CHECK(robot.FindSet("")->pi[layout.Body(0)] == 0.07);  // the set's wheel
}

}  // namespace
}  // namespace idbench
