#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "bench/lab_checks/lab_context.h"
#include "robots/recording/rate_check.h"

namespace idbench {

namespace {

/// What RateDoubts() says of the velocities of some joints.
struct Doubt {
  std::string_view check;
  std::string joints;
  std::string evidence;
};

std::vector<Doubt> DoubtsOf(const LabContext& context) {
  std::vector<Doubt> doubts;
  for (std::string& sentence : RateDoubts(context.log.recorded, kJointPosition, kJointVelocity,
                                          context.model().joint_names())) {
    const auto says = [&sentence](std::string_view words) {
      return sentence.find(words) != std::string::npos;
    };
    std::string_view check;
    if (says("degrees")) {
      check = "degrees";
    } else if (says("order of columns")) {
      check = "joint_order";
    } else if (says("sign")) {
      check = "sign";
    } else if (says(" × ")) {
      check = "velocity_factor";
    } else {
      continue;
    }
    const std::string_view of = "velocity of ";
    std::string joints = sentence.substr(sentence.find(of) + of.size());
    joints = joints.substr(0, std::min(joints.find(" fits"), joints.find(" does")));
    doubts.push_back({check, std::move(joints), std::move(sentence)});
  }
  return doubts;
}

}  // namespace

/// Velocities beside positions, in another unit, order or sign.
std::vector<LabFinding> TellVelocityUnits(const LabContext& context) {
  std::vector<LabFinding> findings;
  for (Doubt& doubt : DoubtsOf(context)) {
    if (doubt.check == "velocity_factor") continue;
    findings.push_back({.check = std::string(doubt.check),
                        .joint = std::move(doubt.joints),
                        .evidence = std::move(doubt.evidence),
                        .cure = "compare the velocity columns with those of the positions; "
                                "identification derives velocities from positions and does not "
                                "read these"});
  }
  return findings;
}

/// Velocities that are a multiple of dq/dt: by the clock, if it is that of all joints.
std::vector<LabFinding> TellVelocityFactor(const LabContext& context) {
  std::vector<LabFinding> findings;
  for (Doubt& doubt : DoubtsOf(context)) {
    if (doubt.check != "velocity_factor") continue;
    findings.push_back({.check = "velocity_factor",
                        .joint = std::move(doubt.joints),
                        .evidence = std::move(doubt.evidence),
                        .cure = "of all joints, time stamps or the rate are wrong by that factor, "
                                "and accelerations by its square: --unit time=…, --rate HZ; of "
                                "some, or if the clock is right, the unit of the velocities, which "
                                "identification does not read"});
  }
  return findings;
}

}  // namespace idbench
