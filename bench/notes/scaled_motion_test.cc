#include "bench/notes/scaled_motion.h"

#include <doctest/doctest.h>

#include <string>

#include "robots/temporary_folder_test.h"
#include "scenarios/motion/motions.h"

namespace idbench {
namespace {

/// A hinge whose URDF states this limit of velocity.
Robot Hinge(const TemporaryFolder& folder, const std::string& velocity) {
  return LoadRobot(folder.Write("hinge.urdf", R"(<robot name="hinge"><link name="foot"/>
    <link name="arm"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <joint name="turn" type="continuous"><parent link="foot"/><child link="arm"/><axis xyz="0 1 0"/>
    <limit effort="1" velocity=")" + velocity + R"("/></joint></robot>)"));
}

std::string NoteOf(const Robot& robot, const MotionOptions& options) {
  const auto motion = MakeMotion(options, {}, robot.model, 1, -1,
                                 {PartDesign{.cost = [](const Motion&) { return 0.0; }}});
  return ScaledMotionNote(robot, "a", options, *motion);
}

TEST_CASE("A motion that a URDF's limits of velocity hold back is told, with its joints") {
  const TemporaryFolder folder;
  FourierOptions fourier;
  CHECK(NoteOf(Hinge(folder, "0.5"), fourier) ==
        "the limits of velocity in the URDF hold back the motion of a: turn "
        "(\"velocity_limits\": false lifts them)");
  CHECK(NoteOf(Hinge(folder, "500"), fourier).empty());
  CHECK(NoteOf(Hinge(folder, "0"), fourier).empty());
  fourier.velocity_limits = false;
  CHECK(NoteOf(Hinge(folder, "0.5"), fourier).empty());
  // Limits of a robot.json are the user's own words.
  CHECK(NoteOf(LoadRobot("planar1"), FourierOptions{.base_frequency_hz = 1.0}).empty());
}

}  // namespace
}  // namespace idbench
