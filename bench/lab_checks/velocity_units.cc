#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "bench/lab_checks/lab_context.h"
#include "robots/recording/rate_check.h"

namespace idbench {

/// Velocities beside positions: RateDoubts() says what does not fit; of a factor of 57.3 that it is
/// degrees.
std::vector<LabFinding> TellVelocityUnits(const LabContext& context) {
  std::vector<LabFinding> findings;
  for (const std::string& doubt : RateDoubts(context.log.recorded, kJointPosition, kJointVelocity,
                                             context.model().joint_names())) {
    const bool degrees = doubt.find("degrees") != std::string::npos;
    const bool order = doubt.find("order of columns") != std::string::npos;
    const bool sign = !degrees && doubt.find("sign") != std::string::npos;
    if (!degrees && !order && !sign) continue;
    const std::string_view of = "velocity of ";
    std::string joints = doubt.substr(doubt.find(of) + of.size());
    joints = joints.substr(0, std::min(joints.find(" fits"), joints.find(" does")));
    findings.push_back({.check = degrees ? "degrees" : (order ? "joint_order" : "sign"),
                        .joint = std::move(joints),
                        .evidence = doubt,
                        .cure = "compare the velocity columns with those of the positions; "
                                "identification derives velocities from positions and does not "
                                "read these"});
  }
  return findings;
}

}  // namespace idbench
