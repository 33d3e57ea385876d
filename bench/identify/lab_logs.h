#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "bench/identify/found_columns.h"
#include "hw/recording.h"
#include "robots/robot.h"

namespace idbench {

/// What `idbench identify` is asked.
struct IdentifyOptions {
  std::string robot;  ///< Name or path.
  RobotPart part;     ///< What of it is the robot, before it is known which joints were recorded.
  std::vector<std::filesystem::path> logs;
  std::vector<std::filesystem::path> validation;  ///< Logs that nothing is chosen or fitted on.
  std::filesystem::path folder;
  LogColumns told;
  int jobs = 1;
};

/// The logs of a lab as a scenario has them.
struct LabLogs {
  RecordingOptions recording;  ///< Its root is an absolute path.
  RecordingOptions checked;    ///< That with joint velocities, where all logs hold the same.
  std::string robot_name;      ///< Of the catalogue, or an absolute path.
  Robot robot;                 ///< With the joints that were recorded; the others are held.
  bool guessed = false;        ///< Whether bodies of the robot are guesses, see GuessBodies().
  std::vector<RecordingFiles> identification;  ///< Of each recording.
  std::vector<RecordingFiles> validation;
  std::vector<std::string> sentences;  ///< How formats and columns were found.
  /// FoundColumns::findings of each recording, by the name of its first file.
  std::map<std::string, std::vector<LabFinding>> findings;
};

/// Finds out how the logs are to be read: formats by their content (see GuessFormat()), columns as
/// FindColumns() does. Several logs are recordings of their own if the first one holds positions
/// and torques, and one recording in several files if not.
/// @throws ConfigError if a file cannot be read, columns are missing or ambiguous, or the logs
///         differ in format, columns or units.
LabLogs ReadLabLogs(const IdentifyOptions& options);

/// Reads a recording of the logs, with joint positions and torques: those of motors go through the
/// robot's transmission.
/// @param role  of the experiment called `label`.
/// @throws ConfigError as ReadRecording() does.
Recording ReadLab(const LabLogs& logs, const RecordingFiles& files, const std::string& label,
                  Role role);
/// The same with joint velocities, for checks alone: identification derives them from positions.
Recording ReadForChecks(const LabLogs& logs, const RecordingFiles& files);

}  // namespace idbench
