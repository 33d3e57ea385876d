#include "robots/dynamics/model.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "robots/dynamics/no_limits_test.h"

namespace idbench {
namespace {

Link NamedLink(const std::string& name, int parent) {
  Link link;
  link.name = name;
  link.joint = "to_" + name;
  link.parent = parent;
  return link;
}

RobotModel Make(const std::vector<Link>& links) {
  return {
      "robot", "base", links, {0.0, 0.0, -9.81}, NoLimits(static_cast<Eigen::Index>(links.size()))};
}

/// The message of the std::invalid_argument that refuses `links`.
std::string LinksRefusal(const std::vector<Link>& links) {
  try {
    Make(links);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "none";
}

TEST_CASE("A tree knows its joints by name and how many links each of them moves") {
  // a ─ b ─ c, a ─ d, e
  const RobotModel model = Make({NamedLink("a", -1), NamedLink("b", 0), NamedLink("c", 1),
                                 NamedLink("d", 0), NamedLink("e", -1)});
  CHECK(model.name() == "robot");
  CHECK(model.base_name() == "base");
  CHECK(model.BodyName(-1) == "base");
  CHECK(model.BodyName(2) == "c");
  CHECK(model.dofs() == 5);
  CHECK(model.gravity() == Eigen::Vector3d(0.0, 0.0, -9.81));
  CHECK(model.limits().upper == NoLimits(5).upper);
  const std::vector<int> sizes = {4, 2, 1, 1, 1};
  for (int i = 0; i < 5; ++i) CHECK(model.subtree_size(i) == sizes[static_cast<std::size_t>(i)]);
  CHECK(model.joint_names() == std::vector<std::string>{"to_a", "to_b", "to_c", "to_d", "to_e"});
  CHECK(model.JointIndex("to_c") == 2);
  CHECK(model.JointIndex("c") == -1);
}

TEST_CASE("A default model has no joints") { CHECK(RobotModel().dofs() == 0); }

TEST_CASE("Links that are not a depth-first tree are refused") {
  CHECK(LinksRefusal({NamedLink("a", 0)}) ==
        "RobotModel robot: link 'a': its parent must stand before it");
  CHECK(LinksRefusal({NamedLink("a", -2)}) ==
        "RobotModel robot: link 'a': its parent must stand before it");
  CHECK(LinksRefusal({NamedLink("a", -1), NamedLink("b", -1), NamedLink("c", 0)}) ==
        "RobotModel robot: link 'c': links must be in depth-first order");
}

TEST_CASE("An axis that is not a unit vector is refused") {
  Link link = NamedLink("a", -1);
  link.axis = {0.0, 0.0, 1.001};
  CHECK(LinksRefusal({link}) == "RobotModel robot: link 'a': joint axis must be a unit vector");
}

TEST_CASE("Two joints or two links of one name are refused") {
  Link twin = NamedLink("b", 0);
  twin.joint = "to_a";
  CHECK(LinksRefusal({NamedLink("a", -1), twin}) ==
        "RobotModel robot: link 'b': joint name 'to_a' occurs twice");
  twin = NamedLink("a", 0);
  twin.joint = "to_b";
  CHECK(LinksRefusal({NamedLink("a", -1), twin}) == "RobotModel robot: link name 'a' occurs twice");
  CHECK(LinksRefusal({NamedLink("base", -1)}) == "RobotModel robot: link name 'base' occurs twice");
}

TEST_CASE("Limits of another size than the joints are refused") {
  JointLimits limits = NoLimits(1);
  limits.effort.resize(2);
  CHECK_THROWS_WITH_AS(RobotModel("robot", "base", {NamedLink("a", -1)}, {0.0, 0.0, -9.81}, limits),
                       "RobotModel robot: a limit has 2 entries, expected one for each of 1 joints",
                       std::invalid_argument);
}

RobotModel TwoLinks() {
  return {"robot", "base", {NamedLink("a", -1), NamedLink("b", 0)}, {0.0, 0.0, -9.81}, NoLimits(2)};
}

TEST_CASE("Unless said otherwise, each joint has a motor of its own") {
  CHECK(TwoLinks().actuation().names == std::vector<std::string>{"to_a", "to_b"});
  CHECK(TwoLinks().actuation().B == Eigen::MatrixXd::Identity(2, 2));
}

TEST_CASE("Motors are named once and drive each joint by some finite factor") {
  RobotModel model = TwoLinks();
  model.SetActuation({{"knee"}, Eigen::Vector2d(0.0, 1.0)});
  CHECK(model.actuation().B == Eigen::Vector2d(0.0, 1.0));
  CHECK_THROWS_WITH_AS(model.SetActuation({{"knee"}, Eigen::MatrixXd::Identity(2, 2)}),
                       "RobotModel robot: the actuation matrix is 2 × 2, expected one row for each "
                       "of 2 joints and one column for each of 1 motors",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(model.SetActuation({{"knee"}, Eigen::Vector2d(0.0, NAN)}),
                       "RobotModel robot: the actuation matrix is not finite",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(model.SetActuation({{"m", "m"}, Eigen::MatrixXd::Identity(2, 2)}),
                       "RobotModel robot: motor name 'm' occurs twice", std::invalid_argument);
}

TEST_CASE("Sensors are mounted on links that there are") {
  RobotModel model = TwoLinks();
  CHECK_FALSE(model.imu());
  CHECK_FALSE(model.distance_meter());
  model.SetImu({.link = 1, .p_LS_L = {0.0, 0.0, 0.3}});
  CHECK(model.imu()->link == 1);
  CHECK_THROWS_WITH_AS(model.SetImu({.link = 2}),
                       "RobotModel robot: the IMU is on link 2, there are links 0 to 1",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(model.SetDistanceMeter({.link = -1}),
                       "RobotModel robot: the distance meter is on link -1, there are links 0 to 1",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(model.SetDistanceMeter({.axis_L = {0.0, 0.0, -2.0}}),
                       "RobotModel robot: the distance meter's optical axis must be a unit vector",
                       std::invalid_argument);
}

TEST_CASE("Collision spheres are on links that there are, and meet others that there are") {
  RobotModel model = TwoLinks();
  CHECK(model.collision().spheres.empty());
  const CollisionModel good{
      {{"foot", -1, {0.0, 0.0, 0.1}, 0.1}, {"hand", 1, {0.0, 0.0, 0.3}, 0.05}}, {{0, 1}}, {1}};
  model.SetCollision(good);
  CHECK(model.collision().spheres.at(1).name == "hand");
  const auto refusal = [&](const auto& change) {
    CollisionModel bad = good;
    change(bad);
    try {
      model.SetCollision(std::move(bad));
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  const std::string hand = "RobotModel robot: the collision sphere 'hand'";
  CHECK(refusal([](CollisionModel& c) { c.spheres[1].link = 2; }) ==
        hand + " is on link 2, there are links 0 to 1 and the base, -1");
  CHECK(refusal([](CollisionModel& c) { c.spheres[1].link = -2; }) ==
        hand + " is on link -2, there are links 0 to 1 and the base, -1");
  CHECK(refusal([](CollisionModel& c) { c.spheres[1].name = ""; }) ==
        "RobotModel robot: the collision sphere '' has no name");
  CHECK(refusal([](CollisionModel& c) { c.spheres[0].name = "hand"; }) == hand + " occurs twice");
  CHECK(refusal([](CollisionModel& c) { c.spheres[1].p_LC_L[1] = NAN; }) ==
        hand + ": its centre is not finite");
  for (const double radius : {0.0, -1.0, static_cast<double>(NAN), static_cast<double>(INFINITY)}) {
    CAPTURE(radius);
    CHECK(refusal([radius](CollisionModel& c) {
            c.spheres[1].radius_m = radius;
          }).starts_with(hand + ": its radius must be positive and finite, got "));
  }
  CHECK(refusal([](CollisionModel& c) { c.pairs[0].second = 2; }) ==
        "RobotModel robot: a pair is of collision sphere 2, there are 2");
  CHECK(refusal([](CollisionModel& c) { c.pairs[0].first = -1; }) ==
        "RobotModel robot: a pair is of collision sphere -1, there are 2");
  CHECK(refusal([](CollisionModel& c) { c.pairs[0].second = 0; }) ==
        "RobotModel robot: a pair is of the collision sphere 'foot' with itself");
  CHECK(refusal([](CollisionModel& c) { c.above_floor = {2}; }) ==
        "RobotModel robot: above the floor must stay collision sphere 2, there are 2");
  CHECK(model.collision().pairs == good.pairs);  // a refusal changes nothing
}

TEST_CASE("What lies beyond a cut is carried by its link; the link itself on one side alone") {
  // a ─ b ─ c, a ─ d, e; tools on b and d
  RobotModel model = Make({NamedLink("a", -1), NamedLink("b", 0), NamedLink("c", 1),
                           NamedLink("d", 0), NamedLink("e", -1)});
  model.SetAttached({{.name = "on b", .link = 1}, {.name = "on d", .link = 3}},
                    {{.name = "", .attached = {0, 1}}});
  const auto beyond = [&model](const Cut& cut) {
    std::vector<std::string> names;
    for (int body = -1; body < model.body_end(); ++body) {
      if (model.IsBeyond(body, cut)) names.push_back(model.BodyName(body));
    }
    return names;
  };
  using Names = std::vector<std::string>;
  CHECK(beyond({.name = "s", .link = 1}) == Names{"b", "c", "on b"});
  CHECK(beyond({.name = "s", .link = 1, .link_beyond = false}) == Names{"c", "on b"});
  CHECK(beyond({.name = "s", .link = 4}) == Names{"e"});
}

TEST_CASE("A body that is touched is one that there is") {
  RobotModel model = TwoLinks();
  const std::vector<AttachedBody> tool = {{.name = "tool", .link = 1}};
  model.SetAttached(tool, {{.name = "c", .touched = 2}});
  CHECK(model.configurations()[0].touched == 2);
  CHECK_THROWS_WITH_AS(
      model.SetAttached(tool, {{.name = "c", .touched = 3}}),
      "RobotModel robot: configuration 'c' is touched at body 3, which is not there",
      std::invalid_argument);
}

}  // namespace
}  // namespace idbench
