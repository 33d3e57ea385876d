#pragma once

#include <string>
#include <vector>

#include "bench/identify/lab_logs.h"
#include "bench/lab_checks/check_lab.h"
#include "scenarios/options/json_fwd.h"

namespace idbench {

/// What was found in logs.
struct LogChecks {
  std::vector<LabFinding> findings;
  std::vector<std::string> unfitted;  ///< Names of logs that no check was fitted to, see CanFit().
};

/// What was found in one log.
struct FindingsOfLog {
  std::string log;
  std::vector<LabFinding> findings;
};

/// Returns what is found of the same joint in several logs as one finding: that of the log where
/// its cure gains most, of equal ones the first. Its evidence names that log, and then the others:
/// "run2: … (also in run1, run3)". Of a single log the findings are returned as they are.
std::vector<LabFinding> JoinFindings(const std::vector<FindingsOfLog>& of_logs);

/// Returns what the names of a log's columns tell, then what its data tell. What both tell of the
/// whole log is one finding, with the evidence of both and the cure of the names.
std::vector<LabFinding> JoinNamesAndData(const std::vector<LabFinding>& of_names,
                                         std::vector<LabFinding> of_data);

/// Looks for labs' mistakes in each log, those for validation included, see CheckLab(),
/// JoinNamesAndData() and JoinFindings().
/// @throws ConfigError as ReadLab() does.
LogChecks CheckLogs(const LabLogs& logs);

/// Returns the findings as checks.json has them: a list of {check, joint, evidence, cure}; joint is
/// "" for all of the robot.
Json ChecksJson(const std::vector<LabFinding>& findings);

/// Returns the names of the checks whose findings ask for other data than those that were read
/// (units, order, signs …), or that say that nothing fits; each once.
std::vector<std::string> DoubtfulData(const LogChecks& checks);

/// Returns a sentence of each finding, or that nothing was found, and what was not looked at.
std::vector<std::string> CheckSentences(const LogChecks& checks);

}  // namespace idbench
