#include "bench/held_joints.h"

#include <fmt/format.h>

#include <algorithm>

#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// The link that a joint which is held belongs to now; nothing for one above the root of a part,
/// whose body is no part of the robot.
const std::string* CarrierOf(const HeldJoint& joint, const Robot& robot) {
  const LinkBody* const body = FindBody(robot, joint.body);
  return body == nullptr ? nullptr : &robot.model.BodyName(body->link);
}

}  // namespace

std::string HeldTable(const Robot& robot) {
  if (robot.held.empty()) return "";
  std::size_t joint_width = 4, body_width = 4;
  for (const HeldJoint& joint : robot.held) {
    joint_width = std::max(joint_width, joint.name.size());
    body_width = std::max(body_width, joint.body.size());
  }
  constexpr std::string_view kRow = "{:<{}}  {:>11}  {:<{}}  {}\n";
  std::string text =
      fmt::format(kRow, "held", joint_width, "at [rad, m]", "body", body_width, "belongs to");
  for (const HeldJoint& joint : robot.held) {
    const std::string* const carrier = CarrierOf(joint, robot);
    text += fmt::format(kRow, joint.name, joint_width, fmt::format("{:.4g}", joint.position),
                        joint.body, body_width, carrier == nullptr ? "–" : *carrier);
  }
  return text + "\n";
}

Json HeldJson(const Robot& robot) {
  Json held = Json::array();
  for (const HeldJoint& joint : robot.held) {
    const std::string* const carrier = CarrierOf(joint, robot);
    held.push_back({{"name", joint.name},
                    {"position", joint.position},
                    {"body", joint.body},
                    {"link", carrier == nullptr ? Json() : Json(*carrier)}});
  }
  return held;
}

}  // namespace idbench
