#pragma once

#include <string>
#include <vector>

#include "bench/identify/lab_column.h"
#include "bench/lab_checks/lab_log.h"
#include "hw/log/log.h"
#include "hw/recording_options.h"
#include "robots/log_columns.h"
#include "robots/robot.h"

namespace idbench {

/// Where a recording's files have what identification needs.
struct FoundColumns {
  RecordingColumns columns;
  RecordingUnits units;
  RecordingFactors factors;
  RecordingOffsets offsets;
  /// Velocities beside the positions, for checks alone, and their unit; nothing without such.
  std::optional<ColumnNames> velocity;
  std::string velocity_unit;
  std::optional<double> rate_hz;
  /// Index of the log that has each channel; all 0 where one file holds everything.
  Labelled<std::size_t> log_of;
  std::vector<std::string> joints;  ///< Recorded joints, in the order of the model.
  /// What was found, how, and what was assumed; one sentence each.
  std::vector<std::string> sentences;
  /// What names and stamps say against the data: torques that were commanded, another rate.
  std::vector<LabFinding> findings;
};

/// Finds time, positions and torques of a robot's joints in the files of one recording. Recorded
/// rates are not needed: they are derived from positions. The rules:
///
/// - By name: see ReadLabColumn(). Columns of one kind, source and table are a group; a group
///   counts if its columns have the names of different joints, or numbers that follow one another
///   from 0 or 1. Columns with numbers alone ("Joint_3") are what the file's name says.
/// - The group of most of the robot's joints goes before others; of these, measured quantities
///   before such of which nothing is said, and these before commanded ones.
/// - Joints in the names of positions say which joints were recorded; torques have to be of the
///   same ones. Of numbered columns fewer than the robot has joints, the first joints of the model
///   were; they have to be a chain.
/// - Where the logs have all columns that the robot's own log has (Robot::log), these are they,
/// with
///   its units, and its rate if there is no time; unless the user says columns.
/// - No column is read as two channels.
/// - Columns without names (files without a header) are recognised by their numbers, see
///   ReadNumbers().
/// - Units are those of the names, or of a row below them. Without one, positions are in degrees
///   where they leave the model's joint limits, or ±4π rad, as radians and not as degrees; else in
///   SI units, which is told.
/// - Time: see FindTime() and ColumnUnits::OfTime(). Whole seconds and nanoseconds in two columns
///   (header.stamp.sec, header.stamp.nanosec) are one stamp.
///
/// @param logs   all that the files of one recording hold; equally long where they share no time.
/// @param stems  names of the files without their endings.
/// @param whole  with all joints of the model.
/// @param told   what the user says.
/// @throws ConfigError naming what is missing or ambiguous, what there is, and the option that says
///         it (--columns, --unit, --rate).
FoundColumns FindColumns(const std::vector<Log>& logs, const std::vector<std::string>& stems,
                         const Robot& whole, const LogColumns& told);

}  // namespace idbench
