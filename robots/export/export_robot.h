#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "robots/export/identified_whole.h"
#include "robots/export/joint_passive.h"
#include "robots/model_text.h"
#include "robots/robot.h"

namespace idbench {

/// Robot with one parameter set, as files that LoadRobot() reads.
struct RobotExport {
  std::string model_name;   ///< File name of the model.
  std::string model;        ///< Its text, MJCF or URDF.
  std::string description;  ///< robot.json: friction, offsets, rotor inertias, limits, the set.
  std::vector<std::string> notes;  ///< What a user should know about the files, one sentence each.
};

/// Exports the robot: its own file, edited (see EditedModel()), or a new one if `format`
/// differs from it. A part of a robot is exported into the whole, see IntoWhole(): its robot.json
/// too is that of the whole. Passive torques of joints are those of PassiveOf().
/// @throws ConfigError as EditedModel() and IntoWhole() do.
RobotExport ExportRobot(const Robot& robot, const ParameterSet& set,
                        std::optional<ModelFormat> format = std::nullopt,
                        LockedBodies locked = LockedBodies::kAsWritten,
                        ExportedCoulomb coulomb = ExportedCoulomb::kBeside);

/// Loads an exported model file as the same part of it as `robot` is, to check it.
/// @throws ConfigError if it is not a robot with the same joints, or if its joint torques or base
///         wrench without friction differ from those of `set` by more than 1e-9 of the greatest;
///         or, where a robot.json stands beside it, with friction. The base wrench of a part counts
///         in the format of the robot's own file.
void CheckExport(const std::filesystem::path& model_file, const Robot& robot,
                 const ParameterSet& set);

}  // namespace idbench
