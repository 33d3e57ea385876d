#pragma once

#include <string>
#include <vector>

#include "scenarios/scenario.h"
#include "sim/truth/payload.h"

namespace idbench {

/// What the events of a simulation's experiments attach to the robot.
struct CarriedPayloads {
  /// There from the beginning to the end of all experiments: part of the robot as it was. Empty
  /// where anything comes, goes, changes or differs between experiments.
  std::vector<Payload> throughout;
  /// What does not stay, with its times: "box in identification from 2.6 s on"; empty if all does.
  std::vector<std::string> passing;
};
CarriedPayloads CarriedBy(const Scenario& scenario, const Robot& robot);

/// Returns true if there are true values of a simulation's unknowns: where these are the robot's
/// own, payloads that come, go or differ leave none.
bool HasTrueUnknowns(const Scenario& scenario, const Robot& robot);

}  // namespace idbench
