#pragma once

#include <functional>
#include <string>
#include <vector>

#include "robots/robot.h"
#include "scenarios/options/capability.h"
#include "scenarios/scenario.h"

/// What contradicts itself in a simulation, or needs what is not supplied.
namespace idbench {

std::vector<Issue> CheckTruth(const TruthOptions& truth, const Robot& robot);
/// Returns an issue if the robot has no such set.
std::vector<Issue> CheckSet(const SetOptions& options, const Robot& robot,
                            const std::string& where);

/// Checks that the plant's options fit each other and what the true robot has.
std::vector<Issue> CheckPlant(const Scenario& scenario);

/// Checks sensors and where they sit.
/// @param supplies  what the scenario and its robot supply; likewise below.
std::vector<Issue> CheckSensorsOf(const Scenario& scenario, const Robot& robot,
                                  const Supplies& supplies);

/// Checks the controls of all experiments and their rates, and the friction that needs simulation.
/// @param sound  tells whether a part of the scenario, by its pointer, is known to be without
/// issues.
std::vector<Issue> CheckControls(const Scenario& scenario, const Robot& robot,
                                 const Supplies& supplies,
                                 const std::function<bool(const std::string&)>& sound);

}  // namespace idbench
