#include "robots/collision_spheres.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

#include "robots/dynamics/kinematics.h"

namespace idbench {
namespace {

constexpr double kLeastLength = 1e-3;    ///< Of what has a length [m].
constexpr double kSegmentRadius = 0.05;  ///< Around a line between joints [m].
constexpr double kRounding = 1e-9;       ///< Part of a count that is round-off.

int CountOf(double ratio) { return static_cast<int>(std::ceil(std::min(ratio, 1e6) - kRounding)); }

/// Collects spheres with names that occur once.
class Spheres {
 public:
  void Add(const std::string& body, int link, const Eigen::Vector3d& p_LC_L, double radius) {
    std::string name = body;
    for (int k = 2; !names_.insert(name).second; ++k) name = fmt::format("{}#{}", body, k);
    spheres_.push_back({std::move(name), link, p_LC_L, radius});
  }
  std::vector<CollisionSphere> Take() { return std::move(spheres_); }

 private:
  std::vector<CollisionSphere> spheres_;
  std::set<std::string> names_;
};

/// Spheres with the same radius along an axis of a geom, symmetric about its origin.
struct Row {
  int axis = 2;
  int count = 1;
  double spacing = 0.0;
  double radius = 0.0;
};

Row RowOfCapsule(double radius, double half, int most) {
  if (most == 1) return {.radius = radius + half};
  const int gaps = std::clamp(CountOf(half / radius), 1, most - 1);
  const double spacing = 2.0 * half / gaps;
  return {.count = gaps + 1, .spacing = spacing, .radius = std::max(radius, spacing / 2.0)};
}

/// Spheres around slices along an axis of the half length a of what is within `across` of it.
Row RowOfSlices(int axis, double a, double across, int most) {
  const int count = across > 0.0 ? std::clamp(CountOf(a / across), 1, most) : most;
  return {axis, count, 2.0 * a / count, std::hypot(a / count, across)};
}

Row RowOf(const BodyGeom& geom, int most) {
  if (geom.type == mjGEOM_SPHERE) return {.radius = geom.size[0]};
  if (geom.type == mjGEOM_CAPSULE) return RowOfCapsule(geom.size[0], geom.size[1], most);
  if (geom.type == mjGEOM_CYLINDER) return RowOfSlices(2, geom.size[1], geom.size[0], most);
  Eigen::Index longest = 0;
  const double a = geom.size.maxCoeff(&longest);
  const double across = std::hypot(geom.size[(longest + 1) % 3], geom.size[(longest + 2) % 3]);
  return RowOfSlices(static_cast<int>(longest), a, across, most);
}

/// Half the edges of the box around a geom, along its axes.
Eigen::Vector3d HalfBox(const BodyGeom& geom) {
  const Eigen::Vector3d& size = geom.size;
  if (geom.type == mjGEOM_SPHERE) return Eigen::Vector3d::Constant(size[0]);
  if (geom.type == mjGEOM_CAPSULE) return {size[0], size[0], size[0] + size[1]};
  if (geom.type == mjGEOM_CYLINDER) return {size[0], size[0], size[1]};
  return size;
}

/// The box along the body's axes around all its geoms.
BodyGeom BoxAround(const std::vector<const BodyGeom*>& geoms) {
  Eigen::Vector3d lower = Eigen::Vector3d::Constant(INFINITY);
  Eigen::Vector3d upper = -lower;
  for (const BodyGeom* geom : geoms) {
    const Eigen::Vector3d half = geom->R_BG.cwiseAbs() * HalfBox(*geom);
    lower = lower.cwiseMin(geom->p_BG_B - half);
    upper = upper.cwiseMax(geom->p_BG_B + half);
  }
  BodyGeom box;
  box.type = mjGEOM_BOX;
  box.size = (upper - lower) / 2.0;
  box.p_BG_B = (upper + lower) / 2.0;
  return box;
}

void AddGeom(const BodyGeom& geom, const LinkBody& body, int most, Spheres& spheres) {
  const Row row = RowOf(geom, most);
  if (!(row.radius > 0.0) || !std::isfinite(row.radius)) return;
  for (int k = 0; k < row.count; ++k) {
    const double along = (k - (row.count - 1) / 2.0) * row.spacing;
    const Eigen::Vector3d p_BC_B = geom.p_BG_B + along * geom.R_BG.col(row.axis);
    spheres.Add(NameInFile(body), body.link, body.InLink(p_BC_B), row.radius);
  }
}

/// Where a link's joint is in the frame of the link's parent, at the joint's reference.
Eigen::Vector3d JointInParent(const Link& link) { return link.p0 + link.R0 * link.anchor; }

Eigen::Vector3d JointOf(const RobotModel& model, int link) {
  return link < 0 ? Eigen::Vector3d(Eigen::Vector3d::Zero()) : model.link(link).anchor;
}

/// Line between points of a link.
struct Segment {
  Eigen::Vector3d from, to;
};

/// What lies farthest from the joint of a link.
Eigen::Vector3d EndOf(const RobotModel& model, int link, const std::vector<LinkBody>& bodies) {
  const Eigen::Vector3d& joint = model.link(link).anchor;
  Eigen::Vector3d end = joint;
  const auto consider = [&](const Eigen::Vector3d& p_LP_L) {
    if ((p_LP_L - joint).norm() > (end - joint).norm()) end = p_LP_L;
  };
  for (const LinkBody& body : bodies) {
    if (body.link != link) continue;
    consider(body.InLink(Eigen::Vector3d(Eigen::Vector3d::Zero())));
    if (body.inertia.mass > 0.0) consider(body.InLink(body.inertia.com));
  }
  return end;
}

std::vector<Segment> SegmentsOf(const RobotModel& model, int link,
                                const std::vector<LinkBody>& bodies) {
  std::vector<Segment> segments;
  for (const Link& child : model.links()) {
    if (child.parent == link) segments.push_back({JointOf(model, link), JointInParent(child)});
  }
  if (segments.empty()) segments.push_back({JointOf(model, link), EndOf(model, link, bodies)});
  std::erase_if(segments, [](const Segment& each) {
    const double length = (each.to - each.from).norm();
    return !std::isfinite(length) || length < kLeastLength;
  });
  return segments;
}

/// The link with which each one counts, the first of those that follow each other without length.
std::vector<int> LinksWithLength(const RobotModel& model) {
  std::vector<int> counted;
  for (int i = 0; i < model.dofs(); ++i) {
    const Link& link = model.link(i);
    const double length = (JointInParent(link) - JointOf(model, link.parent)).norm();
    const bool has_length = link.type == JointType::kPrismatic || length >= kLeastLength;
    const int parent = link.parent < 0 ? -1 : counted[static_cast<std::size_t>(link.parent)];
    counted.push_back(has_length ? i : parent);
  }
  return counted;
}

Eigen::VectorXd MidRange(const JointLimits& limits) {
  Eigen::VectorXd q = Eigen::VectorXd::Zero(limits.lower.size());
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    const double mid = (limits.lower[i] + limits.upper[i]) / 2.0;
    if (std::isfinite(mid)) q[i] = mid;
  }
  return q;
}

}  // namespace

std::vector<CollisionSphere> SpheresOfGeoms(const std::vector<BodyGeom>& geoms,
                                            const std::vector<LinkBody>& bodies) {
  Spheres spheres;
  for (const LinkBody& body : bodies) {
    std::vector<const BodyGeom*> own;
    for (const BodyGeom& geom : geoms) {
      if (mjs_getId(geom.body) == body.body) own.push_back(&geom);
    }
    if (std::ssize(own) > kMostSpheres) {
      AddGeom(BoxAround(own), body, kMostSpheres, spheres);
      continue;
    }
    for (const BodyGeom* geom : own) {
      AddGeom(*geom, body, kMostSpheres / static_cast<int>(own.size()), spheres);
    }
  }
  return spheres.Take();
}

std::vector<CollisionSphere> SpheresOfSegments(const RobotModel& model,
                                               const std::vector<LinkBody>& bodies) {
  Spheres spheres;
  for (int link = -1; link < model.dofs(); ++link) {
    const std::vector<Segment> segments = SegmentsOf(model, link, bodies);
    if (segments.empty()) continue;
    const int most = std::max(2, kMostSpheres / static_cast<int>(segments.size()));
    for (const auto& [from, to] : segments) {
      const double length = (to - from).norm();
      const double radius = std::min(kSegmentRadius, length / 3.0);
      const int gaps = std::clamp(CountOf(length / (2.0 * radius)), 1, most - 1);
      for (int k = 0; k <= gaps; ++k) {
        spheres.Add(model.BodyName(link), link, from + (to - from) * k / gaps, radius);
      }
    }
  }
  return spheres.Take();
}

std::vector<std::pair<int, int>> DefaultPairs(const RobotModel& model,
                                              const std::vector<CollisionSphere>& spheres) {
  const std::vector<int> counted = LinksWithLength(model);
  const auto place = [&](int link) {
    return link < 0 ? -1 : counted[static_cast<std::size_t>(link)];
  };
  const auto is_parent = [&](int one, int other) {
    return other >= 0 && place(model.link(other).parent) == one;
  };
  const std::vector<Pose> poses = ForwardKinematics(model, MidRange(model.limits()));
  std::vector<Eigen::Vector3d> centres;
  for (const CollisionSphere& sphere : spheres) {
    centres.push_back(PoseOf({.link = sphere.link, .p_LF_L = sphere.p_LC_L}, poses).p_BL_B);
  }
  std::vector<std::pair<int, int>> pairs;
  for (std::size_t i = 0; i < spheres.size(); ++i) {
    const int one = place(spheres[i].link);
    for (std::size_t j = i + 1; j < spheres.size(); ++j) {
      const int other = place(spheres[j].link);
      if (one == other || is_parent(one, other) || is_parent(other, one)) continue;
      const double reach = spheres[i].radius_m + spheres[j].radius_m;
      if ((centres[i] - centres[j]).norm() > reach) {
        pairs.emplace_back(static_cast<int>(i), static_cast<int>(j));
      }
    }
  }
  return pairs;
}

std::vector<int> DefaultAboveFloor(const std::vector<CollisionSphere>& spheres) {
  std::vector<int> above;
  for (std::size_t k = 0; k < spheres.size(); ++k) {
    if (spheres[k].link >= 0) above.push_back(static_cast<int>(k));
  }
  return above;
}

}  // namespace idbench
