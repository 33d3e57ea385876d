#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <string>
#include <vector>

#include "robots/dynamics/parameters.h"
#include "robots/physical_inertia.h"

namespace idbench {

/// Values for all standard parameters π of a robot, and where they come from.
struct ParameterSet {
  std::string name;
  std::string source;
  std::string note;
  Eigen::VectorXd pi;  ///< See ParameterLayout.
};

/// A robot as its files describe it: kinematics, and any number of published parameter sets.
struct Robot {
  std::string name;
  std::string title;
  std::filesystem::path file;  ///< MJCF or URDF.
  RobotModel model;
  std::vector<ParameterSet> sets;
  std::string nominal_set;                 ///< The set that stands in the model file.
  std::vector<UnphysicalBody> unphysical;  ///< Of the model file, in its order.
  /// What a user should know about how the model file was read, one sentence each: what was left
  /// out or straightened, which inertias are not physical.
  std::vector<std::string> notes;

  std::vector<std::string> set_names() const;
  /// nullptr if there is none of that name. "" means the nominal set.
  const ParameterSet* FindSet(const std::string& set) const;
};

/// Reads a robot of the catalogue by name, or any robot by the path of an MJCF or URDF file. Where
/// a robot.json stands beside the file and names it, its sets, friction and limits count, as in the
/// catalogue and in what an export writes; the path may also be that of the robot.json or its
/// folder.
///
/// Bodies without joints are fused into what carries them; fixed to the world, into the base, whose
/// frame is that of the first body. k joints on one body become k − 1 massless links before it.
/// Inertias are read as written, also where no body could have them. See ParseSpec() for what is
/// left out and set right.
/// @throws ConfigError for an unknown name, a file that ParseSpec() or MuJoCo refuses, a joint that
///         is neither hinge nor slide, a robot without a joint, or a robot.json that contradicts
///         its model.
Robot LoadRobot(const std::string& name_or_file);

/// Names of the robots in the catalogue, sorted.
std::vector<std::string> RobotNames();

/// Where the catalogue lies: the environment variable IDBENCH_ROBOTS, else the folder that was
/// installed beside the program, else the source tree's.
std::filesystem::path RobotFolder();

/// Version of the MuJoCo library that is loaded, e.g. "4.0.1".
std::string SimulatorVersion();

}  // namespace idbench
