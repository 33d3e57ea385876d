#include "robots/urdf_limits.h"

#include <algorithm>
#include <pugixml.hpp>

namespace idbench {

Eigen::VectorXd StatedVelocityLimits(const Robot& robot) {
  Eigen::VectorXd limits = robot.model.limits().velocity;
  pugi::xml_document document;
  if (!document.load_file(robot.file.c_str())) return limits;
  for (const pugi::xml_node& joint : document.child("robot").children("joint")) {
    const int at = robot.model.JointIndex(joint.attribute("name").value());
    const double stated = joint.child("limit").attribute("velocity").as_double();
    if (at >= 0 && stated > 0.0) limits[at] = std::min(limits[at], stated);
  }
  return limits;
}

}  // namespace idbench
