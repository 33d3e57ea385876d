#pragma once

#include <mujoco/mujoco.h>

#include <filesystem>
#include <memory>

namespace idbench {

struct MujocoDeleter {
  void operator()(mjSpec* spec) const { mj_deleteSpec(spec); }
  void operator()(mjModel* model) const { mj_deleteModel(model); }
  void operator()(mjData* data) const { mj_deleteData(data); }
};
using SpecPtr = std::unique_ptr<mjSpec, MujocoDeleter>;
using ModelPtr = std::unique_ptr<mjModel, MujocoDeleter>;
using DataPtr = std::unique_ptr<mjData, MujocoDeleter>;

/// Parses an MJCF or URDF file, not yet compiled. Bodies without joints stay bodies. A URDF comes
/// without its geometry: identification does not need it, and its meshes are often not there.
/// @throws ConfigError with MuJoCo's own words.
SpecPtr ParseSpec(const std::filesystem::path& file);

/// Compiles `spec`; `file` is its name in messages. @throws ConfigError with MuJoCo's own words.
ModelPtr Compile(mjSpec* spec, const std::filesystem::path& file);

/// Sends MuJoCo's warnings to stderr and turns its errors into std::runtime_error, instead of a log
/// file in the working directory and an end of the process. Safe to call from any thread, often.
void InstallMujocoLogHandler();

}  // namespace idbench
