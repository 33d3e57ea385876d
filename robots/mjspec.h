#pragma once

#include <mujoco/mujoco.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace idbench {

struct MujocoDeleter {
  void operator()(mjSpec* spec) const { mj_deleteSpec(spec); }
  void operator()(mjModel* model) const { mj_deleteModel(model); }
  void operator()(mjData* data) const { mj_deleteData(data); }
};
using SpecPtr = std::unique_ptr<mjSpec, MujocoDeleter>;
using ModelPtr = std::unique_ptr<mjModel, MujocoDeleter>;
using DataPtr = std::unique_ptr<mjData, MujocoDeleter>;

/// Parses an MJCF or URDF file, not yet compiled. Bodies without joints stay bodies.
///
/// What identification does not need is left out, so that its files need not be there: textures,
/// sensors, actuators, tendons, and geometry, but for the geoms that an MJCF derives inertias from
/// (of what stands still, not even those).
/// Inertias are not repaired, whatever the file asks MuJoCo for. Axes that were rounded where they
/// were written are set right, see StraightenAxes(). What couples joints (mimic, equality
/// constraints) is left out: each joint moves by itself.
/// @param[out] notes  what a user should know about all this, one sentence each, appended.
/// @throws ConfigError as CheckModelText() does, with MuJoCo's own words, or naming the bodies that
///         a connect or weld constraint joins to a closed loop.
SpecPtr ParseSpec(const std::filesystem::path& file, std::vector<std::string>* notes = nullptr);

/// Compiles `spec`; `file` is its name in messages. @throws ConfigError with MuJoCo's own words.
ModelPtr Compile(mjSpec* spec, const std::filesystem::path& file);

/// All elements of a kind. They may be deleted while the list is worked off.
std::vector<mjsElement*> Elements(const mjSpec* spec, mjtObj type);

/// Turns another notation of an element's orientation (Euler angles …) into its quaternion.
void ResolveOrientation(mjsElement* element, double* quat, mjsOrientation& alt);

/// Sends MuJoCo's warnings to stderr and turns its errors into std::runtime_error, instead of a log
/// file in the working directory and an end of the process. Safe to call from any thread, often.
void InstallMujocoLogHandler();

}  // namespace idbench
