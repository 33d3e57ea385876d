#include "robots/mjspec.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "robots/robot.h"
#include "robots/temporary_folder_test.h"
#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

std::string ParseError(const std::filesystem::path& file) {
  try {
    ParseSpec(file);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "none";
}

TEST_CASE("A catalogued model parses and compiles") {
  const std::filesystem::path file = RobotFolder() / "planar2" / "planar2.xml";
  const SpecPtr spec = ParseSpec(file);
  REQUIRE(spec);
  const ModelPtr model = Compile(spec.get(), file);
  REQUIRE(model);
  CHECK(model->nv == 2);
  const DataPtr data(mj_makeData(model.get()));
  CHECK(data);
}

TEST_CASE("What MuJoCo cannot parse is reported in its own words") {
  const TemporaryFolder folder;
  const std::string file =
      folder.Write("arm.xml", "<mujoco><worldbody><bodi/></worldbody></mujoco>");
  CHECK(ParseError(file) ==
        file +
            ": MuJoCo cannot read it: XML Error: Schema violation: unrecognized element\n"
            "Element 'bodi', line 1\n"
            "  accepted here: MJCF (.xml) or URDF (.urdf)");
}

TEST_CASE("What MuJoCo cannot compile is reported in its own words") {
  const TemporaryFolder folder;
  const std::string file = folder.Write(
      "arm.xml",
      R"(<mujoco><worldbody><body name="a"><joint name="j"/></body></worldbody></mujoco>)");
  const SpecPtr spec = ParseSpec(file);
  std::string message = "none";
  try {
    Compile(spec.get(), file);
  } catch (const ConfigError& error) {
    message = error.what();
  }
  CHECK(message.starts_with(file + ": MuJoCo cannot compile it: Error: mass and inertia of moving "
                                   "bodies must be larger than mjMINVAL"));
}

TEST_CASE("A file that includes itself is refused, in a circle too") {
  const TemporaryFolder folder;
  const std::string cure = "\n  a file may be included once, and not by itself";
  const std::string self =
      folder.Write("self.xml", R"(<mujoco><include file="self.xml"/><worldbody/></mujoco>)");
  CHECK(ParseError(self) ==
        self +
            ": MuJoCo cannot read it: XML Error: File 'self.xml' already included\n"
            "Element 'include', line 1" +
            cure);
  folder.Write("b.xml", R"(<mujocoinclude><include file="a.xml"/></mujocoinclude>)");
  const std::string circle =
      folder.Write("a.xml", R"(<mujoco><include file="b.xml"/><worldbody/></mujoco>)");
  CHECK(ParseError(circle).find("already included") != std::string::npos);
  CHECK(ParseError(circle).ends_with(cure));
}

TEST_CASE("An included file that is not there is told as such") {
  const TemporaryFolder folder;
  const std::string file =
      folder.Write("a.xml", R"(<mujoco><include file="gone.xml"/><worldbody/></mujoco>)");
  const std::string message = ParseError(file);
  CHECK(message.find("Error opening file") != std::string::npos);
  CHECK(message.ends_with("\n  put the files that it includes where the model looks for them"));
}

/// Two arms on a base, each of one link with a welded tip, and what couples them.
std::string TwoArms(const std::string& couplings) {
  const auto arm = [](const std::string& name) {
    return "<body name=\"" + name + "\"><joint name=\"" + name +
           "_turn\"/><inertial pos=\"0 0 1\" mass=\"1\" diaginertia=\"1 1 1\"/><site name=\"" +
           name + "_site\"/><body name=\"" + name + "_tip\"/></body>";
  };
  return "<mujoco><worldbody>" + arm("left") + arm("right") +
         "<body name=\"hand\" mocap=\"true\"/></worldbody>"
         "<tendon><fixed name=\"belt\"><joint joint=\"left_turn\" coef=\"1\"/></fixed></tendon>"
         "<equality>" +
         couplings + "</equality></mujoco>";
}

TEST_CASE("Constraints that close a loop are refused by name, all at once") {
  const TemporaryFolder folder;
  const std::string file = folder.Write(
      "arms.xml", TwoArms(R"(<connect name="pin" body1="left_tip" body2="right" anchor="0 0 0"/>
                 <weld name="glue" site1="left_site" site2="right_site"/>
                 <weld body1="right_tip"/>)"));
  const std::string cure =
      "\n  accepted here: trees; leave out the constraint, and one joint of the loop moves what it "
      "moved\n  or hold the joints between the two: name those that move without them";
  CHECK(WithoutFolder(ParseError(file), file) ==
        "arms.xml: pin: a closed loop: the constraint connect joins 'left_tip' and 'right'" + cure +
            "\narms.xml: glue: a closed loop: the constraint weld joins 'left' and 'right'" + cure +
            "\narms.xml: a closed loop: the constraint weld joins 'right_tip' and 'world'" + cure);
}

TEST_CASE("Constraints that close no loop are left out; coupled joints are noted") {
  const TemporaryFolder folder;
  const std::string file =
      folder.Write("arms.xml", TwoArms(R"(<weld name="same link" body1="left" body2="left_tip"/>
                             <weld name="off" body1="left" body2="right" active="false"/>
                             <weld name="handle" body1="hand" body2="right"/>
                             <joint joint1="right_turn" joint2="left_turn"/>
                             <tendon tendon1="belt"/>)"));
  std::vector<std::string> notes;
  const SpecPtr spec = ParseSpec(file, &notes);
  CHECK(notes == std::vector<std::string>{
                     "coupled joints (mimic, equality) move by themselves here: right_turn, belt"});
  const ModelPtr model = Compile(spec.get(), file);
  CHECK(model->neq == 0);
  CHECK(model->ntendon == 0);
  CHECK(model->njnt == 2);
}

TEST_CASE("A URDF's mimic joints are noted by name") {
  const TemporaryFolder folder;
  const std::string link =
      R"(<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>
         </inertial></link>)";
  const std::string file = folder.Write(
      "hand.urdf",
      R"(<robot name="hand"><link name="palm"/><link name="l">)" + link + "<link name=\"r\">" +
          link +
          R"(<joint name="left" type="continuous"><parent link="palm"/><child link="l"/>
               <axis xyz="0 0 1"/></joint>
             <joint name="right" type="continuous"><parent link="palm"/><child link="r"/>
               <axis xyz="0 0 1"/><mimic joint="left"/></joint></robot>)");
  std::vector<std::string> notes;
  ParseSpec(file, &notes);
  CHECK(notes == std::vector<std::string>{
                     "coupled joints (mimic, equality) move by themselves here: right"});
}

TEST_CASE("Friction and rotor inertia that a file states are noted: no set takes them over") {
  const TemporaryFolder folder;
  const std::string file = folder.Write("rubs.xml", R"(<mujoco><worldbody><body>
    <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><joint name="plain"/>
    <body><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><joint name="oiled" damping="0.1"/>
    <body><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><joint frictionloss="0.1"/>
    <body><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><joint name="geared" armature="1"/>
    </body></body></body></body></worldbody></mujoco>)");
  std::vector<std::string> notes;
  ParseSpec(file, &notes);
  CHECK(notes ==
        std::vector<std::string>{
            "damping, friction and armature in the file count as 0 (a simulated robot gets its own "
            "at /robot/truth): oiled, (unnamed), geared"});
}

TEST_CASE("An MJCF needs none of its assets but the meshes that inertias come from") {
  const TemporaryFolder folder;
  const std::string rest = R"(
    <asset><mesh name="m" file="gone.stl"/><texture name="t" type="2d" file="gone.png"/>
      <material name="paint" texture="t"/><hfield name="h" file="gone.png" size="1 1 1 1"/></asset>
    <actuator><motor joint="j"/></actuator><sensor><jointpos joint="j"/></sensor>
    <keyframe><key qpos="0"/></keyframe>)";
  const std::string geoms = R"(<geom type="mesh" mesh="m" material="paint"/>)";
  const std::string ground = R"(<worldbody><light/><camera/><geom type="hfield" hfield="h"/>)";
  const std::string stated =
      folder.Write("stated.xml", "<mujoco>" + ground +
                                     R"(<body name="a"><joint name="j"/><site material="paint"/>
        <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>)" +
                                     geoms +
                                     R"(<body><geom name="g" size="0.1" material="paint"/></body>
        </body></worldbody>)" + rest +
                                     "</mujoco>");
  const ModelPtr model = Compile(ParseSpec(stated).get(), stated);
  CHECK(model->nbody == 3);
  CHECK(model->ngeom == 1);  // the sphere, which its body's inertia comes from
  CHECK(model->nmesh == 0);
  CHECK(model->nu == 0);

  const std::string derived =
      folder.Write("derived.xml", "<mujoco>" + ground + R"(<body name="a"><joint name="j"/>)" +
                                      geoms + "</body></worldbody>" + rest + "</mujoco>");
  const SpecPtr spec = ParseSpec(derived);
  std::string message = "none";
  try {
    Compile(spec.get(), derived);
  } catch (const ConfigError& error) {
    message = WithoutFolder(error.what(), derived);
  }
  CHECK(message ==
        "derived.xml: MuJoCo cannot compile it: Error: Error opening file 'gone.stl'\n"
        "  a body without <inertial> takes its inertia from its geoms: put their mesh files where "
        "the model looks for them, or write its <inertial>");
}

TEST_CASE("A base whose mesh is missing has no inertia, is noted, and does not stop the robot") {
  const TemporaryFolder folder;
  const auto model = [&folder](const std::string& mesh) {
    return folder.Write("arm.xml", R"(<mujoco><compiler meshdir="meshes"/><asset>
        <mesh file="foot.obj"/><mesh name="box" vertex="0 0 0  1 0 0  0 1 0  0 0 1"/></asset>
      <worldbody><body name="foot"><geom type="mesh" mesh=")" +
                                       mesh + R"("/><geom type="mesh" mesh=")" + mesh + R"("/>
        <body name="a"><joint name="j"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
        </body></body></worldbody></mujoco>)");
  };
  const auto foot_mass = [](const std::string& file, std::vector<std::string>& notes) {
    return Compile(ParseSpec(file, &notes).get(), file)->body_mass[1];
  };
  std::vector<std::string> notes;
  CHECK(foot_mass(model("foot"), notes) == 0.0);
  CHECK(notes == std::vector<std::string>{"mesh files are missing, so what stands still has less "
                                          "inertia, or none: foot"});
  // A mesh that is there, in the model or in a file, is used.
  notes.clear();
  CHECK(foot_mass(model("box"), notes) > 100.0);  // two of 1/6 m³ at 1000 kg/m³
  folder.Write("meshes/foot.obj",
               "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  CHECK(foot_mass(model("foot"), notes) == doctest::Approx(2.0 * 1000.0 / 6.0));
  CHECK(notes.empty());
}

TEST_CASE("MuJoCo's errors become exceptions that this program survives") {
  InstallMujocoLogHandler();
  InstallMujocoLogHandler();  // as often as one likes
  CHECK_THROWS_WITH_AS(mju_error("a test says %d", 7), "MuJoCo: a test says 7", std::runtime_error);
}

TEST_CASE("MuJoCo's warnings leave no log file behind") {
  InstallMujocoLogHandler();
  mju_warning("a test warns");
  CHECK_FALSE(std::filesystem::exists("MUJOCO_LOG.TXT"));
}

}  // namespace
}  // namespace idbench
