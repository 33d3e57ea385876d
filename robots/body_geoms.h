#pragma once

#include <mujoco/mujoco.h>

#include <Eigen/Core>
#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace idbench {

/// Mesh of a model file, as MuJoCo is told of it.
struct MeshSource {
  std::string name;            ///< What geoms call it.
  std::filesystem::path file;  ///< "": the model holds its vertices and faces.
  std::string content_type;
  std::array<double, 3> scale, refpos;
  std::array<double, 4> refquat;
  std::vector<float> vertices;
  std::vector<int> faces;
};

/// Shape that a model file gives a body, in a frame G that is fixed to it.
struct BodyGeom {
  mjsElement* body = nullptr;  ///< In the spec, which must live as long.
  /// Sphere, capsule, cylinder, box or ellipsoid; a box around what a mesh is of.
  mjtGeom type = mjGEOM_SPHERE;
  /// Sizes as MuJoCo counts them, halves [m]: radius; radius and half of the axis along z, without
  /// the caps of a capsule; half the edges or axes along x, y and z.
  Eigen::Vector3d size = Eigen::Vector3d::Zero();
  Eigen::Matrix3d R_BG = Eigen::Matrix3d::Identity();
  Eigen::Vector3d p_BG_B = Eigen::Vector3d::Zero();
  std::optional<MeshSource> mesh;  ///< The shape is that of a mesh; `size` is 0 until it is read.
};

/// Returns the shapes of all bodies of a parsed model but the world, in the order of the spec,
/// without planes, height fields and what has no size. Of a body with geoms that can collide
/// (contype, conaffinity) those that only are seen are left out. Reads no mesh, and leaves the spec
/// as it is.
std::vector<BodyGeom> GeomsOf(const mjSpec* spec);

/// Gives the geoms of meshes the boxes that MuJoCo computes around these, and takes out those whose
/// mesh is missing or is none that MuJoCo reads.
void ReadMeshBoxes(std::vector<BodyGeom>& geoms);

}  // namespace idbench
