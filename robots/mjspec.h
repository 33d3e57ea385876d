#pragma once

#include <mujoco/mujoco.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "robots/body_geoms.h"
#include "robots/part_plan.h"

namespace idbench {

struct MujocoDeleter {
  void operator()(mjSpec* spec) const { mj_deleteSpec(spec); }
  void operator()(mjModel* model) const { mj_deleteModel(model); }
  void operator()(mjData* data) const { mj_deleteData(data); }
};
using SpecPtr = std::unique_ptr<mjSpec, MujocoDeleter>;
using ModelPtr = std::unique_ptr<mjModel, MujocoDeleter>;
using DataPtr = std::unique_ptr<mjData, MujocoDeleter>;

/// A model file, parsed and reduced to what is the robot.
struct ParsedModel {
  SpecPtr spec;
  std::vector<HeldJoint> held;        ///< In the order of the model.
  std::vector<std::string> left_out;  ///< Names of bodies.
  std::vector<std::string> notes;     ///< What a user should know, one sentence each.
  std::vector<BodyGeom> geoms;        ///< All of them, see GeomsOf(); `spec` holds their bodies.
};

/// Parses an MJCF or URDF file without compiling it. Bodies without joints stay bodies.
///
/// Leaves out what identification does not need, so that its files need not exist: textures,
/// sensors, actuators, tendons, and all geometry except the geoms from which an MJCF derives
/// inertias (and even those for bodies that do not move). What actuators can give is left as
/// ranges of their joints, see TakeActuatorLimits(). Does not repair inertias, whatever the
/// file tells MuJoCo to do. Corrects axes that the file rounded, see StraightenAxes(). Leaves out
/// what couples joints, see CheckCouplings(). Holds the joints that do not move: see PlanPart().
/// The root of a part is the child of the world, at its pose in it.
/// @param extent  how much to read; if it is not kPart, `part` is not looked at and no coupling is
///         refused.
/// @throws ConfigError as CheckModelText(), PlanPart() and CheckCouplings() do, with MuJoCo's own
///         message.
ParsedModel ParseModel(const std::filesystem::path& file, const RobotPart& part,
                       ModelExtent extent = ModelExtent::kPart);

/// Parses a whole model, see ParseModel().
/// @param[out] notes  those of the model; may be nullptr.
SpecPtr ParseSpec(const std::filesystem::path& file, std::vector<std::string>* notes = nullptr);

/// Compiles `spec`; `file` is its name in messages.
/// @throws ConfigError with MuJoCo's own message.
ModelPtr Compile(mjSpec* spec, const std::filesystem::path& file);

/// Returns all elements of a kind. The caller may delete them while iterating.
std::vector<mjsElement*> Elements(const mjSpec* spec, mjtObj type);

/// Converts another notation of an element's orientation (Euler angles …) to its quaternion.
void ResolveOrientation(mjsElement* element, double* quat, mjsOrientation& alt);

/// Returns the factor that makes a position or range of a hinge or slide in a spec rad or m.
double JointUnit(const mjsJoint& joint);

/// Sends MuJoCo's warnings to stderr and turns its errors into std::runtime_error, instead of
/// writing a log file to the working directory and ending the process. Safe to call repeatedly and
/// from any thread.
void InstallMujocoLogHandler();

}  // namespace idbench
