#include "robots/export/export_check.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/export/export_robot.h"
#include "robots/mjspec.h"
#include "robots/robot_file.h"
#include "robots/temporary_folder_test.h"
#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

/// Passive torques from everywhere that MJCF has them: own attributes, classes, polynomials,
/// actuators; on named and unnamed joints, two on one body, one in a frame.
constexpr const char* kOiled = R"(<mujoco model="oiled">
  <compiler angle="radian"/>
  <default>
    <joint damping="1 0.5 0.25" frictionloss="2"/>
    <default class="geared"><joint armature="0.3" stiffness="4 1"/></default>
  </default>
  <worldbody>
    <body name="turret" pos="0 0 0.2">
      <inertial pos="0.02 0 0.1" mass="3" diaginertia="0.04 0.04 0.02"/>
      <joint name="pan" axis="0 0 1" range="-2 2"/>
      <joint name="tilt" class="geared" axis="0 1 0" damping="7"/>
      <body name="arm" pos="0 0 0.3" childclass="geared">
        <inertial pos="0 0 0.1" mass="2" diaginertia="0.02 0.02 0.01"/>
        <frame><joint axis="1 0 0"/></frame>
        <body name="grip" pos="0 0 0.3">
          <inertial pos="0 0.01 0.03" mass="0.5" diaginertia="0.002 0.002 0.001"/>
          <joint name="finger" type="slide" axis="0 0 1" damping="11" armature="0.02"/>
        </body>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor name="a" joint="pan" gear="3" armature="0.01" damping="0.02"/>
    <motor name="b" joint="finger" armature="0.04"/>
  </actuator>
</mujoco>
)";

/// The nominal set with fv, fc, fo and ia at every joint.
ParameterSet Rubbing(const Robot& robot) {
  const ParameterLayout layout(robot.model);
  ParameterSet set{"identified", "a test", "", robot.FindSet("")->pi};
  for (int i = 0; i < robot.model.dofs(); ++i) {
    set.pi.segment<kJointParameterCount>(layout.Joint(i, JointParameter::kViscous)) << 1.0 + i,
        0.5 + 0.1 * i, -0.25, 1.0 / (3.0 + i);
  }
  return set;
}

struct Written {
  RobotExport files;
  std::string file;
};

Written WriteExport(const TemporaryFolder& folder, const Robot& robot, const ParameterSet& set,
                    std::optional<ModelFormat> format = std::nullopt,
                    ExportedCoulomb coulomb = ExportedCoulomb::kBeside) {
  Written written{ExportRobot(robot, set, format, LockedBodies::kAsWritten, coulomb), ""};
  written.file = folder.Write("export/" + written.files.model_name, written.files.model);
  return written;
}

ModelPtr LoadedInMujoco(const std::string& file) {
  InstallMujocoLogHandler();
  std::array<char, 1000> error{};
  ModelPtr model(mj_loadXML(file.c_str(), nullptr, error.data(), error.size()));
  CAPTURE(error.data());
  REQUIRE(model);
  return model;
}

/// All that MuJoCo's inverse dynamics has of the whole file, in which every joint moves: springs,
/// actuators, friction losses; without contacts and limits alone.
Eigen::MatrixXd AllOfMujoco(const std::string& file, const FixedStates& states) {
  const ModelPtr model = LoadedInMujoco(file);
  model->opt.disableflags |= mjDSBL_CONTACT | mjDSBL_LIMIT;
  const DataPtr data(mj_makeData(model.get()));
  Eigen::MatrixXd tau(states.q.rows(), model->nv);
  for (Eigen::Index k = 0; k < tau.rows(); ++k) {
    for (int i = 0; i < model->nv; ++i) {
      data->qpos[i] = states.q(k, i);
      data->qvel[i] = states.qd(k, i);
      data->qacc[i] = states.qdd(k, i);
    }
    mj_inverse(model.get(), data.get());
    for (int i = 0; i < model->nv; ++i) tau(k, i) = data->qfrc_inverse[i];
  }
  return tau;
}

/// τ of bodies, fv and ia alone.
Eigen::MatrixXd Wanted(const Robot& robot, Eigen::VectorXd pi, const FixedStates& states,
                       bool rotors = true) {
  const ParameterLayout layout(robot.model);
  for (int i = 0; i < robot.model.dofs(); ++i) {
    pi[layout.Joint(i, JointParameter::kCoulomb)] = 0.0;
    pi[layout.Joint(i, JointParameter::kOffset)] = 0.0;
    if (!rotors) pi[layout.Joint(i, JointParameter::kRotorInertia)] = 0.0;
  }
  const Dynamics dynamics(robot.model);
  Dynamics::Scratch scratch(dynamics);
  Eigen::MatrixXd tau(states.q.rows(), robot.model.dofs());
  dynamics.InverseDynamics(pi, states.samples(), scratch, tau);
  return tau;
}

double Difference(const Eigen::MatrixXd& tau, const Eigen::MatrixXd& wanted) {
  return (tau - wanted).cwiseAbs().maxCoeff() / wanted.cwiseAbs().maxCoeff();
}

TEST_CASE("MuJoCo has of an exported MJCF what the set has, wherever the file had its friction") {
  const TemporaryFolder folder;
  const std::string before = folder.Write("oiled.xml", kOiled);
  const Robot robot = LoadRobot(before);
  const ParameterSet set = Rubbing(robot);
  const FixedStates states = MakeFixedStates(robot.model, 30, 3);
  const Written own = WriteExport(folder, robot, set);
  CAPTURE(own.files.model);
  CHECK(Difference(AllOfMujoco(before, states), Wanted(robot, set.pi, states)) > 0.1);
  CHECK(Difference(AllOfMujoco(own.file, states), Wanted(robot, set.pi, states)) <= 1e-12);
  CHECK(CheckExportOnMotion(own.file, robot, set.pi, states.samples()).relative_error <= 1e-12);
  CHECK(own.files.notes ==
        std::vector<std::string>{
            "damping and armature of actuators are 0, for those of their joints are the run's: "
            "pan, finger",
            "joints that moved: damping is fv of the run; armature is ia of the run; frictionloss "
            "is 0; stiffness is 0, for the run counts no springs; Coulomb friction and offsets are "
            "in robot.json alone; the file had other values at pan, tilt, joint2, finger"});
  CHECK(own.files.model.find("<!-- joints that moved: damping is fv") != std::string::npos);
  CHECK(own.files.model.find("range=\"-2 2\"") != std::string::npos);
  CHECK(own.files.model.find("gear=\"3\"") != std::string::npos);
}

TEST_CASE("A set without friction takes that of the file away") {
  const TemporaryFolder folder;
  const Robot robot = LoadRobot(folder.Write("oiled.xml", kOiled));
  const ParameterSet set = *robot.FindSet("");
  const FixedStates states = MakeFixedStates(robot.model, 30, 3);
  const Written own = WriteExport(folder, robot, set);
  CHECK(Difference(AllOfMujoco(own.file, states), Wanted(robot, set.pi, states)) <= 1e-12);
  REQUIRE(own.files.notes.size() == 2);
  CHECK(own.files.notes[1] ==
        "joints that moved: damping is 0, for the run has no viscous friction; armature is 0, for "
        "the run counts no rotor inertia; frictionloss is 0; stiffness is 0, for the run counts no "
        "springs; the file had other values at pan, tilt, joint2, finger");
}

constexpr const char* kOiledUrdf = R"(<robot name="oiled">
  <link name="foot"/>
  <joint name="shoulder" type="continuous">
    <parent link="foot"/><child link="upper"/><axis xyz="0 1 0"/>
    <dynamics damping="3" friction="1"/>
  </joint>
  <link name="upper"><inertial><origin xyz="0 0 0.1"/><mass value="2"/>
    <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
  <joint name="elbow" type="continuous">
    <origin xyz="0 0 0.4"/>
    <parent link="upper"/><child link="lower"/><axis xyz="1 0 0"/>
  </joint>
  <link name="lower"><inertial><origin xyz="0 0.02 0.1"/><mass value="1"/>
    <inertia ixx="0.05" ixy="0" ixz="0" iyy="0.05" iyz="0" izz="0.02"/></inertial></link>
</robot>
)";

TEST_CASE("A URDF has the set's viscous friction, and tells that it has no place for rotors") {
  const TemporaryFolder folder;
  const Robot robot = LoadRobot(folder.Write("oiled.urdf", kOiledUrdf));
  const ParameterSet set = Rubbing(robot);
  const FixedStates states = MakeFixedStates(robot.model, 30, 3);
  const Written own = WriteExport(folder, robot, set);
  CAPTURE(own.files.model);
  CHECK(Difference(AllOfMujoco(own.file, states), Wanted(robot, set.pi, states, false)) <= 1e-12);
  CHECK(CheckExportOnMotion(own.file, robot, set.pi, states.samples()).relative_error <= 1e-12);
  CHECK(own.files.model.find("<dynamics damping=\"1\" friction=\"0\"") != std::string::npos);
  CHECK(own.files.model.find("    <dynamics damping=\"2\" friction=\"0\"") != std::string::npos);
  REQUIRE(own.files.notes.size() == 1);
  CHECK(own.files.notes[0] ==
        "joints that moved: damping is fv of the run; friction is 0; Coulomb friction and offsets "
        "and rotor inertia, for which a URDF has no place, are in robot.json alone; the file had "
        "other values at shoulder, elbow");
}

TEST_CASE("A file written anew has them too, in either direction") {
  const TemporaryFolder folder;
  std::string one_joint_a_body = kOiled;  // as a URDF has them
  for (const char* line : {"      <joint name=\"pan\"", "    <motor name=\"a\""}) {
    const std::size_t at = one_joint_a_body.find(line);
    one_joint_a_body.erase(at, one_joint_a_body.find('\n', at) - at);
  }
  const std::string mjcf = folder.Write("oiled.xml", one_joint_a_body);
  const std::string urdf = folder.Write("oiled.urdf", kOiledUrdf);
  for (const auto& [file, format] :
       {std::pair{mjcf, ModelFormat::kUrdf}, std::pair{urdf, ModelFormat::kMjcf}}) {
    CAPTURE(file);
    const Robot robot = LoadRobot(file);
    const ParameterSet set = Rubbing(robot);
    const FixedStates states = MakeFixedStates(robot.model, 30, 3);
    const bool rotors = format == ModelFormat::kMjcf;
    const TemporaryFolder out;
    const Written own = WriteExport(out, robot, set, format);
    CHECK(Difference(AllOfMujoco(own.file, states), Wanted(robot, set.pi, states, rotors)) <=
          1e-12);
    CHECK(CheckExportOnMotion(own.file, robot, set.pi, states.samples()).relative_error <= 1e-12);
  }
}

TEST_CASE("Joints that are held, or beyond the part, stay as they are written") {
  const TemporaryFolder folder;
  const std::string before = folder.Write("oiled.xml", kOiled);
  RobotPart part;
  part.joints.patterns = {"pan", "tilt"};
  const Robot robot = LoadRobot(before, part);
  REQUIRE(robot.model.dofs() == 2);
  const ParameterSet set = Rubbing(robot);
  const FixedStates states = MakeFixedStates(robot.model, 30, 3);
  const Written own = WriteExport(folder, robot, set);
  CHECK(CheckExportOnMotion(own.file, robot, set.pi, states.samples()).relative_error <= 1e-9);
  const ModelPtr old_model = LoadedInMujoco(before), model = LoadedInMujoco(own.file);
  for (int i = 0; i < 2; ++i) {
    CHECK(model->dof_damping[i] == 1.0 + i);
    CHECK(model->dof_frictionloss[i] == 0.0);
  }
  for (int i = 2; i < 4; ++i) {
    CHECK(model->dof_damping[i] == old_model->dof_damping[i]);
    CHECK(model->dof_dampingpoly[2 * i] == old_model->dof_dampingpoly[2 * i]);
    CHECK(model->dof_armature[i] == old_model->dof_armature[i]);
    CHECK(model->dof_frictionloss[i] == old_model->dof_frictionloss[i]);
    CHECK(model->jnt_stiffness[i] == old_model->jnt_stiffness[i]);
  }
  CHECK(model->actuator_armature[0] == 0.0);
  CHECK(model->actuator_armature[1] == 0.04);
  const std::vector<std::string> notes = ExportRobot(robot, set, ModelFormat::kUrdf).notes;
  CHECK(std::ranges::count(notes,
                           "left out, because a URDF has no place for it: armature, stiffness or "
                           "damping that is not linear, of joints that stay as they are written: "
                           "joint2, finger") == 1);
}

TEST_CASE("A negative estimate is 0 in the model file, is told, and stands in robot.json") {
  const TemporaryFolder folder;
  const Robot robot = LoadRobot(folder.Write("oiled.xml", kOiled));
  ParameterSet set = Rubbing(robot);
  const ParameterLayout layout(robot.model);
  set.pi[layout.Joint(1, JointParameter::kViscous)] = -0.125;
  set.pi[layout.Joint(2, JointParameter::kRotorInertia)] = -0.5;
  const FixedStates states = MakeFixedStates(robot.model, 30, 3);
  const Written own = WriteExport(folder, robot, set);
  const ModelPtr model = LoadedInMujoco(own.file);
  CHECK(model->dof_damping[1] == 0.0);
  CHECK(model->dof_armature[2] == 0.0);
  CHECK(CheckExportOnMotion(own.file, robot, set.pi, states.samples()).relative_error <= 1e-12);
  CHECK(own.files.notes.back() ==
        "negative, which no damping, armature or friction loss is, so 0 in the model file, with "
        "the value in robot.json alone: tilt.fv = -0.125, joint2.ia = -0.5");
  folder.Write(std::filesystem::path("export") / kRobotFile, own.files.description);
  CHECK(LoadRobot(own.file).FindSet("")->pi.tail(layout.term_count()) ==
        set.pi.tail(layout.term_count()));
}

TEST_CASE("Coulomb friction as friction loss is Coulomb friction where a joint keeps moving") {
  const TemporaryFolder folder;
  const Robot robot = LoadRobot(folder.Write("oiled.xml", kOiled));
  const ParameterSet set = Rubbing(robot);
  const Written own = WriteExport(folder, robot, set, std::nullopt, ExportedCoulomb::kFrictionloss);
  const ModelPtr model = LoadedInMujoco(own.file);
  for (int i = 0; i < 4; ++i) CHECK(model->dof_frictionloss[i] == doctest::Approx(0.5 + 0.1 * i));
  CHECK(own.files.notes.back().find("frictionloss is fc of the run, of which MuJoCo makes a soft "
                                    "constraint; stiffness is 0, for the run counts no springs; "
                                    "offsets are in robot.json alone") != std::string::npos);
  FixedStates states = MakeFixedStates(robot.model, 30, 3);
  states.qdd.setZero();
  states.qd.setConstant(0.5);
  const auto error = [&] {
    return FrictionlossError(own.file, robot, set.pi, {}, states.samples());
  };
  CHECK(error().maxCoeff() <= 1e-12);
  // Where it stands, a constraint holds it against any acceleration, and s(0) = 0.
  states.qd.setZero();
  states.qdd.setConstant(10.0);
  for (int i = 0; i < 4; ++i) CHECK(error()[i] == doctest::Approx(0.5 + 0.1 * i));
}

TEST_CASE("An export that MuJoCo takes for another robot is refused by the joint that differs") {
  const TemporaryFolder folder;
  const Robot robot = LoadRobot(folder.Write("oiled.xml", kOiled));
  const ParameterSet set = Rubbing(robot);
  const FixedStates states = MakeFixedStates(robot.model, 30, 3);
  const Written own = WriteExport(folder, robot, set);
  const auto refusal = [&](const std::string& from, const std::string& to) {
    std::string text = own.files.model;
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    text.replace(at, from.size(), to);
    const std::string file = folder.Write("export/changed.xml", text);
    try {
      CheckExportOnMotion(file, robot, set.pi, states.samples());
    } catch (const ConfigError& error) {
      return std::string(error.what()).substr(file.size());
    }
    return std::string("none");
  };
  CHECK(refusal("damping=\"4 0 0\"", "damping=\"4.5 0 0\"")
            .find(": finger: inverse dynamics of the export differs by ") == 0);
  CHECK(refusal("armature=\"0\"", "armature=\"0.01\"")
            .find("its actuators add damping or armature to joints that were identified") !=
        std::string::npos);
}

TEST_CASE("A URDF that MuJoCo refuses for its links without mass is checked as it is read") {
  const TemporaryFolder folder;
  const Robot robot = LoadRobot(folder.Write("oiled.xml", kOiled));
  const ParameterSet set = Rubbing(robot);
  const FixedStates states = MakeFixedStates(robot.model, 30, 3);
  const Written own = WriteExport(folder, robot, set, ModelFormat::kUrdf);
  const MotionCheck check = CheckExportOnMotion(own.file, robot, set.pi, states.samples());
  CHECK(check.relative_error <= 1e-12);
  CHECK(check.refused_by_mujoco.find("mass and inertia of moving bodies must be larger") !=
        std::string::npos);
  std::string text = own.files.model;
  text.replace(text.find("damping=\"4\""), 11, "damping=\"5\"");
  const std::string changed = folder.Write("export/changed.urdf", text);
  CHECK_THROWS_WITH_AS(CheckExportOnMotion(changed, robot, set.pi, states.samples()),
                       doctest::Contains("finger: inverse dynamics of the export differs by "),
                       ConfigError);
}

TEST_CASE("What MuJoCo counts beside joints is told") {
  const TemporaryFolder folder;
  CHECK(StillCounted(folder.Write("oiled.xml", kOiled)).empty());
  CHECK(StillCounted(folder.Write("wet.xml", R"(<mujoco><option density="1.2"/><worldbody>
      <body gravcomp="1"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><joint name="j"/></body>
    </worldbody><tendon><fixed name="belt" stiffness="3"><joint joint="j" coef="1"/></fixed></tendon></mujoco>)")) ==
        "left as written, though MuJoCo counts it and the run does not: compensation of gravity "
        "(gravcomp); a medium (density, viscosity); passive tendons: belt");
}

}  // namespace
}  // namespace idbench
