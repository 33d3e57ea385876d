#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <string>
#include <vector>

#include "robots/recording/dataset.h"
#include "robots/recording/segments.h"
#include "robots/robot.h"

namespace idbench {

/// Time stamps as they came, before rows were dropped.
struct StampCount {
  std::int64_t rows = 0;
  std::int64_t repeated = 0;  ///< Of them, with the stamp of the row before.
};

/// What a lab recorded, and what is known of the robot.
struct LabLog {
  const Robot& robot;    ///< Its nominal set is what the file itself says of the inertias.
  bool guessed = false;  ///< Whether these are guesses: then nothing is told by them.
  StampCount stamps = {};
  std::vector<TimeBreak> breaks = {};  ///< Gaps and restarts that split it.
  /// Segments as recorded, in SI units as the columns claim: joint_position and joint_torque,
  /// perhaps joint_velocity, with their own stamps; nothing filtered.
  std::vector<Dataset> recorded = {};
  /// The same at a uniform rate, behind a low-pass of zero phase, with velocities and accelerations
  /// derived by differences of the positions (see Process()): what regressions use.
  std::vector<Dataset> processed = {};
};

/// Something that looks wrong.
struct LabFinding {
  std::string check;             ///< Key of the check in LabChecks(): "degrees".
  std::string joint;             ///< "joint2", or several, "joint2, joint3"; "" for the whole log.
  std::string evidence;          ///< What the data say, with numbers.
  std::string cure;              ///< What to do about it.
  std::vector<int> joints = {};  ///< Indices of `joint`, where a change of the data is the cure.
  double value = 0.0;            ///< Its number: degrees, factor, seconds; 0 if it has none.
  double gain = 0.0;             ///< FoundCure::gain; 0 if no change of the data is the cure.
  std::vector<LabFinding> rivals = {};  ///< What the data cannot tell from it.
};

/// Returns the segments as LabLog::processed has them, of those that are long enough: the low-pass
/// is that of their motion's band, or a fifth of the rate where the band cannot be told.
std::vector<Dataset> ProcessedForChecks(const std::vector<Dataset>& recorded);

}  // namespace idbench
