#pragma once

#include <filesystem>
#include <pugixml.hpp>
#include <string>
#include <vector>

#include "robots/export/joint_passive.h"
#include "robots/model_reader.h"

namespace idbench {

/// Writes passive torques of joints into a parsed MJCF where its own attributes, or those of a
/// class, have another effect.
/// @param elements  of file.bodies.
/// @param source    of the MJCF, for messages.
/// @throws ConfigError for a body whose joints do not stand in the file one by one.
void WriteMjcfPassive(const std::vector<pugi::xml_node>& elements, const RobotDescription& file,
                      const PassiveJoints& joints, const std::filesystem::path& source);

/// Writes them into <dynamics> of a URDF's joints.
void WriteUrdfPassive(const pugi::xml_node& robot, const RobotModel& model,
                      const PassiveJoints& joints);

/// Takes from an MJCF's actuators what they would add to joints that moved.
/// @param moved       names of joints.
/// @param[out] notes  what was done, appended.
void WriteActuators(const pugi::xml_node& root, const std::filesystem::path& source,
                    const std::vector<std::string>& moved, std::vector<std::string>& notes);

}  // namespace idbench
