#pragma once

#include <vector>

#include "robots/body_geoms.h"
#include "robots/dynamics/collision_model.h"
#include "robots/dynamics/model.h"
#include "robots/link_body.h"

namespace idbench {

/// Spheres of a body, about; a body with more geoms is covered as one box.
inline constexpr int kMostSpheres = 6;

/// Returns spheres that stand for the geoms of a robot's bodies, in the order of these, named
/// `<body>`, `<body>#2` … Those of bodies that are no part of the robot are left out.
///
/// A sphere is itself. A capsule with the radius r is a row of spheres along its axis with that
/// radius, that touch; a row that would have too many has greater ones. All else is divided in k
/// equal slices along the longest edge 2a of its bounding box with the other edges 2b and 2c, each
/// slice with a sphere around it, of the radius √((a/k)² + b² + c²), for the least k with
/// a/k ≤ √(b² + c²); of a cylinder along its axis with the radius r, √((a/k)² + r²) and a/k ≤ r.
/// k geoms of a body have at most kMostSpheres / k spheres each; of more than kMostSpheres geoms
/// the box around all, along the body's axes, is covered.
/// @param geoms  of a compiled spec, meshes with their boxes.
std::vector<CollisionSphere> SpheresOfGeoms(const std::vector<BodyGeom>& geoms,
                                            const std::vector<LinkBody>& bodies);

/// Returns spheres along the lines from joint to joint, and from the last joint of each branch to
/// what lies farthest from it on its link: the origin of a body that is fused into the link, or its
/// centre of mass. A line of the length L has spheres at both ends and between, evenly, as many as
/// touch each other, but at most kMostSpheres; their radius is min(5 cm, L/3). Lines shorter than
/// 1 mm have none. Named as those of geoms, after the link that carries the line.
std::vector<CollisionSphere> SpheresOfSegments(const RobotModel& model,
                                               const std::vector<LinkBody>& bodies);

/// Returns the pairs of spheres that must keep apart unless a robot.json says otherwise: those on
/// links that are neither the same nor parent and child, and that are apart where all joints are
/// amid their ranges, or at 0 without a range; those that overlap there can never be kept apart.
///
/// A link without length, one whose revolute joint is where its parent's is, counts with its
/// parent: links of a spherical wrist or with several joints are one here.
std::vector<std::pair<int, int>> DefaultPairs(const RobotModel& model,
                                              const std::vector<CollisionSphere>& spheres);

/// Returns all spheres that are not on the base.
std::vector<int> DefaultAboveFloor(const std::vector<CollisionSphere>& spheres);

}  // namespace idbench
