#pragma once

#include <vector>

#include "robots/robot.h"
#include "scenarios/options/config_error.h"
#include "scenarios/problem/problem_options.h"

/// Checks of what stands among the columns of equations although it was measured: what drives are
/// fed, and the wrench of a sensor whose calibration is asked for. Such equations hold for any
/// multiple of their unknowns.
namespace idbench {

/// Appends issues where rows of a calibrated sensor do not hold all that one channel measures of
/// it, or a calibration is not the sensor's in all configurations.
void CheckCalibrations(const ProblemOptions& problem, const RobotModel& model,
                       std::vector<Issue>& issues);

/// Appends issues for two equations of drives, gains that are neither known nor asked for, and
/// gains or calibrations without a scale, see TermsWithoutScale().
void CheckDrives(const ProblemOptions& problem, const Robot& robot, std::vector<Issue>& issues);

}  // namespace idbench
