#include "robots/model_files.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "robots/robot.h"
#include "robots/temporary_folder_test.h"

namespace idbench {
namespace {

namespace fs = std::filesystem;

constexpr const char* kUnitInertial = "<inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/>";
constexpr const char* kMeshText =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

/// Writes an arm that includes a file which includes another, attaches a model which attaches
/// another, and takes inertias from meshes of all of them. Beside them lie files that are named, or
/// not even that, and decide nothing.
std::string WriteArm(const TemporaryFolder& folder) {
  const auto body = [](const std::string& name, const std::string& content) {
    return "<body name=\"" + name + "\"><joint name=\"j" + name + "\"/>" + content + "</body>";
  };
  const auto model = [](const std::string& mesh, const std::string& assets,
                        const std::string& content) {
    return "<mujoco><compiler meshdir=\"meshes\"/><asset><mesh name=\"m\" file=\"" + mesh + "\"/>" +
           assets + "</asset><worldbody>" + content + "</worldbody></mujoco>";
  };
  const std::string mesh_geom = "<geom type=\"mesh\" mesh=\"m\"/>";
  for (const char* mesh : {"meshes/a.obj", "meshes/seen.obj", "meshes/unused.obj",
                           "sub/meshes/b.obj", "sub/deep/meshes/c.obj", "meshes/b.obj"}) {
    folder.Write(mesh, kMeshText);
  }
  folder.Write("parts/more.xml",
               "<mujocoinclude><include file=\"parts/hand.xml\"/></mujocoinclude>");
  folder.Write("parts/hand.xml",
               "<mujocoinclude>" + body("hand", kUnitInertial) + "</mujocoinclude>");
  folder.Write("sub/more.xml",
               "<mujocoinclude>" + body("more", kUnitInertial) + "</mujocoinclude>");
  folder.Write("sub/deep/leaf.xml", model("c.obj", "", body("leaf", mesh_geom)));
  folder.Write(
      "sub/child.xml",
      model("b.obj", "<model name=\"leaf\" file=\"deep/leaf.xml\"/>",
            body("tool", mesh_geom + "<include file=\"more.xml\"/>"
                                     "<attach model=\"leaf\" body=\"leaf\" prefix=\"l_\"/>")));
  return folder.Write(
      "arm.xml",
      model("a.obj",
            "<mesh name=\"seen\" file=\"seen.obj\"/><model name=\"child\" file=\"sub/child.xml\"/>",
            body("link", mesh_geom + "<include file=\"parts/more.xml\"/>" +
                             body("wrist", std::string(kUnitInertial) +
                                               "<geom type=\"mesh\" mesh=\"seen\"/>") +
                             "<attach model=\"child\" body=\"tool\" prefix=\"t_\"/>")));
}

std::vector<std::string> NamesIn(const fs::path& folder, const std::vector<fs::path>& files) {
  std::vector<std::string> names;
  for (const fs::path& file : files) names.push_back(file.lexically_relative(folder).string());
  return names;
}

TEST_CASE("Of a model all files count that it includes, attaches, and takes inertias from") {
  const TemporaryFolder folder;
  const Robot robot = LoadRobot(WriteArm(folder));
  CHECK(NamesIn(folder.path(), robot.files) ==
        std::vector<std::string>{"arm.xml", "parts/more.xml", "parts/hand.xml", "sub/child.xml",
                                 "sub/more.xml", "sub/deep/leaf.xml", "meshes/a.obj",
                                 "sub/meshes/b.obj", "sub/deep/meshes/c.obj"});
}

TEST_CASE("A copy of those files alone is the same robot, and without any of them it is none") {
  const TemporaryFolder folder, copy;
  const Robot robot = LoadRobot(WriteArm(folder));
  REQUIRE(robot.model.dofs() == 6);
  for (const fs::path& file : robot.files) {
    copy.Write(file.lexically_relative(folder.path()), ReadText(file));
  }
  const std::string model = copy / "arm.xml";
  CHECK(LoadRobot(model).sets.front().pi == robot.sets.front().pi);
  for (const fs::path& file : robot.files) {
    const fs::path copied = copy / file.lexically_relative(folder.path());
    CAPTURE(copied);
    fs::rename(copied, copy / "away");
    CHECK_THROWS(LoadRobot(model));
    fs::rename(copy / "away", copied);
  }
}

TEST_CASE("A model named from the folder that one stands in has files named from there") {
  const TemporaryFolder folder;
  WriteArm(folder);
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  const std::vector<fs::path> files = LoadRobot("./arm.xml").files;
  fs::current_path(before);
  REQUIRE(files.size() == 9);
  CHECK(files[1].lexically_normal() == "parts/more.xml");
  CHECK(files[7].lexically_normal() == "sub/meshes/b.obj");
}

TEST_CASE("Meshes of a URDF decide nothing, a robot.json that names the model does") {
  const TemporaryFolder folder;
  folder.Write("meshes/arm.stl", "");
  const std::string file =
      folder.Write("arm.urdf", R"(<robot name="arm"><link name="foot"/><link name="arm">
        <inertial><mass value="2"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
        <visual><geometry><mesh filename="meshes/arm.stl"/></geometry></visual></link>
      <joint name="j" type="revolute"><parent link="foot"/><child link="arm"/><axis xyz="0 0 1"/>
        <limit effort="1" velocity="1" lower="-1" upper="1"/></joint></robot>)");
  CHECK(NamesIn(folder.path(), LoadRobot(file).files) == std::vector<std::string>{"arm.urdf"});
  const fs::path catalogued = RobotFolder() / "planar2";
  for (const std::string& name :
       {std::string("planar2"), (catalogued / "planar2.xml").string(), catalogued.string()}) {
    CHECK(NamesIn(catalogued, LoadRobot(name).files) ==
          std::vector<std::string>{"planar2.xml", "robot.json"});
  }
}

}  // namespace
}  // namespace idbench
