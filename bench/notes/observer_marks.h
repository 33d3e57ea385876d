#pragma once

#include <string>
#include <vector>

#include "bench/trial/trial_data.h"
#include "robots/robot.h"
#include "scenarios/scenario.h"

namespace idbench {

/// Returns sentences about what is doubtful of observers: data that processing made with later
/// samples, recordings, of which nobody knows what acted, and observers that look for something
/// else than what acts on the robot: forces that are sought at the end effector where other points
/// are touched, touches where a changed load is to be detected, and loads where a contact is.
///
/// @param first  the data of one trial.
std::vector<std::string> ObserverMarks(const Robot& robot, const Scenario& scenario,
                                       const TrialData& first);

}  // namespace idbench
