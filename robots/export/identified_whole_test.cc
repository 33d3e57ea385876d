#include "robots/export/identified_whole.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/export/export_robot.h"
#include "robots/held_reference_test.h"
#include "robots/mjspec.h"
#include "robots/reduced_robot.h"
#include "robots/robot_file.h"
#include "robots/temporary_folder_test.h"
#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

/// Two turning joints with a gripper of two fingers and a tool that is fixed, on a lift.
constexpr std::string_view kGripperArm = R"(<mujoco model="lab">
  <!-- the arm of the lab -->
  <worldbody>
  <body name="lift"><inertial pos="0 0 0.1" mass="9" diaginertia="0.3 0.3 0.3"/>
    <joint name="up" type="slide" axis="0 0 1"/>
  <body name="turret" pos="0 0.1 0.2" euler="10 20 0"><inertial pos="0 0 0.1" mass="5" diaginertia="0.1 0.1 0.1"/>
    <joint name="j1" axis="0 0 1"/>
    <body name="hand" pos="0 0.1 0.4"><joint name="j2" axis="1 0 0" ref="15"/>
      <inertial pos="0 0.02 0.1" mass="1" diaginertia="0.01 0.01 0.004"/>
      <body name="tool" pos="0 0 0.2"><inertial pos="0.02 0 0.03" mass="0.3" diaginertia="0.001 0.001 0.001"/></body>
      <body name="left" pos="0.02 0 0.25"><joint name="left_slide" type="slide" axis="0 1 0"/>
        <inertial pos="0 0 0.02" mass="0.1" diaginertia="1e-4 1e-4 2e-5"/></body>
      <body pos="-0.02 0 0.25" euler="0 0 180"><joint name="right_slide" type="slide" axis="0 1 0"/>
        <inertial pos="0 0 0.02" mass="0.1" diaginertia="1e-4 1e-4 2e-5"/></body>
    </body>
  </body></body>
  <body name="cube"><freejoint/><inertial pos="0 0 0" mass="0.5" diaginertia="1e-3 1e-3 1e-3"/></body>
  </worldbody>
  <equality><joint joint1="right_slide" joint2="left_slide"/></equality>
</mujoco>
)";

RobotPart Fingerless() {
  return {"lift", {{"j{1..2}"}}, {{"left_slide", 0.03}, {"right_slide", 0.02}, {"up", 0.5}}};
}

/// A set with other inertias of all links that move, and friction.
ParameterSet Identified(const Robot& robot, double mass_change = 0.2) {
  const ParameterLayout layout(robot.model);
  ParameterSet set{"identified", "a test", "", robot.FindSet("")->pi};
  for (int i = 0; i < robot.model.dofs(); ++i) {
    CentralInertia inertia = FromStandard(set.pi.segment<kInertialCount>(layout.Body(i)));
    inertia.mass += mass_change;
    inertia.com += Eigen::Vector3d(0.01, -0.005, 0.004);
    inertia.I_com += Eigen::Vector3d(0.011, 0.012, 0.013).asDiagonal();
    set.pi.segment<kInertialCount>(layout.Body(i)) = ToStandard(inertia);
    set.pi.segment<kJointParameterCount>(layout.Joint(i, JointParameter::kViscous)) << 1.0 + i, 0.5,
        -0.25 * i, 0.1;
  }
  return set;
}

std::string WriteExport(const TemporaryFolder& folder, const RobotExport& files) {
  folder.Write(std::filesystem::path("export") / kRobotFile, files.description);
  return folder.Write("export/" + files.model_name, files.model);
}

/// Greatest difference, over the greatest torque, between the joint torques of a set's bodies,
/// damping and rotors, as far as the file has them, and those of MuJoCo with the whole file, whose
/// other joints stand where they are held.
double ErrorOfFile(const std::string& file, const Robot& part, Eigen::VectorXd pi) {
  pi = StatedParameters(part.model, pi, CheckModelText(file));
  const FixedStates states = MakeFixedStates(part.model, 20, 11);
  const Dynamics dynamics(part.model);
  Dynamics::Scratch scratch(dynamics);
  Eigen::MatrixXd tau(20, part.model.dofs());
  dynamics.InverseDynamics(pi, states.samples(), scratch, tau);
  return (TorquesOfFile(file, part, states) - tau).cwiseAbs().maxCoeff() /
         tau.cwiseAbs().maxCoeff();
}

TEST_CASE(
    "An identified part goes into its whole file: locked bodies stay, their carrier has the rest") {
  const TemporaryFolder folder;
  const Robot robot = LoadRobot(folder.Write("lab.xml", kGripperArm), Fingerless());
  REQUIRE(robot.model.joint_names() == std::vector<std::string>{"j1", "j2"});
  const ParameterSet set = Identified(robot);
  const RobotExport files = ExportRobot(robot, set);
  const std::string file = WriteExport(folder, files);
  CheckExport(file, robot, set);
  // In MuJoCo, with the fingers locked.
  CHECK(ErrorOfFile(file, robot, set.pi) <= 1e-9);
  CHECK(files.notes ==
        std::vector<std::string>{
            "made massless, because the link that they are fixed to has all inertia: tool",
            "joints that moved: damping is fv of the run; armature is ia of the run; frictionloss "
            "is 0; Coulomb friction and offsets are in robot.json alone; the file had other values "
            "at j1, j2",
            "as written, so that the links that they are locked to have the rest: left, body6"});
  for (const char* kept :
       {"<!-- the arm of the lab -->", R"(<joint name="left_slide" type="slide" axis="0 1 0")",
        R"(<inertial pos="0 0 0.02" mass="0.1" diaginertia="1e-4 1e-4 2e-5")",
        R"(<inertial pos="0 0 0.1" mass="9" diaginertia="0.3 0.3 0.3")", "<equality>",
        R"(<inertial pos="0 0 0" mass="0.5" diaginertia="1e-3 1e-3 1e-3")"}) {
    CAPTURE(kept);
    CHECK(files.model.find(kept) != std::string::npos);
  }
  // Its robot.json is that of the whole, of which the same part has the identified values.
  const Robot whole = LoadRobot(file);
  CHECK(whole.model.dofs() == 5);
  CHECK(whole.nominal_set == "identified");
  const Robot again = LoadRobot(file, Fingerless());
  const Eigen::VectorXd& read = again.FindSet("")->pi;
  CHECK((read - set.pi).tail(8).isZero(0.0));
  CHECK((read - set.pi).norm() <= 1e-13 * set.pi.norm());
}

TEST_CASE("What is left for a carrier must be a body; merged, the locked bodies are massless") {
  const TemporaryFolder folder;
  const Robot robot = LoadRobot(folder.Write("lab.xml", kGripperArm), Fingerless());
  const ParameterSet set = Identified(robot, -1.35);  // the hand: 1.5 kg with what is on it
  std::string message;
  try {
    ExportRobot(robot, set);
  } catch (const ConfigError& error) {
    message = WithoutFolder(error.what(), error.source());
  }
  CHECK(message ==
        "lab.xml: hand: what is left of its identified inertia, without that of left, body6 as "
        "written, is no body: mass -0.05 kg\n"
        "  --merge-locked gives it all of that inertia, and makes them massless");
  const RobotExport files = ExportRobot(robot, set, {}, LockedBodies::kMerged);
  const std::string file = WriteExport(folder, files);
  CheckExport(file, robot, set);
  const Robot again = LoadRobot(file, Fingerless());
  CHECK((again.FindSet("")->pi - set.pi).norm() <= 1e-13 * set.pi.norm());
  CHECK(files.notes.back() ==
        "made massless, because the links that they are locked to have all inertia, so the file "
        "serves with those joints locked: left, body6");
  CHECK(
      files.model.find("<!-- locked to the link that carries it, whose inertia holds that of this "
                       "one -->") != std::string::npos);
}

TEST_CASE("A part in the middle of a tree goes into its whole URDF, and into a file written anew") {
  const auto link = [](const std::string& name, double mass) {
    return "<link name=\"" + name + "\"><inertial><origin xyz=\"0.01 0.02 0.1\"/><mass value=\"" +
           std::to_string(mass) +
           "\"/><inertia ixx=\"0.02\" ixy=\"0.001\" ixz=\"0\" iyy=\"0.02\" iyz=\"0\" "
           "izz=\"0.01\"/></inertial></link>\n";
  };
  const auto joint = [](const std::string& name, const std::string& parent,
                        const std::string& child, const std::string& axis,
                        const std::string& type = "continuous") {
    return "<joint name=\"" + name + "\" type=\"" + type +
           "\"><origin xyz=\"0 0.05 0.3\" rpy=\"0.2 0 0.1\"/>"
           "<parent link=\"" +
           parent + "\"/><child link=\"" + child + "\"/><axis xyz=\"" + axis + "\"/></joint>\n";
  };
  const TemporaryFolder folder;
  const Robot robot = LoadRobot(
      folder.Write("twin.urdf",
                   "<robot name=\"twin\">" + link("pelvis", 8) + link("torso", 6) + link("r1", 2) +
                       link("r2", 1) + link("hand", 0.4) + link("thumb", 0.1) + link("l1", 2) +
                       joint("float", "pelvis", "torso", "0 0 1") +
                       joint("rs", "torso", "r1", "1 0 0") + joint("re", "r1", "r2", "0 1 0") +
                       joint("mount", "r2", "hand", "0 0 1", "fixed") +
                       joint("grip", "hand", "thumb", "0 1 0") +
                       joint("ls", "torso", "l1", "1 0 0") + "</robot>"),
      {"torso", {{"rs, re"}}, {{"grip", 0.7}, {"float", -0.4}, {"ls", 0.2}}});
  CHECK(robot.left_out == std::vector<std::string>{});
  const ParameterSet set = Identified(robot);
  for (const auto format : {std::optional<ModelFormat>(), std::optional(ModelFormat::kMjcf)}) {
    const RobotExport files = ExportRobot(robot, set, format);
    const std::string file = WriteExport(folder, files);
    CheckExport(file, robot, set);
    CHECK(ErrorOfFile(file, robot, set.pi) <= 1e-9);
    CHECK(LoadRobot(file).model.dofs() == 5);
  }
}

TEST_CASE("A root that is fixed to a link is no body of a file that is written anew") {
  const TemporaryFolder folder;
  std::string text(kGripperArm);
  text.insert(text.find("</body>", text.find("name=\"tool\"")),
              "<body name=\"wheel\"><joint name=\"turn\"/><inertial pos=\"0 0 0\" mass=\"0.05\" "
              "diaginertia=\"1e-4 1e-4 1e-4\"/></body>");
  const Robot robot = LoadRobot(folder.Write("lab.xml", text), {"tool", {}, {}});
  const ParameterSet set = Identified(robot);
  CheckExport(WriteExport(folder, ExportRobot(robot, set)), robot, set);
  std::string message;
  try {
    ExportRobot(robot, set, ModelFormat::kUrdf);
  } catch (const ConfigError& error) {
    message = WithoutFolder(error.what(), error.source());
  }
  CHECK(
      message ==
      "lab.xml: tool: the root is fixed to hand, and a file that is written anew has links alone\n"
      "  export the file's own format, or name hand as the root");
}

TEST_CASE("Joints of one body, of which the first is held, go into a file that is written anew") {
  const std::string inertia = "<inertial pos=\"0.1 0 0\" mass=\"3\" diaginertia=\"0.1 0.2 0.2\"/>";
  const TemporaryFolder folder;
  const Robot robot = LoadRobot(
      folder.Write("crawler.xml",
                   "<mujoco><worldbody><body name=\"torso\" pos=\"0 0 0.7\"><joint name=\"x\" "
                   "type=\"slide\" axis=\"1 0 0\"/><joint name=\"z\" type=\"slide\"/><joint "
                   "name=\"turn\" axis=\"0 1 0\"/>" +
                       inertia +
                       "<body name=\"thigh\" pos=\"0.3 0 0\"><joint name=\"hip\" axis=\"0 1 0\"/>" +
                       inertia + "</body></body></worldbody></mujoco>"),
      {"", {{"turn", "hip"}}, {{"x", 0.4}}});
  const ParameterSet set = Identified(robot);
  const std::string own = WriteExport(folder, ExportRobot(robot, set));
  CheckExport(own, robot, set);
  CHECK(ErrorOfFile(own, robot, set.pi) <= 1e-9);
  // In a URDF each joint has its own link, and MuJoCo refuses those without mass if they all move.
  CheckExport(WriteExport(folder, ExportRobot(robot, set, ModelFormat::kUrdf)), robot, set);
}

TEST_CASE("An export that has other torques with those joints locked is refused") {
  const TemporaryFolder folder;
  const Robot robot = LoadRobot(folder.Write("lab.xml", kGripperArm), Fingerless());
  const ParameterSet set = Identified(robot);
  const std::string file = WriteExport(folder, ExportRobot(robot, set));
  Robot other = robot;
  other.part.held_at[0].second = 0.05;
  CHECK_THROWS_WITH_AS(CheckExport(file, other, set),
                       doctest::Contains("its torques differ by up to "), ConfigError);
  std::string json = ReadText(folder.path() / "export" / kRobotFile);
  json.replace(json.find("\"viscous_nms_rad\": 1.0"), 22, "\"viscous_nms_rad\": 1.5");
  folder.Write("export/robot.json", json);
  CHECK_THROWS_WITH_AS(CheckExport(file, robot, set),
                       doctest::Contains("its robot.json does not describe the robot"),
                       ConfigError);
}

TEST_CASE("Of a whole that only a part of can be loaded, the export is that part's again") {
  // A ball joint in the neck, a free root, objects around; the geometry counts for nothing.
  const std::string inertia = "<inertial pos=\"0 0 0.1\" mass=\"2\" diaginertia=\"0.1 0.1 0.1\"/>";
  const std::string text =
      "<mujoco><compiler inertiafromgeom=\"true\"/><worldbody><body name=\"ball\"><freejoint/>" +
      inertia +
      "<geom size=\"0.1\" density=\"500\"/></body><body name=\"pelvis\" pos=\"0 0 1\" euler=\"0 30 "
      "0\"><freejoint name=\"root\"/>"
      "<geom size=\"0.2\"/><body name=\"head\"><joint name=\"neck\" type=\"ball\"/><geom "
      "size=\"0.1\"/></body>"
      "<body name=\"arm\" pos=\"0.2 0 0.3\"><joint name=\"shoulder\" axis=\"0 1 0\"/><geom "
      "size=\"0.1\" pos=\"0.1 0 0.2\"/>"
      "<body name=\"fore\" pos=\"0 0 0.4\"><joint name=\"elbow\" axis=\"1 0 0\"/><geom "
      "size=\"0.1\" pos=\"0.1 0 0.2\"/></body></body>"
      "<body name=\"leg\" pos=\"0 0 -0.3\"><joint name=\"hip\" axis=\"0 1 0\"/><geom size=\"0.1\" "
      "pos=\"0 0 -0.2\"/></body>"
      "</body></worldbody></mujoco>";
  const TemporaryFolder folder;
  const Robot robot =
      LoadRobot(folder.Write("walker.xml", text), {"", {{"shoulder", "elbow"}}, {{"hip", 0.5}}});
  CHECK(robot.model.base_name() == "pelvis");
  const ParameterSet set = Identified(robot);
  const RobotExport files = ExportRobot(robot, set);
  const std::string file = WriteExport(folder, files);
  CheckExport(file, robot, set);
  const Robot again = LoadRobot(file, robot.part);
  CHECK(again.nominal_set == "identified");
  CHECK((again.FindSet("")->pi - set.pi).norm() <= 1e-13 * set.pi.norm());
  // What came from geometry is written, of what is left out too: 4/3·π·r³·ρ.
  const SpecPtr spec = ParseModel(file, {}, ModelExtent::kEverything).spec;
  const ModelPtr model = Compile(spec.get(), file);
  const int ball = mj_name2id(model.get(), mjOBJ_BODY, "ball");
  CHECK(model->body_mass[ball] == doctest::Approx(500.0 * 4.0 / 3.0 * M_PI * 1e-3));
}

TEST_CASE(
    "Sensors of a part, their offsets and gains of its motors go into the whole's robot.json") {
  const TemporaryFolder folder;
  Robot robot = LoadRobot(folder.Write("lab.xml", kGripperArm),
                          {"", {{"up, j2"}}, {{"j1", 0.4}, {"right_slide", 0.02}}});
  robot.model.SetCuts({{.name = "waist", .link = 0, .p_LS_L = {0.0, 0.0, 0.1}},
                       {.name = "wrist",  // at the turret, which is fixed to the lift here
                        .link = 0,
                        .p_LS_L = {0.0, 0.1, 0.5},
                        .link_beyond = false}});
  std::vector<Issue> issues;
  AddTerms({{.type = TermKind::kOffset, .sensors = "{waist, wrist}"}, {.type = TermKind::kGain}},
           "", robot, issues);
  REQUIRE(issues.empty());
  ParameterSet set = Identified(robot);
  const Eigen::Index own = std::ssize(robot.model.terms());
  REQUIRE(own == 14);
  set.pi.tail(own) = Eigen::VectorXd::LinSpaced(own, 1.0, 14.0);
  const RobotExport files = ExportRobot(robot, set);
  const std::string file = WriteExport(folder, files);
  CheckExport(file, robot, set);
  const Robot whole = LoadRobot(file);
  REQUIRE(whole.model.cuts().size() == 2);
  CHECK(whole.model.link(whole.model.cuts()[0].link).name == "lift");
  CHECK(whole.model.link(whole.model.cuts()[1].link).name == "turret");
  const Robot again = LoadRobot(file, robot.part);
  REQUIRE(again.model.cuts().size() == 2);
  for (std::size_t k = 0; k < 2; ++k) {
    const Cut& read = again.model.cuts()[k];
    const Cut& cut = robot.model.cuts()[k];
    CHECK(read.name == cut.name);
    CHECK(read.link == cut.link);
    CHECK(read.link_beyond == cut.link_beyond);
    CHECK((read.R_LS - cut.R_LS).cwiseAbs().maxCoeff() <= 1e-15);
    CHECK((read.p_LS_L - cut.p_LS_L).cwiseAbs().maxCoeff() <= 1e-15);
  }
  CHECK(again.model.terms() == robot.model.terms());
  CHECK(again.FindSet("")->pi.tail(own) == set.pi.tail(own));
}

TEST_CASE("A sensor before links on several bodies of the whole is left out, and said so") {
  const auto body = [](const std::string& name, const std::string& inside) {
    return "<body name=\"" + name + "\" pos=\"0.1 0 0.3\"><joint name=\"" + name +
           "_joint\" axis=\"0 1 0\"/><inertial pos=\"0 0 0.1\" mass=\"2\" diaginertia=\"0.1 0.1 "
           "0.1\"/>" +
           inside + "</body>";
  };
  const TemporaryFolder folder;
  Robot robot = LoadRobot(
      folder.Write("twin.xml", "<mujoco><worldbody>" +
                                   body("trunk", body("left", body("left_fore", "")) +
                                                     body("right", body("right_fore", ""))) +
                                   "</worldbody></mujoco>"),
      {"", {{"trunk_joint, left_fore_joint, right_fore_joint"}}, {}});
  robot.model.SetCuts({{.name = "arms", .link = 0, .link_beyond = false}});
  std::vector<Issue> issues;
  AddTerms({{.type = TermKind::kOffset, .sensors = "arms"}}, "", robot, issues);
  REQUIRE(issues.empty());
  const RobotExport files = ExportRobot(robot, Identified(robot));
  CHECK(files.description.find("arms") == std::string::npos);
  CHECK(std::ranges::find(files.notes,
                          "force/torque sensors are left out, with their offsets, because no cut "
                          "of the whole has the same links beyond it: arms") != files.notes.end());
}

TEST_CASE("A whole's robot.json keeps what a part says nothing of") {
  const TemporaryFolder folder;
  const Robot tx40 = LoadRobot("staubli_tx40");
  const RobotPart part{"", {{"joint{1..4}"}}, {{"joint5", 0.3}}};
  const Robot robot = LoadRobot("staubli_tx40", part);
  REQUIRE(robot.model.dofs() == 4);
  ParameterSet set = *robot.FindSet("");
  set.name = "identified";
  set.pi *= 1.01;
  const std::string file = WriteExport(folder, ExportRobot(robot, set, {}, LockedBodies::kMerged));
  CheckExport(file, robot, set);
  const Robot again = LoadRobot(file);
  CHECK(again.model.dofs() == 6);
  CHECK(again.model.actuation().B == tx40.model.actuation().B);
  const ParameterLayout layout(tx40.model);
  const Eigen::Index first = layout.Joint(4, JointParameter::kViscous);
  CHECK(again.FindSet("")->pi.segment(first, 8) == tx40.FindSet("")->pi.segment(first, 8));
}

}  // namespace
}  // namespace idbench
