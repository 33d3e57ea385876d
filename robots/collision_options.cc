#include "robots/collision_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "robots/collision_spheres.h"
#include "robots/dynamics/kinematics.h"
#include "robots/pose_options.h"

namespace idbench {
namespace {

/// Puts a sphere on the body of that name; an issue if there is none.
void Place(const CollisionSphereOptions& options, const Robot& robot, const std::string& where,
           CollisionSphere& sphere, std::vector<Issue>& issues) {
  sphere.p_LC_L = Eigen::Vector3d(options.centre_m.data());
  std::vector<std::string> accepted;
  for (int link = -1; link < robot.model.dofs(); ++link) {
    accepted.push_back(robot.model.BodyName(link));
    if (accepted.back() != options.link) continue;
    sphere.link = link;
    return;
  }
  if (const LinkBody* const body = FindBody(robot, options.link)) {
    sphere.link = body->link;
    sphere.p_LC_L = body->InLink(sphere.p_LC_L);
    return;
  }
  for (const LinkBody& body : robot.bodies) {
    if (!body.carries_frame) accepted.push_back(NameInFile(body));
  }
  issues.push_back({where, fmt::format("unknown link \"{}\"", options.link),
                    AcceptedNames(options.link, accepted)});
}

/// Index of the sphere of that name; an issue, and −1, if there is none.
int FindSphere(const std::vector<std::string>& names, const std::string& name,
               const std::string& where, std::vector<Issue>& issues) {
  const auto at = std::ranges::find(names, name);
  if (at != names.end()) return static_cast<int>(at - names.begin());
  issues.push_back({where, fmt::format("unknown sphere \"{}\"", name), AcceptedNames(name, names)});
  return -1;
}

std::vector<std::pair<int, int>> PairsOf(const std::vector<std::vector<std::string>>& named,
                                         const std::vector<std::string>& names,
                                         const std::string& where, std::vector<Issue>& issues) {
  std::vector<std::pair<int, int>> pairs;
  std::set<std::pair<int, int>> present;
  for (std::size_t k = 0; k < named.size(); ++k) {
    const std::string own = PointerTo(where, k);
    if (named[k].size() != 2) {
      issues.push_back({own,
                        fmt::format("got a list of {}", named[k].size()),
                        {"accepted here: the names of two spheres"}});
      continue;
    }
    const int one = FindSphere(names, named[k][0], PointerTo(own, std::size_t{0}), issues);
    const int other = FindSphere(names, named[k][1], PointerTo(own, std::size_t{1}), issues);
    if (one < 0 || other < 0) continue;
    if (one == other) {
      issues.push_back({own, fmt::format("a pair of \"{}\" with itself", named[k][0]), {}});
    } else if (!present.insert(std::minmax(one, other)).second) {
      issues.push_back({own, "this pair is there already", {"name each pair once"}});
    } else {
      pairs.emplace_back(one, other);
    }
  }
  return pairs;
}

}  // namespace

FieldTable Visit(CollisionSphereOptions& o) {
  FieldTable table;
  table
      .Add("link", o.link,
           {.doc = "Body of the model file that the sphere is fixed to, or the base",
            .required = true})
      .Add("centre_m", o.centre_m, {.doc = "Centre in the body's frame", .unit = "m"})
      .Add("radius_m", o.radius_m,
           {.doc = "Radius of the sphere",
            .unit = "m",
            .lower = 0.0,
            .upper = kWidestLink,
            .lower_open = true,
            .required = true})
      .Check([&o](std::vector<Issue>& issues) { CheckThree(o.centre_m, "/centre_m", issues); });
  return table;
}

FieldTable Visit(CollisionOptions& o) {
  FieldTable table;
  table.Add("source", o.source, {.doc = "Source of the spheres"})
      .Add("spheres", o.spheres, {.doc = "Spheres by name", .required = true})
      .Add("pairs", o.pairs,
           {.doc = "Pairs of spheres, by name, that must keep apart; null: all on links that are "
                   "neither the same nor parent and child, and that are apart amid the joints' "
                   "ranges"})
      .Add("above_floor", o.above_floor,
           {.doc = "Spheres, by name, whose centres must stay above a floor; null: all that are "
                   "not on the base"});
  return table;
}

void SetCollision(const CollisionOptions& options, const std::string& where, Robot& robot,
                  std::vector<Issue>& issues) {
  const std::size_t before = issues.size();
  CollisionModel collision;
  std::vector<std::string> names;
  for (const auto& [name, sphere] : options.spheres) {
    const std::string own = PointerTo(where + "/spheres", name);
    names.push_back(name);
    if (name.empty()) issues.push_back({own, "a sphere needs a name", {}});
    if (sphere.centre_m.size() != 3) continue;  // read with an issue
    CollisionSphere& made = collision.spheres.emplace_back();
    made.name = name;
    made.radius_m = sphere.radius_m;
    Place(sphere, robot, own + "/link", made, issues);
  }
  if (options.pairs) {
    collision.pairs = PairsOf(*options.pairs, names, where + "/pairs", issues);
  }
  if (options.above_floor) {
    for (std::size_t k = 0; k < options.above_floor->size(); ++k) {
      collision.above_floor.push_back(FindSphere(names, (*options.above_floor)[k],
                                                 PointerTo(where + "/above_floor", k), issues));
    }
  }
  if (issues.size() != before) return;
  if (!options.pairs) collision.pairs = DefaultPairs(robot.model, collision.spheres);
  if (!options.above_floor) collision.above_floor = DefaultAboveFloor(collision.spheres);
  robot.model.SetCollision(std::move(collision));
  robot.collision_origin = CollisionOrigin::kRobotFile;
  robot.collision_geoms = 0;
}

CollisionOptions OptionsOfCollision(const RobotModel& model) {
  const CollisionModel& collision = model.collision();
  const auto name = [&](int k) { return collision.spheres[static_cast<std::size_t>(k)].name; };
  CollisionOptions options;
  for (const CollisionSphere& sphere : collision.spheres) {
    options.spheres.emplace_back(
        sphere.name, CollisionSphereOptions{model.BodyName(sphere.link),
                                            {sphere.p_LC_L.begin(), sphere.p_LC_L.end()},
                                            sphere.radius_m});
  }
  options.pairs.emplace();
  for (const auto& [one, other] : collision.pairs) {
    options.pairs->push_back({name(one), name(other)});
  }
  options.above_floor.emplace();
  for (const int sphere : collision.above_floor) options.above_floor->push_back(name(sphere));
  return options;
}

}  // namespace idbench
