#include "robots/part_plan.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/mujoco_reference_test.h"
#include "robots/self_check.h"
#include "robots/temporary_folder_test.h"
#include "scenarios/options/json.h"
#include "scenarios/options/utf8.h"

namespace idbench {
namespace {

RobotPart Part(std::string root, std::vector<std::string> joints, Labelled<double> held_at = {}) {
  return {std::move(root), {std::move(joints)}, std::move(held_at)};
}

std::string Refusal(const std::string& file, const RobotPart& part) {
  try {
    LoadRobot(file, part);
  } catch (const ConfigError& error) {
    return WithoutFolder(error.what(), error.source());
  }
  return "none";
}

/// Greatest difference between the joint torques of a part and those of MuJoCo's whole model whose
/// other joints stand where they are held, over the greatest torque.
double ErrorAgainstWhole(const Robot& part, MujocoReference& whole) {
  const auto id = [&](const std::string& joint) {
    const int found = mj_name2id(whole.model.get(), mjOBJ_JOINT, joint.c_str());
    REQUIRE(found >= 0);
    return found;
  };
  constexpr Eigen::Index kPlaces = 10;
  const Dynamics dynamics(part.model);
  Dynamics::Scratch scratch(dynamics);
  const FixedStates states = MakeFixedStates(part.model, kPlaces, 3);
  Eigen::MatrixXd tau(kPlaces, dynamics.dofs());
  dynamics.InverseDynamics(part.FindSet("")->pi, states.samples(), scratch, tau);
  double error = 0.0, greatest = 0.0;
  for (Eigen::Index k = 0; k < kPlaces; ++k) {
    mj_resetData(whole.model.get(), whole.data.get());
    for (const HeldJoint& held : part.held) {
      whole.data->qpos[whole.model->jnt_qposadr[id(held.name)]] = held.position;
    }
    for (int i = 0; i < part.model.dofs(); ++i) {
      const int joint = id(part.model.link(i).joint);
      whole.data->qpos[whole.model->jnt_qposadr[joint]] = states.q(k, i);
      whole.data->qvel[whole.model->jnt_dofadr[joint]] = states.qd(k, i);
      whole.data->qacc[whole.model->jnt_dofadr[joint]] = states.qdd(k, i);
    }
    mj_inverse(whole.model.get(), whole.data.get());
    for (int i = 0; i < part.model.dofs(); ++i) {
      const double theirs =
          whole.data->qfrc_inverse[whole.model->jnt_dofadr[id(part.model.link(i).joint)]];
      error = std::max(error, std::abs(theirs - tau(k, i)));
      greatest = std::max(greatest, std::abs(theirs));
    }
  }
  return error / greatest;
}

TEST_CASE("A part has the torques of MuJoCo's whole model with the other joints at rest") {
  const TemporaryFolder folder;
  const std::string file = folder.Write("odd.xml", kOddTree);
  MujocoReference whole = MujocoReference::FromText(kOddTree);
  // Three joints are on one body: each of them held, first, between and last; slides and hinges.
  const std::vector<RobotPart> parts = {
      Part("", {"a_turn, a_slide, a_twist, b_slide, c_turn, d_turn"}, {{"e_turn", 0.3}}),
      Part("", {"a_slide", "a_twist", "c_turn"}, {{"a_turn", -0.7}, {"b_slide", 0.2}}),
      Part("", {"a_turn", "a_twist", "b_slide"}, {{"a_slide", 0.4}, {"c_turn", 1.0}}),
      Part("", {"a_{turn,slide}", "d_turn"}, {{"a_twist", 2.0}}),
      Part("", {"a_twist"}, {{"a_turn", 0.9}, {"a_slide", -0.3}}),
      Part("", {"e_turn"}),
      Part("a", {}, {{"a_turn", 0.5}, {"a_slide", 0.1}, {"a_twist", -1.2}}),
      Part("clamp", {}, {{"a_turn", 1.5}}),
      Part("b", {"c_turn"}, {{"a_twist", 0.8}, {"b_slide", -0.6}}),
      Part("plate", {"a_slide", "d_turn"}, {{"a_turn", 0.2}})};
  for (const RobotPart& part : parts) {
    CAPTURE(JsonText(WriteValue(part)));
    const Robot robot = LoadRobot(file, part);
    CHECK(robot.model.dofs() + std::ssize(robot.held) <= 7);
    // Round-off of two algorithms; a joint left at its reference would err by 1e-2 at least.
    CHECK(ErrorAgainstWhole(robot, whole) <= 1e-12);
    CHECK(SelfCheck(robot).max_relative_error <= 1e-12);
  }
}

TEST_CASE(
    "The base frame is that of the root, gravity turns into it, and the base feels the part") {
  const TemporaryFolder folder;
  const std::string file = folder.Write("odd.xml", kOddTree);
  MujocoReference whole = MujocoReference::FromText(kOddTree);
  const Robot robot = LoadRobot(file, Part("clamp", {}, {{"a_turn", 1.5}, {"a_slide", -0.2}}));
  CHECK(robot.model.base_name() == "clamp");
  CHECK(robot.model.joint_names() == std::vector<std::string>{"b_slide", "c_turn"});
  const int clamp = mj_name2id(whole.model.get(), mjOBJ_BODY, "clamp");
  const auto set = [&](const char* joint, double q, double qd, double qdd) {
    const int id = mj_name2id(whole.model.get(), mjOBJ_JOINT, joint);
    whole.data->qpos[whole.model->jnt_qposadr[id]] = q;
    whole.data->qvel[whole.model->jnt_dofadr[id]] = qd;
    whole.data->qacc[whole.model->jnt_dofadr[id]] = qdd;
  };
  for (const char* joint : {"a_twist", "d_turn", "e_turn"}) set(joint, 0.0, 0.0, 0.0);
  set("a_turn", 1.5, 0.0, 0.0);
  set("a_slide", -0.2, 0.0, 0.0);
  set("b_slide", 0.3, -1.1, 2.0);
  set("c_turn", -0.4, 0.7, -3.0);
  mj_inverse(whole.model.get(), whole.data.get());
  mj_rnePostConstraint(whole.model.get(), whole.data.get());
  const Eigen::Matrix3d R_WB = whole.Rotation(clamp);
  CHECK((robot.model.gravity() - R_WB.transpose() * Eigen::Vector3d(1.5, -2.5, -9.0)).norm() <=
        1e-14 * 9.5);
  // cfrc_int: moment, then force, of its parent on the clamp, about the centre of mass of the tree.
  const Eigen::Vector3d force = MujocoReference::Vector(whole.data->cfrc_int, 2 * clamp + 1);
  const Eigen::Vector3d p_CB_W =
      MujocoReference::Vector(whole.data->xpos, clamp) -
      MujocoReference::Vector(whole.data->subtree_com, whole.model->body_rootid[clamp]);
  const Eigen::Vector3d moment =
      MujocoReference::Vector(whole.data->cfrc_int, 2 * clamp) - p_CB_W.cross(force);
  Eigen::VectorXd wanted(6);
  wanted << R_WB.transpose() * force, R_WB.transpose() * moment;
  const Dynamics dynamics(robot.model);
  Dynamics::Scratch scratch(dynamics);
  Eigen::MatrixXd q(1, 2), qd(1, 2), qdd(1, 2), wrench(1, 6);
  q << 0.3, -0.4;
  qd << -1.1, 0.7;
  qdd << 2.0, -3.0;
  dynamics.BaseWrench(robot.FindSet("")->pi, {q, qd, qdd}, scratch, wrench);
  CHECK((wrench.row(0).transpose() - wanted).norm() <= 1e-12 * wanted.norm());
}

/// Degrees, frames around bodies and joints, Euler angles, bodies and joints without names.
constexpr std::string_view kFramed = R"(<mujoco><compiler angle="degree" eulerseq="zyx"/>
  <worldbody><frame pos="1 0 0" euler="0 20 0">
    <body name="base" pos="0 0 1" euler="10 0 -30"><inertial pos="0 0 0.1" mass="2" diaginertia="1 2 2"/>
      <frame pos="0 0 0.5" euler="90 0 45"><body pos="0 0.2 0">
        <inertial pos="0.1 0 0" mass="1" diaginertia="0.1 0.2 0.25"/>
        <frame pos="0.1 0.2 0"><frame euler="0 0 35"><joint name="one" axis="1 1 0" pos="0 0 0.3" ref="25" range="-90 -30"/></frame></frame>
        <joint axis="0 0 1"/>
        <frame euler="0 60 0" pos="0 0 0.1"><joint name="three" type="slide" axis="0 1 0" ref="0.05"/></frame>
        <body name="tip" pos="0.3 0 0"><inertial pos="0 0 0.2" mass="1" diaginertia="0.1 0.2 0.15"/>
          <joint name="four" axis="0 1 0" pos="0.1 0 0"/></body>
      </body></frame>
    </body></frame>
  </worldbody></mujoco>)";

TEST_CASE("Frames, degrees and elements without names are as MuJoCo takes them") {
  const TemporaryFolder folder;
  const std::string file = folder.Write("framed.xml", kFramed);
  std::string named(kFramed);
  named.replace(named.find("<joint axis=\"0 0 1\"/>"), 21,
                "<joint name=\"joint1\" axis=\"0 0 1\"/>");
  MujocoReference whole = MujocoReference::FromText(named);
  for (const RobotPart& part : {Part("", {"joint1", "three", "four"}, {{"one", 0.4}}),
                                Part("", {"one", "four"}, {{"joint1", 1.0}}),
                                Part("", {"one", "joint1"}, {{"three", -0.3}, {"four", 0.6}}),
                                Part("body2", {}, {{"one", 2.0}})}) {
    CAPTURE(JsonText(WriteValue(part)));
    const Robot robot = LoadRobot(file, part);
    CHECK(ErrorAgainstWhole(robot, whole) <= 1e-12);
  }
  // In radians, of a range in degrees.
  CHECK(LoadRobot(file, Part("", {"four"})).notes ==
        std::vector<std::string>{"held beyond its range: one at 0 (-1.571 … -0.5236)"});
}

TEST_CASE("What a part asks for and the model does not have is refused by name") {
  const TemporaryFolder folder;
  const std::string file = folder.Write("odd.xml", kOddTree);
  CHECK(Refusal(file, Part("clmp", {})) ==
        "odd.xml: /root: the model has no body \"clmp\"\n"
        "  accepted here: pedestal, plate, a, clamp, b, c, d, post, e\n  did you mean 'clamp'?");
  CHECK(Refusal(file, Part("clamp", {"b_slid", "a_turn", "c_turn, c_turn", "x{1"})) ==
        "odd.xml: /joints/0: the model has no joint \"b_slid\"\n"
        "  accepted here: b_slide, c_turn\n  did you mean 'b_slide'?\n"
        "odd.xml: /joints/1: \"a_turn\" does not hang on the root \"clamp\"\n"
        "  it is held, or left out with its bodies; name another root, or none\n"
        "odd.xml: /joints/2: \"c_turn\" is named twice\n"
        "odd.xml: /joints/3: 'x{1' has a brace without its partner");
  CHECK(Refusal(file, Part("clamp", {"c_turn"},
                           {{"b_slid", 0.0},
                            {"c_turn", 1.0},
                            {"e_turn", 1.0},
                            {"a_turn", 1.0},
                            {"a_turn", 2.0}})) ==
        "odd.xml: /held_at/b_slid: the model has no such joint\n"
        "  accepted here: a_turn, a_slide, a_twist, b_slide\n  did you mean 'b_slide'?\n"
        "odd.xml: /held_at/c_turn: is a joint that moves\n"
        "  remove it, or name the joints that move without it\n"
        "odd.xml: /held_at/e_turn: is a joint that is left out\n  remove it\n"
        "odd.xml: /held_at/a_turn: is given twice");
  CHECK(Refusal(file, Part("c", {})) ==
        "odd.xml: no joint moves\n  a robot needs at least one hinge or slide joint");
}

/// An arm with a ball joint in its wrist, a table, free objects; `more` of the world.
std::string Scene(const std::string& more = "", const std::string& rest = "") {
  const std::string inertia = "<inertial pos=\"0 0 0.1\" mass=\"1\" diaginertia=\"1 1 1\"/>";
  return "<mujoco><worldbody><body name=\"cube\"><freejoint/>" + inertia +
         "<body name=\"sticker\"/></body><body name=\"table\">" + inertia +
         "</body><body name=\"arm\">" + inertia + "<body name=\"link1\"><joint name=\"j1\"/>" +
         inertia + "<body name=\"link2\"><joint name=\"j2\" axis=\"0 1 0\"/>" + inertia +
         "</body></body></body>" + more + "</worldbody>" + rest + "</mujoco>";
}
const std::string kInertia = "<inertial pos=\"0 0 0.1\" mass=\"1\" diaginertia=\"1 1 1\"/>";

TEST_CASE("Objects that float around an arm are left out and noted; the rest stays as it stands") {
  const TemporaryFolder folder;
  const Robot robot = LoadRobot(folder.Write("scene.xml", Scene()));
  CHECK(robot.model.base_name() == "table");
  CHECK(robot.model.joint_names() == std::vector<std::string>{"j1", "j2"});
  CHECK(robot.left_out == std::vector<std::string>{"cube", "sticker"});
  CHECK(robot.notes == std::vector<std::string>{"left out, because they move freely and no joint "
                                                "moves on them: cube, sticker"});
  const Robot arm = LoadRobot(folder.Write("scene.xml", Scene()), Part("arm", {}));
  CHECK(arm.model.base_name() == "arm");
  CHECK(arm.notes == std::vector<std::string>{"left out, because they do not hang on arm: cube, "
                                              "sticker, table"});
}

TEST_CASE("A robot that floats is fixed where the file has it, unless it is not the only one") {
  const TemporaryFolder folder;
  const std::string walker = "<body name=\"pelvis\" pos=\"0 0 1\"><freejoint name=\"float\"/>" +
                             kInertia + "<body name=\"leg\"><joint name=\"hip\"/>" + kInertia +
                             "</body></body>";
  const std::string alone = folder.Write(
      "walker.xml", "<mujoco><worldbody>" + walker + "<body name=\"cube\"><freejoint/>" + kInertia +
                        "</body></worldbody></mujoco>");
  const Robot robot = LoadRobot(alone);
  CHECK(robot.model.base_name() == "pelvis");
  CHECK(robot.notes == std::vector<std::string>{
                           "left out, because they move freely and no joint moves on them: cube",
                           "the free joint float is held: pelvis is fixed where the file has it"});
  const std::string both = folder.Write("both.xml", Scene(walker));
  CHECK(Refusal(both, {}) ==
        "both.xml: bodies with joints float beside a robot that stands: pelvis\n"
        "  say which is the robot: by its root, a body of it, or by the joints that move");
  CHECK(LoadRobot(both, Part("pelvis", {})).model.joint_names() == std::vector<std::string>{"hip"});
  CHECK(LoadRobot(both, Part("", {"j{1..2}"})).left_out ==
        std::vector<std::string>{"cube", "sticker", "pelvis", "leg"});
}

TEST_CASE("A URDF's floating base is held, also below a root link without mass") {
  const std::string body =
      "<inertial><mass value=\"2\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" "
      "ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>";
  const TemporaryFolder folder;
  const Robot robot = LoadRobot(folder.Write(
      "walker.urdf",
      "<robot name=\"walker\"><link name=\"footprint\"/><link name=\"pelvis\">" + body +
          "<link name=\"leg\">" + body +
          "<joint name=\"float\" type=\"floating\"><origin xyz=\"0 0 1\"/><parent "
          "link=\"footprint\"/>"
          "<child link=\"pelvis\"/></joint><joint name=\"hip\" type=\"continuous\"><parent "
          "link=\"pelvis\"/><child link=\"leg\"/><axis xyz=\"0 1 0\"/></joint></robot>"));
  CHECK(robot.model.joint_names() == std::vector<std::string>{"hip"});
  CHECK(robot.notes == std::vector<std::string>{
                           "the free joint float is held: pelvis is fixed where the file has it"});
  CHECK(robot.FindSet("")->pi[0] == 2.0);  // of the base
}

TEST_CASE("A ball joint is held where the file has it, if the joints that move are named") {
  const TemporaryFolder folder;
  const std::string file = folder.Write(
      "scene.xml",
      Scene("<body name=\"lamp\"><joint type=\"ball\" name=\"swivel\"/>" + kInertia + "</body>"));
  CHECK(Refusal(file, {}).starts_with("scene.xml: swivel: a ball joint\n"));
  CHECK(LoadRobot(file, Part("", {"j{1..2}"})).model.dofs() == 2);
  CHECK(LoadRobot(file, Part("arm", {})).model.dofs() == 2);
  CHECK(Refusal(file, Part("", {"j1", "swivel"})) ==
        "scene.xml: /joints/1: \"swivel\" is a ball joint, which can only be held\n"
        "  accepted here: hinge (revolute) and slide (prismatic) joints");
  CHECK(Refusal(file, Part("", {"j1"}, {{"swivel", 1.0}})) ==
        "scene.xml: /held_at/swivel: is a ball joint, which is held as the file has it\n"
        "  remove it");
}

TEST_CASE("A total mass of bodies that are no part of the robot is refused") {
  const TemporaryFolder folder;
  std::string text = Scene();
  text.replace(text.find("<worldbody>"), 0, "<compiler settotalmass=\"5\"/>");
  CHECK(Refusal(folder.Write("scene.xml", text), {}) ==
        "scene.xml: compiler: settotalmass counts bodies that are not part of the robot: cube, "
        "sticker\n  take it out of the file, or give each body its mass");
}

}  // namespace
}  // namespace idbench
