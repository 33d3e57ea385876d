#pragma once

#include <string>
#include <vector>

#include "bench/identify/lab_logs.h"
#include "bench/lab_checks/check_lab.h"
#include "scenarios/options/json_fwd.h"

namespace idbench {

/// Looks for labs' mistakes in each log, those for validation included, see CheckLab(). What is
/// found of the same joint in several logs is one finding; its evidence names the logs.
/// @throws ConfigError as ReadLab() does.
std::vector<LabFinding> CheckLogs(const LabLogs& logs);

/// Returns the findings as checks.json has them: a list of {check, joint, evidence, cure}; joint is
/// "" for all of the robot.
Json ChecksJson(const std::vector<LabFinding>& findings);

/// Returns a sentence of each finding; of none, that nothing was found.
std::vector<std::string> CheckSentences(const std::vector<LabFinding>& findings);

}  // namespace idbench
