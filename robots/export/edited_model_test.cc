#include "robots/export/edited_model.h"

#include <doctest/doctest.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/mjspec.h"
#include "robots/temporary_folder_test.h"

namespace idbench {
namespace {

constexpr const char* kTetrahedron =
    "v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nv 0 0 0.1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

/// One arm with a hand on it, behind what `head` says.
std::string Arm(const std::string& head, const std::string& hand = "") {
  return "<mujoco>" + head + R"(
  <worldbody>
    <body name="arm">
      <inertial pos="0 0 0.1" mass="2" diaginertia="0.03 0.03 0.01"/>
      <joint name="shoulder" axis="0 1 0"/>
      )" +
         hand +
         R"(
    </body>
  </worldbody>
</mujoco>
)";
}

/// The nominal set with the inertia of the last link doubled.
Eigen::VectorXd LastLinkDoubled(const Robot& robot) {
  Eigen::VectorXd pi = robot.FindSet("")->pi;
  pi.segment<kInertialCount>(ParameterLayout(robot.model.dofs()).Body(robot.model.dofs() - 1)) *=
      2.0;
  return pi;
}

std::string EditedText(const Robot& robot, const Eigen::VectorXd& pi) {
  std::vector<std::string> notes;
  return EditedModel(robot, pi, {}, {}, notes);
}

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// As MuJoCo itself loads a file, meshes and all; an empty pointer and a message where it does not.
ModelPtr LoadedByMujoco(const std::string& file, std::string& message) {
  InstallMujocoLogHandler();
  std::array<char, 1000> error{};
  ModelPtr model(mj_loadXML(file.c_str(), nullptr, error.data(), error.size()));
  message = error.data();
  return model;
}

TEST_CASE("Meshes are found from any folder, wherever the compiler lets MuJoCo look for them") {
  struct Case {
    const char* compiler;
    const char* file;   ///< As the model names it.
    const char* place;  ///< Where it is.
  };
  for (const Case& each :
       {Case{"", "tet.obj", "tet.obj"}, Case{"", "meshes/tet.obj", "meshes/tet.obj"},
        Case{"<compiler meshdir=\"meshes\"/>", "tet.obj", "meshes/tet.obj"},
        Case{"<compiler meshdir=\"meshes/\" assetdir=\"elsewhere\"/>", "in/tet.obj",
             "meshes/in/tet.obj"},
        Case{"<compiler assetdir=\"assets\"/>", "tet.obj", "assets/tet.obj"},
        Case{"<compiler meshdir=\"meshes\" strippath=\"true\"/>", "of/the/author/tet.obj",
             "meshes/tet.obj"},
        Case{"<compiler meshdir=\"a\"/><compiler meshdir=\"b\"/>", "tet.obj", "b/tet.obj"}}) {
    CAPTURE(each.compiler);
    const TemporaryFolder folder;
    folder.Write(each.place, kTetrahedron);
    const std::string file = folder.Write(
        "arm.xml", Arm(each.compiler + std::string("<asset><mesh name=\"tet\" file=\"") +
                           each.file + "\"/></asset>",
                       "<geom type=\"mesh\" mesh=\"tet\" mass=\"0\"/>"));
    std::string message;
    const ModelPtr before = LoadedByMujoco(file, message);
    CAPTURE(message);
    REQUIRE(before);
    const Robot robot = LoadRobot(file);
    const TemporaryFolder other;
    const ModelPtr after =
        LoadedByMujoco(other.Write("arm.xml", EditedText(robot, LastLinkDoubled(robot))), message);
    REQUIRE(after);
    CHECK(after->nmeshvert == before->nmeshvert);
    CHECK(after->body_mass[1] == 2.0 * before->body_mass[1]);
  }
}

TEST_CASE("Textures have a folder of their own, and each file of a cube its path") {
  const TemporaryFolder folder;
  const Robot robot = LoadRobot(folder.Write(
      "arm.xml",
      Arm("<compiler meshdir=\"meshes\" texturedir=\"pictures\"/><asset>"
          "<texture name=\"sky\" type=\"cube\" fileup=\"up.png\" filedown=\"down.png\"/>"
          "<texture name=\"wood\" type=\"2d\" file=\"/else/where/wood.png\"/>"
          "<texture name=\"none\" type=\"2d\" builtin=\"flat\" width=\"1\" height=\"1\"/>"
          "</asset>")));
  const std::string text = EditedText(robot, LastLinkDoubled(robot));
  for (const std::string& part :
       {"fileup=\"" + (folder.path() / "pictures/up.png").string() + "\"",
        "filedown=\"" + (folder.path() / "pictures/down.png").string() + "\"",
        std::string("file=\"/else/where/wood.png\""), std::string("builtin=\"flat\"")}) {
    CAPTURE(part);
    CHECK(text.find(part) != std::string::npos);
  }
}

TEST_CASE("A mesh beside a URDF is named by its whole path, one of a package as it was") {
  const TemporaryFolder folder;
  const auto mesh = [](const std::string& name) {
    return "<visual><geometry><mesh filename=\"" + name + "\"/></geometry></visual>";
  };
  const Robot robot = LoadRobot(folder.Write(
      "arm.urdf",
      "<robot name=\"arm\"><link name=\"foot\">" + mesh("meshes/foot.stl") +
          "</link><joint name=\"hinge\" type=\"continuous\"><parent link=\"foot\"/>"
          "<child link=\"arm\"/></joint><link name=\"arm\"><inertial><mass value=\"2\"/>"
          "<inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial>" +
          mesh("package://arm/arm.stl") + mesh("/else/where/arm.stl") + "</link></robot>"));
  const std::string text = EditedText(robot, LastLinkDoubled(robot));
  for (const std::string& name :
       {(folder.path() / "meshes/foot.stl").string(), std::string("package://arm/arm.stl"),
        std::string("/else/where/arm.stl")}) {
    CAPTURE(name);
    CHECK(text.find("<mesh filename=\"" + name + "\"") != std::string::npos);
  }
}

TEST_CASE("An included file may include others, as MuJoCo finds them") {
  const TemporaryFolder folder;
  folder.Write("parts/hand.xml",
               "<mujocoinclude><body name=\"hand\"><inertial pos=\"0 0 0\" mass=\"1\" "
               "diaginertia=\"1 1 1\"/><joint name=\"wrist\"/></body></mujocoinclude>");
  folder.Write("parts/more.xml",
               "<mujocoinclude><include file=\"parts/hand.xml\"/></mujocoinclude>");
  const std::string file =
      folder.Write("arm.xml", Arm("", "<include file=\"parts/more.xml\"/><geom size=\"0.1\"/>"));
  std::string message;
  const ModelPtr before = LoadedByMujoco(file, message);
  CAPTURE(message);
  REQUIRE(before);
  const Robot robot = LoadRobot(file);
  REQUIRE(robot.model.dofs() == 2);
  const TemporaryFolder other;
  const ModelPtr after =
      LoadedByMujoco(other.Write("arm.xml", EditedText(robot, LastLinkDoubled(robot))), message);
  REQUIRE(after);
  REQUIRE(after->nbody == before->nbody);
  CHECK(after->body_mass[1] == before->body_mass[1]);
  CHECK(after->body_mass[2] == 2.0);
}

TEST_CASE("Of a link that stays as it is, and of all beside inertias, no line changes") {
  for (const char* name : {"planar2", "kuka_lwr4"}) {
    CAPTURE(name);
    const Robot robot = LoadRobot(name);
    const std::vector<std::string> before = Lines(EditedText(robot, robot.FindSet("")->pi));
    const std::vector<std::string> after = Lines(EditedText(robot, LastLinkDoubled(robot)));
    REQUIRE(before.size() == after.size());
    std::vector<std::string> changed;
    for (std::size_t k = 0; k < before.size(); ++k) {
      if (before[k] != after[k]) changed.push_back(after[k]);
    }
    REQUIRE(changed.size() == 1);
    CHECK(changed[0].find("<inertial ") != std::string::npos);
  }
}

TEST_CASE("Bodies in frames get the inertias of their own links") {
  const TemporaryFolder folder;
  const auto body = [](const std::string& name, const std::string& inside) {
    return "<body name=\"" + name + "\"><joint name=\"of_" + name +
           "\"/><inertial pos=\"0 0 0.1\" mass=\"1\" diaginertia=\"1 1 1\"/>" + inside + "</body>";
  };
  const Robot robot = LoadRobot(folder.Write(
      "tree.xml", Arm("", body("a", "<frame pos=\"0 0 1\">" + body("b", "") + "<frame>" +
                                        body("c", "") + "</frame></frame>" + body("d", "")) +
                              "<frame euler=\"90 0 0\">" + body("e", "") + "</frame>")));
  REQUIRE(robot.model.dofs() == 6);
  const ParameterLayout layout(6);
  Eigen::VectorXd pi = robot.FindSet("")->pi;
  for (int i = 0; i < 6; ++i) pi.segment<kInertialCount>(layout.Body(i)) *= 2.0 + i;
  const Robot again = LoadRobot(folder.Write("edited.xml", EditedText(robot, pi)));
  CHECK(again.model.joint_names() == robot.model.joint_names());
  CHECK((again.FindSet("")->pi - pi).norm() <= 1e-14 * pi.norm());  // rounding of a shift
}

TEST_CASE("A base that changes is written where it stands, in a URDF and in MJCF") {
  const TemporaryFolder folder;
  const std::string urdf = folder.Write("cart.urdf", R"(<robot name="cart">
  <link name="foot"><inertial><origin xyz="0.1 0 0"/><mass value="4"/>
    <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
  <joint name="hinge" type="continuous"><parent link="foot"/><child link="arm"/><axis xyz="0 1 0"/></joint>
  <link name="arm"><inertial><origin xyz="0 0 0.1"/><mass value="2"/>
    <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
</robot>)");
  for (const std::string& file : {urdf, std::string("planar2")}) {
    CAPTURE(file);
    const Robot robot = LoadRobot(file);
    const int base = ParameterLayout(robot.model.dofs()).Body(-1);
    Eigen::VectorXd pi = robot.FindSet("")->pi;
    REQUIRE(pi[base] > 0.0);
    pi.segment<kInertialCount>(base) *= 1.5;
    const Robot again =
        LoadRobot(folder.Write("edited" + robot.file.extension().string(), EditedText(robot, pi)));
    CHECK((again.FindSet("")->pi - pi).head(robot.model.dofs() * kInertialCount).norm() <=
          1e-14 * pi.norm());  // rounding of a shift
  }
}

}  // namespace
}  // namespace idbench
