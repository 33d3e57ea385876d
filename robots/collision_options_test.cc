#include "robots/collision_options.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "robots/collision_spheres.h"
#include "robots/temporary_folder_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

constexpr const char* kTwoAxes = R"(<mujoco><worldbody><body name="base" pos="0 0 1">
  <inertial pos="0 0 0" mass="3" diaginertia="1 1 1"/><body name="column" pos="0 0 0.2"/>
  <body name="arm" pos="0 0 0.5"><inertial pos="0.1 0 0" mass="2" diaginertia="0.3 0.2 0.1"/>
  <joint name="yaw" axis="0 0 1"/><joint name="pitch" axis="0 1 0"/>
  <body name="tool" pos="0.3 0 0"/>
  <body name="hand" pos="0.5 0 0"><inertial pos="0.1 0 0" mass="1" diaginertia="0.3 0.2 0.1"/>
  <joint name="grip"/></body></body></body></worldbody></mujoco>)";

/// The robot with this `collision`, loaded from a model and its robot.json.
Robot RobotWith(const std::string& collision, const RobotPart& part = {}) {
  const TemporaryFolder folder;
  folder.Write("arm.xml", kTwoAxes);
  const std::string none = R"("com_m": [0, 0, 0], "inertia_com_kgm2": [1, 1, 1, 0, 0, 0]})";
  const std::string file = folder.Write(
      "robot.json", R"({"name": "arm", "title": "An arm", "model": "arm.xml", "nominal_set": "s",
        "collision": )" +
                        collision + R"(, "sets": {"s": {"source": "invented", "bodies": {
        "base": {"mass_kg": 3, )" +
                        none + R"(, "arm/yaw": {"mass_kg": 0, "com_m": [0, 0, 0],
        "inertia_com_kgm2": [0, 0, 0, 0, 0, 0]}, "arm": {"mass_kg": 2, )" +
                        none + R"(, "hand": {"mass_kg": 1, )" + none + "}}}}");
  return LoadRobot(file, part);
}

std::string CollisionRefusal(const std::string& collision) {
  try {
    RobotWith(collision);
  } catch (const ConfigError& error) {
    return WithoutFolder(error.what(), error.source());
  }
  return "none";
}

/// A foot on the base and a hand, and more keys.
std::string Two(const std::string& more) {
  return R"({"spheres": {"foot": {"link": "base", "centre_m": [0, 0, 0.1], "radius_m": 0.1},
             "hand": {"link": "hand", "radius_m": 0.05}})" +
         more + "}";
}

TEST_CASE("Spheres are on links, the base, or what is fused into one of them") {
  const Robot robot = RobotWith(R"({"source": "invented", "spheres": {
      "foot": {"link": "base", "centre_m": [0, 0, 0.1], "radius_m": 0.1},
      "column": {"link": "column", "centre_m": [0, 0.1, 0], "radius_m": 0.1},
      "turning": {"link": "arm/yaw", "radius_m": 0.1},
      "tool": {"link": "tool", "centre_m": [0, 0, 0.05], "radius_m": 0.02},
      "hand": {"link": "hand", "radius_m": 0.05}},
      "pairs": [["hand", "foot"], ["tool", "column"]], "above_floor": ["tool"]})");
  CHECK(robot.collision_origin == CollisionOrigin::kRobotFile);
  const CollisionModel& collision = robot.model.collision();
  REQUIRE(collision.spheres.size() == 5);
  std::vector<int> links;
  for (const CollisionSphere& sphere : collision.spheres) links.push_back(sphere.link);
  CHECK(links == std::vector<int>{-1, -1, 0, 1, 2});
  CHECK((collision.spheres[1].p_LC_L - Eigen::Vector3d(0.0, 0.1, 0.2)).norm() < 1e-15);
  CHECK((collision.spheres[3].p_LC_L - Eigen::Vector3d(0.3, 0.0, 0.05)).norm() < 1e-15);
  CHECK(collision.pairs == std::vector<std::pair<int, int>>{{4, 0}, {3, 1}});
  CHECK(collision.above_floor == std::vector<int>{3});
}

TEST_CASE("Pairs and floor that are not said are the default ones, empty lists are empty") {
  for (const char* more : {"", R"(, "pairs": null, "above_floor": null)"}) {
    CAPTURE(more);
    const Robot robot = RobotWith(Two(more));
    CHECK(robot.model.collision().pairs ==
          DefaultPairs(robot.model, robot.model.collision().spheres));
    CHECK(robot.model.collision().pairs == std::vector<std::pair<int, int>>{{0, 1}});
    CHECK(robot.model.collision().above_floor == std::vector<int>{1});
  }
  const Robot free = RobotWith(Two(R"(, "pairs": [], "above_floor": [])"));
  CHECK(free.model.collision().pairs.empty());
  CHECK(free.model.collision().above_floor.empty());
  CHECK(RobotWith("null").collision_origin == CollisionOrigin::kLinkSegments);
}

TEST_CASE("What no robot has is refused, with where it stands and what is accepted") {
  const std::string sphere = "robot.json: /collision/spheres/foot";
  const auto foot = [](const std::string& text) {
    return CollisionRefusal(R"({"spheres": {"foot": )" + text + "}}");
  };
  CHECK(foot(R"({"link": "hnd", "radius_m": 0.1})") ==
        sphere +
            "/link: unknown link \"hnd\"\n"
            "  accepted here: base, arm/yaw, arm, hand, column, tool\n"
            "  did you mean 'hand'?");
  CHECK(foot(R"({"link": "hand", "radius_m": 0.1, "centre_m": [0, 1]})") ==
        sphere + "/centre_m: got a list of 2\n  accepted here: three numbers");
  CHECK(foot(R"({"link": "hand"})").starts_with(sphere + "/radius_m: missing"));
  for (const char* radius : {"0", "-1", "50"}) {
    CAPTURE(radius);
    CHECK(foot(R"({"link": "hand", "radius_m": )" + std::string(radius) + "}")
              .starts_with(sphere + "/radius_m: "));
  }
  CHECK(foot(R"({"link": "hand", "radius": 0.1})").starts_with(sphere + "/radius: unknown key"));
  CHECK(CollisionRefusal(R"({"spheres": {"": {"link": "hand", "radius_m": 0.1}}})") ==
        "robot.json: /collision/spheres/: a sphere needs a name");
  CHECK(CollisionRefusal("{}").starts_with("robot.json: /collision/spheres: missing"));

  const std::string accepted = "\n  accepted here: foot, hand\n  did you mean 'foot'?";
  CHECK(CollisionRefusal(Two(R"(, "pairs": [["hand", "fot"]])")) ==
        "robot.json: /collision/pairs/0/1: unknown sphere \"fot\"" + accepted);
  CHECK(CollisionRefusal(Two(R"(, "above_floor": ["hand", "fot"])")) ==
        "robot.json: /collision/above_floor/1: unknown sphere \"fot\"" + accepted);
  CHECK(CollisionRefusal(Two(R"(, "pairs": [["hand", "foot", "foot"]])")) ==
        "robot.json: /collision/pairs/0: got a list of 3\n"
        "  accepted here: the names of two spheres");
  CHECK(CollisionRefusal(Two(R"(, "pairs": [["hand", "hand"]])")) ==
        "robot.json: /collision/pairs/0: a pair of \"hand\" with itself");
  CHECK(CollisionRefusal(Two(R"(, "pairs": [["hand", "foot"], ["foot", "hand"]])")) ==
        "robot.json: /collision/pairs/1: this pair is there already\n  name each pair once");
}

TEST_CASE("The KUKA's twelve pairs are those of the arm's shape") {
  const Robot robot = LoadRobot("kuka_lwr4_mdh");
  CHECK(robot.collision_origin == CollisionOrigin::kRobotFile);
  const CollisionOptions options = OptionsOfCollision(robot.model);
  REQUIRE(options.spheres.size() == 8);
  CHECK(options.spheres[0] ==
        std::pair<std::string, CollisionSphereOptions>{"base", {"base", {0.0, 0.0, 0.11}, 0.12}});
  CHECK(options.spheres[4] == std::pair<std::string, CollisionSphereOptions>{
                                  "forearm mid", {"link5", {0.0, 0.0, -0.195}, 0.09}});
  std::vector<std::string> pairs;
  for (const std::vector<std::string>& pair : *options.pairs) {
    pairs.push_back(pair[0] + " " + pair[1]);
  }
  CHECK(pairs == std::vector<std::string>{"flange base", "flange shoulder", "flange upper mid",
                                          "wrist base", "wrist shoulder", "wrist upper mid",
                                          "forearm mid base", "forearm mid shoulder", "hand base",
                                          "hand shoulder", "hand upper mid", "hand elbow"});
  CHECK(*options.above_floor == std::vector<std::string>{"elbow", "wrist"});
}

TEST_CASE("Options of a robot's spheres make the same spheres again") {
  Robot robot = LoadRobot("ur10");
  const CollisionOptions options = OptionsOfCollision(robot.model);
  std::vector<Issue> issues;
  SetCollision(options, "", robot, issues);
  CHECK(issues.empty());
  CHECK(OptionsOfCollision(robot.model) == options);
}

TEST_CASE("A part keeps what robot.json says of its bodies, moved with joints that are held") {
  const Robot whole = LoadRobot("kuka_lwr4_mdh");
  RobotPart part;
  part.joints.patterns = {"joint{1..5}"};
  const Robot robot = LoadRobot("kuka_lwr4_mdh", part);
  CHECK(robot.collision_origin == CollisionOrigin::kRobotFile);
  const CollisionModel& own = robot.model.collision();
  REQUIRE(own.spheres.size() == 8);
  CHECK(own.pairs == whole.model.collision().pairs);
  CHECK(own.above_floor == whole.model.collision().above_floor);
  CHECK(own.spheres[7].link == 4);  // the hand, now on link5, 0.16 m further along it
  CHECK((own.spheres[7].p_LC_L - Eigen::Vector3d(0.0, 0.0, 0.16)).norm() < 1e-12);
  part.joints.patterns = {"joint{6..7}"};
  // Only joints between moving links: the arm before is part of the base, pairs within it are none.
  const Robot wrist = LoadRobot("kuka_lwr4_mdh", part);
  CHECK(wrist.model.collision().spheres.size() == 8);
  for (const auto& [one, other] : wrist.model.collision().pairs) {
    CHECK(wrist.model.collision().spheres[static_cast<std::size_t>(one)].link !=
          wrist.model.collision().spheres[static_cast<std::size_t>(other)].link);
  }
  CHECK(wrist.model.collision().pairs.size() == 7);  // flange's 3 and hand's 4
}

}  // namespace
}  // namespace idbench
