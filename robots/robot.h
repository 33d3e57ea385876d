#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "robots/dynamics/parameters.h"
#include "robots/link_body.h"
#include "robots/log_columns.h"
#include "robots/physical_inertia.h"
#include "robots/robot_part.h"
#include "robots/term_options.h"

namespace idbench {

/// Values of all standard parameters π of a robot, and their source.
struct ParameterSet {
  std::string name;
  std::string source;
  std::string note;
  Eigen::VectorXd pi;  ///< See ParameterLayout.
};

/// Where the collision spheres of a robot are from.
enum class CollisionOrigin : std::uint8_t {
  kLinkSegments,  ///< No body has a geom, see SpheresOfSegments().
  kGeoms,         ///< Of the model file, see SpheresOfGeoms().
  kRobotFile,     ///< Its robot.json.
};

/// Robot as its files describe it: kinematics, and any number of published parameter sets.
struct Robot {
  std::string name;
  std::string title;
  std::filesystem::path file;  ///< MJCF or URDF.
  /// All that it was read from: `file`, what that includes, meshes of which it has inertias (see
  /// FilesOfModel()), and its robot.json.
  std::vector<std::filesystem::path> files;
  RobotPart part;                     ///< What of `file` it is.
  std::vector<HeldJoint> held;        ///< Joints of `file` that do not move, in its order.
  std::vector<std::string> left_out;  ///< Bodies of `file` that are no part of it.
  std::vector<LinkBody> bodies;       ///< Bodies of `file` that are, in its order.
  RobotModel model;
  std::vector<ParameterSet> sets;
  std::string nominal_set;  ///< Name of the set that the model file holds.
  /// True parameters of all bodies that can be attached, ten each, for a simulation; what is
  /// assumed of them stands in `sets`. Empty if nothing can be.
  Eigen::VectorXd attached_truth;
  /// Of each of them, true: it is what is assumed, with errors drawn as of the robot's own bodies.
  std::vector<bool> attached_drawn;
  CollisionOrigin collision_origin = CollisionOrigin::kLinkSegments;
  int collision_geoms = 0;                 ///< That the spheres are from.
  LogColumns log;                          ///< Of its own logs; empty if its names tell all.
  std::vector<UnphysicalBody> unphysical;  ///< Bodies of the model file, in its order.
  /// What a user should know about how the model file was read, one sentence each: what was left
  /// out or straightened, which inertias are not physical.
  std::vector<std::string> notes;

  std::vector<std::string> set_names() const;
  /// Returns the set of that name, or nullptr if there is none. "" means the nominal set.
  const ParameterSet* FindSet(const std::string& set) const;
};

/// Gives a robot the terms that the options declare and that it does not have yet; 0 in its sets.
///
/// Appends issues as MakeTerms() does, and for a term that the robot has otherwise: with another
/// velocity of Stribeck friction, or gains of another equation.
/// @param where  JSON pointer of `options`.
void AddTerms(const std::vector<TermOptions>& options, const std::string& where, Robot& robot,
              std::vector<Issue>& issues);

/// Gives a robot the gains of its motors that it does not have yet, 0 in its sets, and all gains
/// the unit that they have in that equation of drives.
///
/// Appends an issue, at `where`, if the robot's own gains are of another equation: they have
/// another unit.
void AddGains(Equation equation, const std::string& where, Robot& robot,
              std::vector<Issue>& issues);

/// Reads a robot of the catalogue by name, or any robot by the path of an MJCF or URDF file. If a
/// robot.json beside the file names it, its sets, friction and limits apply, as in the catalogue
/// and in exports; the path may also be that of the robot.json or of its folder.
///
/// Bodies without joints are fused into the body that carries them; those fixed to the world into
/// the base, whose frame is that of the first body. k joints on one body become k − 1 massless
/// links before it. Inertias are read as written, even if impossible. See ParseModel() for what is
/// left out and corrected.
///
/// Of a part, bodies of joints that are held are fused like bodies without joints. A robot.json is
/// that of the whole model; see ReducedRobot() for what it says of a part.
/// @throws ConfigError for an unknown name, a file that ParseModel() or MuJoCo refuses, a joint
///         that is neither hinge nor slide, a robot without a joint, or a robot.json that
///         contradicts its model; PartError for a part that the model does not have.
Robot LoadRobot(const std::string& name_or_file, const RobotPart& part = {});

/// Returns the robot of whose model file `robot` is a part: all hinges and slides move. It may be
/// one that LoadRobot() refuses: ball joints are held, and couplings do not count.
Robot LoadWhole(const Robot& robot);
/// The same of a name or a path, as LoadRobot() takes it.
Robot LoadWhole(const std::string& name_or_file);

/// Returns the names of the robots in the catalogue, sorted.
std::vector<std::string> RobotNames();

/// Returns the folder of the catalogue: the environment variable IDBENCH_ROBOTS, else the folder
/// installed beside the program, else that of the source tree.
std::filesystem::path RobotFolder();

/// Returns the version of the loaded MuJoCo library, e.g. "4.0.1".
std::string SimulatorVersion();

}  // namespace idbench
