#include "estimators/motors/row_weights.h"

#include <fmt/format.h>

#include "estimators/interface/estimate.h"

namespace idbench {
namespace {

constexpr int kForceComponents = 3;

bool AreOfJoints(const EquationRows& rows) {
  const RowsFrom from = InfoOf(rows.equation).rows;
  return from == RowsFrom::kTorqueRows || from == RowsFrom::kDriveRows;
}

}  // namespace

FieldTable Visit(RowWeights& o) {
  FieldTable table;
  table
      .Add("joints", o.joints,
           {.doc = "Weight of residuals of joints (torques, or drives), which are N·m",
            .lower = 0.0,
            .lower_open = true})
      .Add("forces", o.forces,
           {.doc = "Weight of residuals of forces in wrenches", .lower = 0.0, .lower_open = true})
      .Add("moments", o.moments,
           {.doc = "Weight of residuals of moments in wrenches", .lower = 0.0, .lower_open = true});
  return table;
}

Eigen::VectorXd WeightsOfRows(const Problem& problem, const RowWeights& weights) {
  Eigen::VectorXd all(problem.row_count());
  Eigen::Index at = 0;
  for (const EquationRows& rows : problem.rows_in_order()) {
    for (const int component : ChosenRows(rows.placed(), problem.model.dofs())) {
      all[at++] = AreOfJoints(rows)              ? weights.joints
                  : component < kForceComponents ? weights.forces
                                                 : weights.moments;
    }
  }
  return all;
}

Problem WithDriveDeadZone(const Problem& problem, const std::optional<PerJoint>& zone_rad_s) {
  Problem with = problem;
  if (!zone_rad_s) return with;
  const auto dofs = static_cast<std::size_t>(problem.model.dofs());
  if (zone_rad_s->values.size() != 1 && zone_rad_s->values.size() != dofs) {
    Refuse(fmt::format("dead_zone_rad_s has {} numbers, the robot has {} joints",
                       zone_rad_s->values.size(), dofs));
  }
  bool of_drives = false;
  for (EquationRows& rows : with.rows) {
    if (!rows.of_drives()) continue;
    of_drives = true;
    rows.dead_zone.resize(problem.model.dofs());
    for (std::size_t j = 0; j < dofs; ++j) {
      rows.dead_zone[static_cast<Eigen::Index>(j)] = (*zone_rad_s)[j];
    }
    rows.dead_zone_of = DeadZoneOf::kSample;
  }
  if (!of_drives) {
    Refuse(
        "dead_zone_rad_s leaves out rows of drives, and no equation is of drives: see "
        "/problem/equations for dead zones of others");
  }
  return with;
}

void AddDriveDeadZone(std::optional<PerJoint>& zone_rad_s, FieldTable& table) {
  table.Add("dead_zone_rad_s", zone_rad_s,
            {.doc = "Speed of each joint, and of each motor as of the joint that it turns most, "
                    "above which all have to be for rows of drives to count; absent: those of the "
                    "problem",
             .unit = "rad/s",
             .lower = 0.0});
}

}  // namespace idbench
