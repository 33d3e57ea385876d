#include "bench/identify/guessed_bodies.h"

#include <doctest/doctest.h>

#include <cmath>

#include "robots/physical_inertia.h"
#include "robots/temporary_folder_test.h"

namespace idbench {
namespace {

std::string Inertial(const std::string& moments) {
  return R"(<inertial><origin xyz="0 0 0.1"/><mass value="2"/><inertia )" + moments +
         R"( ixy="0" ixz="0" iyz="0"/></inertial>)";
}

/// Two links of 0.5 m along z.
std::string WriteArm(const TemporaryFolder& folder, const std::string& upper,
                     const std::string& lower) {
  return folder.Write(
      "arm.urdf",
      R"(<robot name="arm"><link name="base"/><link name="upper">)" + upper +
          R"(</link><link name="lower">)" + lower +
          R"(</link><joint type="continuous" name="shoulder"><parent link="base"/>)"
          R"(<child link="upper"/><axis xyz="0 1 0"/></joint>)"
          R"(<joint type="continuous" name="elbow"><parent link="upper"/><child link="lower"/>)"
          R"(<origin xyz="0 0 0.5"/><axis xyz="0 1 0"/></joint></robot>)");
}

const std::string& Sound() {
  static const std::string sound = Inertial(R"(ixx="0.02" iyy="0.02" izz="0.01")");
  return sound;
}

/// The arm with what stands for its bodies.
Robot Mended(const TemporaryFolder& folder, const GuessedBodies& bodies) {
  return LoadRobot(folder.Write("guessed/robot.json", bodies.description));
}

CentralInertia BodyOf(const Robot& robot, int link) {
  const ParameterLayout layout(robot.model);
  return FromStandard(robot.FindSet("")->pi.segment<kInertialCount>(layout.Body(link)));
}

TEST_CASE("A body without inertia becomes a rod along its link, the others stay") {
  const TemporaryFolder folder;
  const Robot arm = LoadRobot(WriteArm(folder, "", Sound()));
  const std::optional<GuessedBodies> bodies = GuessBodies(arm);
  REQUIRE(bodies.has_value());
  CHECK(bodies->guessed == std::vector<std::string>{"upper"});
  CHECK(bodies->mended.empty());
  const Robot guessed = Mended(folder, *bodies);
  const CentralInertia rod = BodyOf(guessed, 0);
  // 10 kg/m · 0.5 m, of radius 0.05 m.
  CHECK(rod.mass == doctest::Approx(5.0));
  CHECK(rod.com.isApprox(Eigen::Vector3d(0.0, 0.0, 0.25)));
  CHECK(rod.I_com(2, 2) == doctest::Approx(5.0 * 0.05 * 0.05 / 2.0));
  CHECK(rod.I_com(0, 0) == doctest::Approx(5.0 * (3.0 * 0.05 * 0.05 + 0.5 * 0.5) / 12.0));
  CHECK(BodyOf(guessed, 1).I_com.isApprox(BodyOf(arm, 1).I_com));
}

TEST_CASE("A body whose inertia cannot be becomes the nearest one, and no rod") {
  const TemporaryFolder folder;
  const Robot arm =
      LoadRobot(WriteArm(folder, Sound(), Inertial(R"(ixx="0.01" iyy="0.01" izz="0.03")")));
  const std::optional<GuessedBodies> bodies = GuessBodies(arm);
  REQUIRE(bodies.has_value());
  CHECK(bodies->guessed.empty());
  CHECK(bodies->mended == std::vector<std::string>{"lower"});
  const CentralInertia nearest = BodyOf(Mended(folder, *bodies), 1);
  CHECK_FALSE(WhyUnphysical(nearest).has_value());
  CHECK(nearest.mass == doctest::Approx(2.0));
  CHECK(nearest.com.isApprox(Eigen::Vector3d(0.0, 0.0, 0.1)));
}

TEST_CASE("Where all bodies can be, or sets of the robot's own say more, nothing is guessed") {
  const TemporaryFolder folder;
  CHECK_FALSE(GuessBodies(LoadRobot(WriteArm(folder, Sound(), Sound()))).has_value());
  const GuessedBodies bodies = GuessBodies(LoadRobot(WriteArm(folder, "", Sound()))).value();
  CHECK_FALSE(GuessBodies(Mended(folder, bodies)).has_value());
}

}  // namespace
}  // namespace idbench
