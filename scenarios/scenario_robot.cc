#include "scenarios/scenario_robot.h"

#include <fmt/format.h>

#include <optional>
#include <string>

#include "robots/cut_options.h"

namespace idbench {
namespace {

/// Axes that differ by less are the same but for round-off.
constexpr double kSameAxes = 1e-12;

Eigen::Vector3d ToVector3(const std::vector<double>& numbers) {
  return Eigen::Map<const Eigen::Vector3d>(numbers.data());
}

/// Whether what has three numbers does; otherwise it is reported as a list of another length.
bool AreThree(const std::vector<double>& numbers) { return numbers.size() == 3; }

void SetEndEffector(const EndEffectorOptions& options, Robot& robot, std::vector<Issue>& issues) {
  if (!AreThree(options.point_m)) return;
  const Eigen::Vector3d point = ToVector3(options.point_m);
  if (options.link.empty()) {
    robot.model.SetEndEffector({robot.model.end_effector().link, point});
  } else if (const auto at = PlaceOf(options.link, robot, "/robot/end_effector/link", issues)) {
    robot.model.SetEndEffector({at->link, at->InLink(point)});
  }
}

void SetImu(const ImuOptions& options, Robot& robot, std::vector<Issue>& issues) {
  const auto at = PlaceOf(options.link, robot, "/robot/imu/link", issues);
  if (!at || !AreThree(options.point_m)) return;
  const std::string& link = robot.model.link(at->link).name;
  if (!at->R_LB.isIdentity(kSameAxes)) {
    issues.push_back({"/robot/imu/link",
                      fmt::format("\"{}\" is fixed to {} with other axes, and an IMU has those of "
                                  "its link",
                                  options.link, link),
                      {fmt::format("name {}, and the point in its frame", link)}});
    return;
  }
  robot.model.SetImu({at->link, at->InLink(ToVector3(options.point_m))});
}

void SetDistanceMeter(const DistanceMeterOptions& options, Robot& robot,
                      std::vector<Issue>& issues) {
  const auto at = PlaceOf(options.link, robot, "/robot/distance_meter/link", issues);
  if (!at || !AreThree(options.point_m) || !AreThree(options.axis)) return;
  const Eigen::Vector3d axis = ToVector3(options.axis);
  if (axis.isZero(0.0)) return;
  robot.model.SetDistanceMeter(
      {at->link, at->InLink(ToVector3(options.point_m)), at->R_LB * axis.normalized()});
}

/// Sets what the options say. Lists of another length and axes without a direction are reported
/// where they are read; they and what else cannot be set make the result false.
bool SetPoints(const RobotOptions& options, Robot& robot, std::vector<Issue>& issues) {
  const std::size_t before = issues.size();
  bool sound = true;
  if (const auto& end = options.end_effector) {
    SetEndEffector(*end, robot, issues);
    sound = sound && AreThree(end->point_m);
  }
  if (const auto& imu = options.imu) {
    SetImu(*imu, robot, issues);
    sound = sound && AreThree(imu->point_m);
  }
  if (const auto& meter = options.distance_meter) {
    SetDistanceMeter(*meter, robot, issues);
    sound = sound && AreThree(meter->point_m) && AreThree(meter->axis) &&
            !ToVector3(meter->axis).isZero(0.0);
  }
  AddCuts(options.force_torque_sensors, "/robot/force_torque_sensors", robot, issues);
  return sound && issues.size() == before;
}

}  // namespace

bool LoadRobotInto(const RobotOptions& options, Robot& robot, std::vector<Issue>& issues) {
  if (options.model.empty()) return false;  // reported as missing
  try {
    robot = LoadRobot(options.model, options.part);
    return SetPoints(options, robot, issues);
  } catch (const PartError& error) {
    for (const Issue& issue : error.issues()) {
      issues.push_back({"/robot" + issue.where, issue.what, issue.details});
    }
    return false;
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
