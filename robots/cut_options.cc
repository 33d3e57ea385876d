#include "robots/cut_options.h"

#include <fmt/format.h>

#include <algorithm>

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

}  // namespace

FieldTable Visit(ForceTorqueSensorOptions& o) {
  FieldTable table;
  table.Add("link", o.link, {.doc = "Link that the sensor is fixed to", .required = true})
      .Add("point_m", o.point_m,
           {.doc = "Origin of the sensor in the link's frame; its moments are about it",
            .unit = "m"})
      .Add("rpy_rad", o.rpy_rad,
           {.doc = "Axes of the sensor in the link's: roll, pitch, yaw, as in a URDF",
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

int FindLink(const std::string& name, const RobotModel& model, const std::string& where,
             std::vector<Issue>& issues) {
  std::vector<std::string> accepted;
  for (int i = 0; i < model.dofs(); ++i) {
    if (model.link(i).massless) continue;  // the model file has no such body
    if (model.link(i).name == name) return i;
    accepted.push_back(model.link(i).name);
  }
  issues.push_back(
      {where, fmt::format("unknown link \"{}\"", name), AcceptedNames(name, accepted)});
  return -1;
}

void AddCuts(const ForceTorqueSensors& sensors, const std::string& where, RobotModel& model,
             std::vector<Issue>& issues) {
  std::vector<Cut> cuts = model.cuts();
  for (const auto& [name, sensor] : sensors) {
    const std::string own = PointerTo(where, name);
    if (name.empty() || name.find('/') != std::string::npos) {
      issues.push_back({own, "a sensor's name is not empty and holds no \"/\"", {}});
      continue;
    }
    const int link = FindLink(sensor.link, model, own + "/link", issues);
    if (link < 0 || sensor.point_m.size() != 3 || sensor.rpy_rad.size() != 3) continue;
    Cut cut{name, link, RotationOfRpy(sensor.rpy_rad),
            Eigen::Map<const Eigen::Vector3d>(sensor.point_m.data()),
            sensor.link_side == LinkSide::kDistal};
    const auto present = std::ranges::find(cuts, name, &Cut::name);
    if (present == cuts.end()) {
      cuts.push_back(std::move(cut));
    } else if (!IsSame(cut, *present)) {
      issues.push_back({own, "the robot has a sensor of that name at another place", {}});
    }
  }
  model.SetCuts(std::move(cuts));
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
