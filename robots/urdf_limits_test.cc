#include "robots/urdf_limits.h"

#include <doctest/doctest.h>

#include <limits>

#include "robots/temporary_folder_test.h"

namespace idbench {
namespace {

TEST_CASE("Velocity limits are those that a URDF file states above 0, beside the model's") {
  const TemporaryFolder folder;
  const auto joint = [](const std::string& name, const std::string& child,
                        const std::string& parent, const std::string& limit) {
    return R"(<joint type="continuous" name=")" + name + R"("><parent link=")" + parent +
           R"("/><child link=")" + child + R"("/><axis xyz="0 1 0"/>)" + limit + "</joint>";
  };
  const auto link = [](const std::string& name) {
    return R"(<link name=")" + name + R"("><inertial><mass value="1"/><inertia ixx="1" iyy="1" )" +
           R"(izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>)";
  };
  const std::string file = folder.Write(
      "arm.urdf", R"(<robot name="arm">)" + link("a") + link("b") + link("c") + link("d") +
                      joint("j1", "b", "a", R"(<limit effort="1" velocity="1.5"/>)") +
                      joint("j2", "c", "b", R"(<limit effort="1" velocity="0"/>)") +
                      joint("j3", "d", "c", "") + "</robot>");
  constexpr double kNone = std::numeric_limits<double>::infinity();
  CHECK(StatedVelocityLimits(LoadRobot(file)) == Eigen::Vector3d(1.5, kNone, kNone));
  const Robot kuka = LoadRobot("kuka_lwr4");
  CHECK(StatedVelocityLimits(kuka) == kuka.model.limits().velocity);
}

}  // namespace
}  // namespace idbench
