#include "robots/mjspec.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

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

TEST_CASE("A file that is not there is named, and so is a folder") {
  CHECK(ParseError("/nowhere/arm.xml") ==
        "/nowhere/arm.xml: no such file\n  give the path of an MJCF or URDF file");
  const TemporaryFolder folder;
  CHECK(ParseError(folder.path()) ==
        folder.path().string() + ": no such file\n  give the path of an MJCF or URDF file");
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
