#include "robots/export/export_robot.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/robot_file.h"
#include "robots/temporary_folder_test.h"
#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

/// Every moving link heavier and fuller than before, every joint with friction: an estimate.
ParameterSet Estimated(const Robot& robot, bool base_too = false) {
  const ParameterLayout layout(robot.model.dofs());
  ParameterSet set{"identified", "a test", "", robot.FindSet("")->pi};
  for (int i = base_too ? -1 : 0; i < robot.model.dofs(); ++i) {
    if (i >= 0 && robot.model.link(i).massless) continue;
    CentralInertia inertia = FromStandard(set.pi.segment<kInertialCount>(layout.Body(i)));
    inertia.mass += 0.1 * (i + 2);
    inertia.com += Eigen::Vector3d(0.013, -0.007, 1.0 / 300.0);
    inertia.I_com += Eigen::Vector3d(0.011, 0.012, 0.013).asDiagonal();
    inertia.I_com(0, 1) += 0.001;
    inertia.I_com(1, 0) += 0.001;
    set.pi.segment<kInertialCount>(layout.Body(i)) = ToStandard(inertia);
  }
  for (int i = 0; i < robot.model.dofs(); ++i) {
    set.pi.segment<kJointParameterCount>(layout.Joint(i, JointParameter::kViscous)) << 1.0 + i, 0.5,
        -0.25 * i, 1.0 / 3.0;
  }
  return set;
}

struct Exported {
  RobotExport files;
  Robot robot;  ///< Loaded again.
};

Exported Export(const Robot& robot, const ParameterSet& set, const TemporaryFolder& folder,
                std::optional<ModelFormat> format = std::nullopt) {
  RobotExport files = ExportRobot(robot, set, format);
  const std::string file = folder.Write("export/" + files.model_name, files.model);
  folder.Write(std::filesystem::path("export") / kRobotFile, files.description);
  CheckExport(file, robot, set);
  return {std::move(files), LoadRobot(file)};
}

/// Joint torques, friction and all, of a robot's nominal set on fixed states.
Eigen::MatrixXd Torques(const RobotModel& model, const Eigen::VectorXd& pi) {
  const Dynamics dynamics(model);
  Dynamics::Scratch scratch(dynamics);
  const FixedStates states = MakeFixedStates(model, 30, 5);
  Eigen::MatrixXd tau(30, model.dofs());
  dynamics.InverseDynamics(pi, states.samples(), scratch, tau);
  return tau;
}

/// Greatest difference of torques over the greatest torque.
double TorqueError(const Robot& robot, const ParameterSet& set, const Robot& again) {
  REQUIRE(again.nominal_set == set.name);
  const Eigen::MatrixXd wanted = Torques(robot.model, set.pi);
  return (Torques(again.model, again.FindSet("")->pi) - wanted).cwiseAbs().maxCoeff() /
         wanted.cwiseAbs().maxCoeff();
}

/// Two limits; they may be infinite.
bool Same(double a, double b) { return a == b || std::abs(a - b) <= 1e-12 * std::abs(b); }

int Count(std::string_view text, std::string_view part) {
  int count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string_view::npos; ++at) ++count;
  return count;
}

/// A user's URDF: a mesh that is not there, comments, a base on a fixed foot, a camera and a bare
/// frame fixed to the last link, an inertia in turned axes.
constexpr std::string_view kLabUrdf = R"(<?xml version="1.0"?>
<!-- Arm of the lab, <2024> & co. -->
<robot name="lab_arm">
  <material name="grey"><color rgba="0.5 0.5 0.5 1"/></material>
  <link name="foot">
    <inertial><mass value="4"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial>
  </link>
  <link name="column"/>
  <joint name="bolt" type="fixed">
    <parent link="foot"/><child link="column"/>
  </joint>
  <link name="upper">
    <!-- weighed on the kitchen scale -->
    <inertial>
      <origin xyz="0 0 0.1" rpy="0.3 0 0.2"/>
      <mass value="2.5"/>
      <inertia ixx="0.02" ixy="0" ixz="0" iyy="0.021" iyz="0" izz="0.004"/>
    </inertial>
    <visual><geometry><mesh filename="package://lab_arm/upper.stl"/></geometry></visual>
  </link>
  <joint name="shoulder" type="revolute">
    <origin xyz="0 0 0.3" rpy="0 1.5708 0"/>
    <parent link="column"/><child link="upper"/>
    <axis xyz="0 1 0"/>
    <limit lower="-2" upper="2" effort="50" velocity="3"/>
    <dynamics damping="0.1"/>
  </joint>
  <link name="lower"><inertial><origin xyz="0.02 0 0.15"/><mass value="1"/><inertia ixx="0.01" ixy="0.001" ixz="0" iyy="0.01" iyz="0" izz="0.002"/></inertial></link>
  <joint name="elbow" type="continuous">
    <origin xyz="0 0.05 0.4"/>
    <parent link="upper"/><child link="lower"/>
    <axis xyz="1 0 0"/>
  </joint>
  <link name="camera"><inertial><mass value="0.2"/><inertia ixx="1e-4" ixy="0" ixz="0" iyy="1e-4" iyz="0" izz="1e-4"/></inertial></link>
  <joint name="camera_mount" type="fixed">
    <origin xyz="0.1 0 0.3" rpy="0 0.4 0"/>
    <parent link="lower"/><child link="camera"/>
  </joint>
  <link name="lens"/>
  <joint name="lens_mount" type="fixed"><parent link="camera"/><child link="lens"/></joint>
  <gazebo reference="upper"><mu1>0.2</mu1></gazebo>
</robot>
)";

TEST_CASE("A user's URDF comes back with the estimate, and with everything else as it was") {
  const TemporaryFolder folder;
  const Robot robot = LoadRobot(folder.Write("lab.urdf", kLabUrdf));
  const ParameterSet set = Estimated(robot);
  const Exported exported = Export(robot, set, folder);
  const std::string& text = exported.files.model;
  CHECK(exported.files.model_name == "lab.urdf");
  // Links that move, and nothing that stands.
  CHECK((exported.robot.FindSet("")->pi - set.pi).norm() <= 1e-14 * set.pi.norm());
  CHECK(TorqueError(robot, set, exported.robot) <= 1e-12);
  const char* const fixed_to =
      "<!-- fixed to lower, whose inertia holds that of this one: the estimate cannot tell them "
      "apart -->";
  for (const char* part :
       {"<!-- Arm of the lab, <2024> & co. -->\n<robot name=\"lab_arm\">\n  <!-- joints that moved",
        "alone; the file had other values at shoulder, elbow -->\n  <material",
        "<?xml version=\"1.0\"?>",
        "    <!-- weighed on the kitchen scale -->\n    <inertial>\n      <origin",
        "package://lab_arm/upper.stl", "<dynamics damping=\"1\" friction=\"0\"", "<mu1>0.2</mu1>",
        "<origin xyz=\"0 0 0.3\" rpy=\"0 1.5708 0\"", "<mass value=\"4\"", fixed_to}) {
    CAPTURE(part);
    CHECK(text.find(part) != std::string::npos);
  }
  CHECK(Count(text, "<inertial>") == 3);  // foot, upper, lower; the camera's is gone
  CHECK(
      exported.files.notes ==
      std::vector<std::string>{
          "made massless, because the link that they are fixed to has all inertia: camera",
          "joints that moved: damping is fv of the run; friction is 0; Coulomb friction and "
          "offsets and rotor inertia, for which a URDF has no place, are in robot.json alone; the "
          "file had other values at shoulder, elbow"});
}

TEST_CASE("A set that is what the file says leaves the file as it is") {
  const TemporaryFolder folder;
  std::string text(kLabUrdf);
  text.replace(text.find("damping=\"0.1\""), 13, "damping=\"0\"");  // the set has none
  const Robot robot = LoadRobot(folder.Write("lab.urdf", text));
  ParameterSet set = *robot.FindSet("");
  const RobotExport files = ExportRobot(robot, set);
  // pugixml writes a blank before "/>" and nothing else anew.
  std::string written = files.model;
  for (std::size_t at = 0; (at = written.find(" />", at)) != std::string::npos;)
    written.erase(at, 1);
  CHECK(written == text);
  CHECK(files.notes.empty());
}

/// A user's MJCF: an include, classes, inertia from geoms, a body without a name, two joints on one
/// body, a tool fixed to the last link, a base that stands askew.
constexpr std::string_view kMain = R"(<mujoco model="bench">
  <!-- the main file -->
  <compiler angle="degree" meshdir="meshes" boundmass="0.01"/>
  <option gravity="0 0 -9.8"/>
  <default>
    <geom density="700" group="2"/>
    <default class="heavy"><geom density="7800" rgba="1 0 0 1"/><joint armature="0.1"/></default>
  </default>
  <asset><mesh name="cover" file="cover.stl"/></asset>
  <include file="parts/arm.xml"/>
</mujoco>
)";
constexpr std::string_view kArm = R"(<mujocoinclude>
  <worldbody>
    <body name="stand" euler="20 0 30">
      <geom type="box" size="0.1 0.1 0.2"/>
      <body name="turret" pos="0 0 0.2">
        <joint name="pan" axis="0 0 1" range="-90 90"/>
        <joint name="tilt" axis="0 1 0" pos="0 0 0.05" ref="10"/>
        <geom class="heavy" type="capsule" size="0.05" fromto="0 0 0 0 0 0.3"/>
        <!-- no name -->
        <body pos="0 0 0.3" childclass="heavy">
          <inertial pos="0 0 0.1" mass="2" diaginertia="0.02 0.02 0.01"/>
          <joint name="lift" type="slide" axis="0 0 1" actuatorfrcrange="-30 30"/>
          <body name="tool" pos="0 0 0.2" quat="1 1 0 0">
            <geom size="0.04"/>
          </body>
        </body>
      </body>
    </body>
  </worldbody>
</mujocoinclude>
)";

Robot UserMjcf(const TemporaryFolder& folder, std::string_view main = kMain) {
  folder.Write("parts/arm.xml", kArm);
  return LoadRobot(folder.Write("bench.xml", main));
}

TEST_CASE("A user's MJCF comes back with the estimate, and geometry does not win over it") {
  const TemporaryFolder folder;
  const Robot robot = UserMjcf(folder);
  REQUIRE(robot.model.dofs() == 3);
  const ParameterSet set = Estimated(robot);
  const Exported exported = Export(robot, set, folder);
  const std::string& text = exported.files.model;
  CHECK(TorqueError(robot, set, exported.robot) <= 1e-12);
  CHECK((exported.robot.FindSet("")->pi - set.pi).norm() <= 1e-14 * set.pi.norm());
  for (const std::string& part :
       {std::string("<!-- the main file -->"), std::string("<!-- no name -->"),
        std::string("<default class=\"heavy\"><geom density=\"7800\""),
        "file=\"" + (folder.path() / "meshes/cover.stl").string() + "\"",
        std::string("<inertial pos=\"0 0 0\" mass=\"0\" diaginertia=\"0 0 0\"")}) {
    CAPTURE(part);
    CHECK(text.find(part) != std::string::npos);
  }
  CHECK(text.find("include") == std::string::npos);
  CHECK(text.find("boundmass") == std::string::npos);
  CHECK(Count(text, "<inertial") == 3);  // turret, the nameless one, tool; the stand as it was
  CHECK(exported.files.notes ==
        std::vector<std::string>{
            "included files are written out in it",
            "taken out of <compiler>, because it changes the inertias that are written: boundmass",
            "made massless, because the link that they are fixed to has all inertia: tool",
            "joints that moved: damping is fv of the run; armature is ia of the run; frictionloss "
            "is 0; Coulomb friction and offsets are in robot.json alone; the file had other values "
            "at pan, tilt, lift"});
}

TEST_CASE("What forces inertias from geometry or a total mass is taken out, and all is written") {
  for (const char* force : {"inertiafromgeom=\"true\"", "settotalmass=\"30\""}) {
    CAPTURE(force);
    const TemporaryFolder folder;
    std::string main(kMain);
    main.replace(main.find("boundmass=\"0.01\""), 16, force);
    const Robot robot = UserMjcf(folder, main);
    const ParameterSet set = Estimated(robot);
    const Exported exported = Export(robot, set, folder);
    CHECK(TorqueError(robot, set, exported.robot) <= 1e-12);
    CHECK((exported.robot.FindSet("")->pi - set.pi).norm() <= 1e-14 * set.pi.norm());
    CHECK(Count(exported.files.model, "<inertial") == 4);
  }
}

TEST_CASE("A file written anew in the other format predicts the same torques") {
  const TemporaryFolder folder;
  const std::string user_urdf = folder.Write("lab.urdf", kLabUrdf);
  folder.Write("parts/arm.xml", kArm);
  const std::string user_mjcf = folder.Write("bench.xml", kMain);
  struct Case {
    std::string robot;
    ModelFormat format;
  };
  for (const Case& each :
       {Case{user_urdf, ModelFormat::kMjcf}, Case{user_mjcf, ModelFormat::kUrdf},
        Case{"kuka_lwr4", ModelFormat::kUrdf}, Case{"barrett_wam7", ModelFormat::kUrdf},
        Case{"puma560", ModelFormat::kUrdf}, Case{"planar3", ModelFormat::kUrdf}}) {
    CAPTURE(each.robot);
    const TemporaryFolder out;
    const Robot robot = LoadRobot(each.robot);
    const ParameterSet set = Estimated(robot, true);
    const Exported exported = Export(robot, set, out, each.format);
    CHECK(TorqueError(robot, set, exported.robot) <= 1e-9);
    CHECK(exported.files.notes.size() == 2);  // and what joints have
    const RobotModel& model = exported.robot.model;
    CHECK(model.joint_names() == robot.model.joint_names());
    CHECK(model.limits().velocity == robot.model.limits().velocity);
    for (int i = 0; i < model.dofs(); ++i) {
      CHECK(Same(model.limits().lower[i], robot.model.limits().lower[i]));
      CHECK(Same(model.limits().upper[i], robot.model.limits().upper[i]));
      CHECK(Same(model.limits().effort[i], robot.model.limits().effort[i]));
    }
  }
}

TEST_CASE("Limits of velocity are neither lost nor said twice by an export") {
  const TemporaryFolder folder;
  const std::string urdf = folder.Write("lab.urdf", kLabUrdf);  // 3 rad/s at the shoulder
  Robot robot = LoadRobot(urdf);
  const ParameterSet set = Estimated(robot);
  const Eigen::Vector2d stated(3.0, std::numeric_limits<double>::infinity());
  REQUIRE(robot.model.limits().velocity == stated);
  constexpr const char* kKey = "velocity_limit_rad_s";
  for (const ModelFormat format : {ModelFormat::kUrdf, ModelFormat::kMjcf}) {
    const TemporaryFolder out;
    const Exported exported = Export(robot, set, out, format);
    CHECK(exported.robot.model.limits().velocity == stated);
    const bool in_file = format == ModelFormat::kUrdf;
    CHECK(Count(exported.files.model, "velocity") == (in_file ? 1 : 0));
    CHECK(Count(exported.files.description, kKey) == (in_file ? 0 : 1));
  }
  // What a robot.json says otherwise stays there; of an MJCF written as URDF it is in the file.
  JointLimits limits = robot.model.limits();
  limits.velocity = Eigen::Vector2d(2.0, 4.0);
  robot.model = RobotModel(robot.model.name(), robot.model.base_name(), robot.model.links(),
                           robot.model.gravity(), limits);
  const TemporaryFolder out;
  const Exported other = Export(robot, set, out);
  CHECK(other.robot.model.limits().velocity == limits.velocity);
  CHECK(Count(other.files.description, kKey) == 2);
  const TemporaryFolder anew;
  const Robot kuka = LoadRobot("kuka_lwr4");
  const Exported as_urdf = Export(kuka, Estimated(kuka, true), anew, ModelFormat::kUrdf);
  CHECK(as_urdf.robot.model.limits().velocity == kuka.model.limits().velocity);
  CHECK(Count(as_urdf.files.description, kKey) == 0);
  CHECK(Count(as_urdf.files.model, "velocity=") == 7);
}

TEST_CASE("A base that hangs, or nearly, stands as it should in a URDF") {
  for (const std::string gravity : {"0 0 9.8", "9.8e-7 0 9.8", "0 9.8 1e-3", "5 -6 -7"}) {
    CAPTURE(gravity);
    const TemporaryFolder folder;
    std::string main(kMain);
    const std::string_view upright = "0 0 -9.8";
    main.replace(main.find(upright), upright.size(), gravity);
    const Robot robot = UserMjcf(folder, main);
    const ParameterSet set = Estimated(robot, true);
    const TemporaryFolder out;
    CHECK(TorqueError(robot, set, Export(robot, set, out, ModelFormat::kUrdf).robot) <= 1e-9);
  }
}

TEST_CASE("An MJCF written anew is the same model to the bit's rounding, joints of one body too") {
  const TemporaryFolder folder;
  const Robot robot = UserMjcf(folder);
  const TemporaryFolder other;
  const ParameterSet set = Estimated(robot, true);
  // By way of a URDF's description, so that the format is another.
  const Robot as_urdf = Export(robot, set, other, ModelFormat::kUrdf).robot;
  CHECK(as_urdf.model.gravity().norm() == doctest::Approx(9.8));
  const TemporaryFolder back;
  const Robot again = Export(as_urdf, *as_urdf.FindSet(""), back, ModelFormat::kMjcf).robot;
  CHECK(TorqueError(robot, set, again) <= 1e-9);
}

TEST_CASE("A robot.json beside a model counts if it names it") {
  const TemporaryFolder folder;
  const Robot robot = LoadRobot(folder.Write("lab.urdf", kLabUrdf));
  const ParameterSet set = Estimated(robot);
  const RobotExport files = ExportRobot(robot, set);
  const std::string model = folder.Write("lab.urdf", files.model);
  CHECK(LoadRobot(model).nominal_set == "as_written");
  const std::string json = folder.Write("robot.json", files.description);
  for (const std::string& path : {model, json, folder.path().string()}) {
    CHECK(LoadRobot(path).nominal_set == "identified");
  }
  CHECK(LoadRobot(folder.Write("other.urdf", files.model)).nominal_set == "as_written");
  const ParameterLayout layout(2);
  CHECK(LoadRobot(json).FindSet("")->pi[layout.Joint(1, JointParameter::kRotorInertia)] ==
        1.0 / 3.0);
}

std::string ExportRefusal(const Robot& robot) {
  try {
    ExportRobot(robot, Estimated(robot));
  } catch (const ConfigError& error) {
    return WithoutFolder(error.what(), error.source());
  }
  return "none";
}

TEST_CASE("An exported walker keeps its motors") {
  const Robot walker = LoadRobot("biped3");
  const TemporaryFolder folder;
  const Robot again = Export(walker, Estimated(walker), folder).robot;
  CHECK(again.model.actuation().names == walker.model.actuation().names);
  CHECK(again.model.actuation().B == walker.model.actuation().B);
  CHECK(Export(LoadRobot("planar2"), Estimated(LoadRobot("planar2")), folder)
            .files.description.find("actuators") == std::string::npos);
}

TEST_CASE("What cannot be written into a file is refused by name, and so is what loads otherwise") {
  const TemporaryFolder folder;
  const Robot robot = LoadRobot(folder.Write("copies.xml", R"(<mujoco><worldbody>
    <replicate count="2" offset="1 0 0"><body name="arm"><joint name="hinge"/><geom size="0.1"/></body></replicate>
    </worldbody></mujoco>)"));
  CHECK(ExportRefusal(robot) ==
        "copies.xml: its bodies do not stand in the file one by one (<replicate>, <attach>?), so "
        "their inertias cannot be written there\n"
        "  --export-format urdf writes the robot anew");
  const Robot lab = LoadRobot(folder.Write("lab.urdf", kLabUrdf));
  try {
    CheckExport(lab.file, lab, Estimated(lab));
    CHECK(false);
  } catch (const ConfigError& error) {
    CHECK(std::string(error.what())
              .find("the export does not load as the robot that it was made "
                    "from: its torques differ by up to ") != std::string::npos);
  }
  CHECK_THROWS_WITH_AS(
      CheckExport(lab.file, robot, Estimated(robot)),
      (lab.file.string() + ": the export does not load as the robot that it was made from: its "
                           "joints are others, or in another order\n"
                           "  --export-format writes the robot anew in the other format")
          .c_str(),
      ConfigError);
}

}  // namespace
}  // namespace idbench
