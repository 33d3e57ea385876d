#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "robots/model_text.h"
#include "robots/robot.h"

namespace idbench {

/// A robot with one parameter set, as files that LoadRobot() takes.
struct RobotExport {
  std::string model_name;   ///< File name of the model.
  std::string model;        ///< Its text, MJCF or URDF.
  std::string description;  ///< robot.json: friction, offsets, rotor inertias, limits, the set.
  std::vector<std::string> notes;  ///< What a user should know about them, one sentence each.
};

/// The robot's own file, edited (see EditedModel()), or written anew in the other format.
/// @throws ConfigError as EditedModel().
RobotExport ExportRobot(const Robot& robot, const ParameterSet& set,
                        std::optional<ModelFormat> format = std::nullopt);

/// Loads an exported model file again.
/// @throws ConfigError if it is not a robot with the same joints, or its joint torques or base
///         wrench without friction are not those of `set` to 1e-9 of the greatest.
void CheckExport(const std::filesystem::path& model_file, const Robot& robot,
                 const ParameterSet& set);

}  // namespace idbench
