#include "scenarios/scenario_robot.h"

#include <fmt/format.h>

#include <string>

#include "robots/cut_options.h"

namespace idbench {
namespace {

Eigen::Vector3d ToVector3(const std::vector<double>& numbers) {
  return Eigen::Map<const Eigen::Vector3d>(numbers.data());
}

/// Whether what has three numbers does; otherwise it is reported as a list of another length.
bool AreThree(const std::vector<double>& numbers) { return numbers.size() == 3; }

/// Sets what the options say; or adds the issue with them.
bool SetPoints(const RobotOptions& options, RobotModel& model, std::vector<Issue>& issues) {
  const std::size_t before = issues.size();
  bool sound = true;
  if (const auto& end = options.end_effector) {
    int link = model.end_effector().link;
    if (!end->link.empty()) link = FindLink(end->link, model, "/robot/end_effector/link", issues);
    sound = sound && AreThree(end->point_m);
    if (link >= 0 && sound) model.SetEndEffector({link, ToVector3(end->point_m)});
  }
  if (const auto& imu = options.imu) {
    const int link = FindLink(imu->link, model, "/robot/imu/link", issues);
    sound = sound && AreThree(imu->point_m);
    if (link >= 0 && sound) model.SetImu({link, ToVector3(imu->point_m)});
  }
  if (const auto& meter = options.distance_meter) {
    const int link = FindLink(meter->link, model, "/robot/distance_meter/link", issues);
    sound = sound && AreThree(meter->point_m) && AreThree(meter->axis) &&
            !ToVector3(meter->axis).isZero(0.0);
    if (link >= 0 && sound) {
      model.SetDistanceMeter(
          {link, ToVector3(meter->point_m), ToVector3(meter->axis).normalized()});
    }
  }
  AddCuts(options.force_torque_sensors, "/robot/force_torque_sensors", model, issues);
  return sound && issues.size() == before;
}

}  // namespace

bool LoadRobotInto(const RobotOptions& options, Robot& robot, std::vector<Issue>& issues) {
  if (options.model.empty()) return false;  // reported as missing
  try {
    robot = LoadRobot(options.model);
    return SetPoints(options, robot.model, issues);
  } catch (const ConfigError& error) {
    for (const Issue& issue : error.issues()) {
      issues.push_back({"/robot/model",
                        fmt::format("{}: {}{}", error.source(),
                                    issue.where.empty() ? "" : issue.where + ": ", issue.what),
                        issue.details});
    }
    return false;
  }
}

}  // namespace idbench
