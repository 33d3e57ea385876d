#pragma once

#include <string>
#include <vector>

#include "scenarios/scenario.h"
#include "sim/truth/payload.h"

namespace idbench {

/// What the events of a simulation's experiments attach to the robot.
struct CarriedPayloads {
  /// There from the beginning to the end of all experiments but applications: part of the robot as
  /// it was. Empty where anything comes, goes, changes or differs between these.
  std::vector<Payload> throughout;
  /// What does not stay, with its times: "box in identification from 2.6 s on"; empty if all does.
  std::vector<std::string> passing;
  /// Applications that carry something else than what is there throughout, each with what: for
  /// observers to find.
  Labelled<std::string> applied;
};
CarriedPayloads CarriedBy(const Scenario& scenario, const Robot& robot);

/// When what the robot carries in an experiment first comes, goes or begins to change.
struct PayloadChange {
  double at_s = 0.0;
  Role role = Role::kIdentification;  ///< Of the experiment.

  /// Returns "what the robot carries in X changes at 2 s".
  std::string Describe(const std::string& experiment) const;
};
/// Experiments in which it does.
using PayloadChanges = Labelled<PayloadChange>;
PayloadChanges ChangesOfPayloads(const Scenario& scenario, const Robot& robot);

/// Returns true if there are true values of a simulation's unknowns: where these are the robot's
/// own, payloads that come, go or differ leave none.
bool HasTrueUnknowns(const Scenario& scenario, const Robot& robot);

}  // namespace idbench
