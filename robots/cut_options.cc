#include "robots/cut_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "robots/moved_terms.h"
#include "robots/pose_options.h"

namespace idbench {
namespace {

/// Angles that say the same as ones that were read differ from them by the rounding of a sine.
constexpr double kSamePlace = 1e-12;

bool IsSame(const Cut& a, const Cut& b) {
  return a.link == b.link && a.link_beyond == b.link_beyond &&
         (a.R_LS - b.R_LS).cwiseAbs().maxCoeff() <= kSamePlace &&
         (a.p_LS_L - b.p_LS_L).cwiseAbs().maxCoeff() <= kSamePlace;
}

/// The cut at a body.
Cut CutAt(const LinkBody& body, const std::string& name, const ForceTorqueSensorOptions& sensor) {
  return {name, body.link, body.InLink(RotationOfRpy(sensor.rpy_rad)),
          body.InLink(Eigen::Vector3d(sensor.point_m.data())),
          sensor.link_side == LinkSide::kDistal};
}

/// The cut of a sensor on a body of the robot; or the issue that it divides a link. What lies
/// beyond a body whose joint is held only the whole robot can tell.
std::optional<Cut> CutOf(const std::string& name, const ForceTorqueSensorOptions& sensor,
                         const LinkBody& body, const Robot& robot, const std::string& where,
                         std::vector<Issue>& issues) {
  if (body.carries_frame || robot.part.whole()) return CutAt(body, name, sensor);
  const Robot whole = LoadWhole(robot);
  const LinkBody* const there = FindBody(whole, sensor.link);
  std::optional<Cut> cut = CutInPart(CutAt(*there, name, sensor), whole, robot);
  if (!cut) {
    const std::string& link = robot.model.link(body.link).name;
    issues.push_back(
        {where,
         fmt::format("\"{}\" belongs to {} here, and this sensor divides what that link carries or "
                     "is made of",
                     sensor.link, link),
         {fmt::format("let the joint of {} move (/robot/joints), or name another body or link_side "
                      "with all of {} before or beyond it",
                      sensor.link, link)}});
  }
  return cut;
}

}  // namespace

FieldTable Visit(ForceTorqueSensorOptions& o) {
  FieldTable table;
  table
      .Add("link", o.link,
           {.doc = "Body of the model file that the sensor is fixed to", .required = true})
      .Add("point_m", o.point_m,
           {.doc = "Origin of the sensor in the body's frame; its moments are about it",
            .unit = "m"})
      .Add("rpy_rad", o.rpy_rad,
           {.doc = "Axes of the sensor in the body's: roll, pitch, yaw, as in a URDF",
            .unit = "rad"})
      .Add("link_side", o.link_side,
           {.doc = "Side of the sensor on which the link's own inertia lies: distal, so that the "
                   "sensor reads the force on it too, as one at the link's joint does, or "
                   "proximal, as of one at the link's far end",
            .required = true})
      .Check([&o](std::vector<Issue>& issues) {
        CheckThree(o.point_m, "/point_m", issues);
        CheckThree(o.rpy_rad, "/rpy_rad", issues);
      });
  return table;
}

void AddCuts(const ForceTorqueSensors& sensors, const std::string& where, Robot& robot,
             std::vector<Issue>& issues) {
  std::vector<Cut> cuts = robot.model.cuts();
  for (const auto& [name, sensor] : sensors) {
    const std::string own = PointerTo(where, name);
    if (name.empty() || name.find('/') != std::string::npos) {
      issues.push_back({own, "a sensor's name is not empty and holds no \"/\"", {}});
      continue;
    }
    const auto at = PlaceOf(sensor.link, robot, own + "/link", issues);
    if (!at || sensor.point_m.size() != 3 || sensor.rpy_rad.size() != 3) continue;
    std::optional<Cut> cut = CutOf(name, sensor, *at, robot, own + "/link", issues);
    if (!cut) continue;
    const auto present = std::ranges::find(cuts, name, &Cut::name);
    if (present == cuts.end()) {
      cuts.push_back(*std::move(cut));
    } else if (!IsSame(*cut, *present)) {
      issues.push_back({own, "the robot has a sensor of that name at another place", {}});
    }
  }
  robot.model.SetCuts(std::move(cuts));
}

ForceTorqueSensors OptionsOfCuts(const RobotModel& model) {
  ForceTorqueSensors sensors;
  for (const Cut& cut : model.cuts()) {
    sensors.emplace_back(
        cut.name, ForceTorqueSensorOptions{
                      .link = model.link(cut.link).name,
                      .point_m = {cut.p_LS_L.begin(), cut.p_LS_L.end()},
                      .rpy_rad = RpyOfRotation(cut.R_LS),
                      .link_side = cut.link_beyond ? LinkSide::kDistal : LinkSide::kProximal});
  }
  return sensors;
}

}  // namespace idbench
