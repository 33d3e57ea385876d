#pragma once

#include <mujoco/mujoco.h>

#include <filesystem>
#include <vector>

namespace idbench {

/// Returns the files that decide what a robot is: the model file, those that it includes or
/// attaches
/// (<include>, <model>), and those of the meshes that `spec` holds, each once, the model first.
///
/// After ParseSpec() a spec holds only the meshes from which bodies take their inertia. Meshes that
/// are only seen or touched, and all of a URDF, are left out, as are textures and height fields:
/// nothing that is computed depends on them. A file that is not there is left out too.
/// @param spec  parsed from `model`.
std::vector<std::filesystem::path> FilesOfModel(const std::filesystem::path& model,
                                                const mjSpec* spec);

/// Returns where MuJoCo looks for the file of a mesh: in the mesh folder of the model file that
/// declares it. Returns "" for a mesh that the model holds itself.
std::filesystem::path FileOfMesh(const mjsMesh& mesh);

}  // namespace idbench
