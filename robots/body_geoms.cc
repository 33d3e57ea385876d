#include "robots/body_geoms.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

#include "robots/mjspec.h"
#include "robots/model_files.h"
#include "robots/spec_poses.h"

namespace idbench {
namespace {

int SizesOf(mjtGeom type) {
  switch (type) {
    case mjGEOM_SPHERE:
      return 1;
    case mjGEOM_CAPSULE:
    case mjGEOM_CYLINDER:
      return 2;
    case mjGEOM_BOX:
    case mjGEOM_ELLIPSOID:
      return 3;
    default:
      return 0;
  }
}

/// Size and pose of a geom that is written by the ends of its axis.
Eigen::Isometry3d BetweenEnds(const double* fromto, BodyGeom& geom) {
  const Eigen::Map<const Eigen::Vector3d> from(fromto), to(fromto + 3);
  const double half = (to - from).norm() / 2.0;
  if (SizesOf(geom.type) == 2) {
    geom.size[1] = half;
  } else {
    geom.size.y() = geom.size.x();
    geom.size.z() = half;
  }
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.translation() = (from + to) / 2.0;
  pose.linear() =
      Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitZ(), to - from).toRotationMatrix();
  return pose;
}

template <class T, std::size_t n>
std::array<T, n> ArrayOf(const T (&values)[n]) {
  return std::to_array(values);
}

/// The meshes of a spec, by what geoms call them.
std::map<std::string, MeshSource> MeshesOf(const mjSpec* spec) {
  std::map<std::string, MeshSource> meshes;
  for (mjsElement* element : Elements(spec, mjOBJ_MESH)) {
    const mjsMesh& mesh = *mjs_asMesh(element);
    MeshSource source{.name = mjs_getString(mjs_getName(element)),
                      .file = FileOfMesh(mesh),
                      .content_type = mjs_getString(mesh.content_type),
                      .scale = ArrayOf(mesh.scale),
                      .refpos = ArrayOf(mesh.refpos),
                      .refquat = ArrayOf(mesh.refquat),
                      .vertices = *mesh.uservert,
                      .faces = *mesh.userface};
    if (source.name.empty()) {
      source.name = std::filesystem::path(mjs_getString(mesh.file)).stem().string();
    }
    meshes.emplace(source.name, std::move(source));
  }
  return meshes;
}

/// The shape of a geom; nothing if it has none that counts.
std::optional<BodyGeom> ShapeOf(mjsElement* element, mjsBody* body,
                                const std::map<std::string, MeshSource>& meshes) {
  const mjsGeom& written = *mjs_asGeom(element);
  BodyGeom geom;
  geom.body = body->element;
  geom.type = written.type;
  geom.size << written.size[0], written.size[1], written.size[2];
  Eigen::Isometry3d pose = PoseFrom(element, written.pos, written.quat, written.alt);
  const auto mesh = meshes.find(mjs_getString(written.meshname));
  if (mesh != meshes.end()) {
    geom.mesh = mesh->second;
    geom.type = mjGEOM_BOX;
    geom.size.setZero();
  } else {
    const int sizes = SizesOf(geom.type);
    if (sizes == 0) return std::nullopt;
    if (sizes > 1 && std::isfinite(written.fromto[0])) pose = BetweenEnds(written.fromto, geom);
    const bool has_size = geom.size.head(sizes).allFinite() && geom.size.head(sizes).minCoeff() > 0;
    if (!has_size) return std::nullopt;
    geom.size.tail(3 - sizes).setZero();
  }
  pose = PoseOfFrames(element) * pose;
  geom.R_BG = pose.linear();
  geom.p_BG_B = pose.translation();
  if (!geom.R_BG.allFinite() || !geom.p_BG_B.allFinite()) return std::nullopt;
  return geom;
}

/// Box around a mesh, in the frame of its vertices.
struct MeshBox {
  Eigen::Isometry3d pose;
  Eigen::Vector3d size;
};

/// Boxes around meshes, in their order; nothing if MuJoCo does not read them all.
std::optional<std::vector<MeshBox>> BoxesOf(const std::vector<const MeshSource*>& meshes) {
  InstallMujocoLogHandler();
  const SpecPtr spec(mj_makeSpec());
  for (const MeshSource* source : meshes) {
    mjsMesh* const mesh = mjs_addMesh(spec.get(), nullptr);
    mjs_setName(mesh->element, source->name.c_str());
    mjs_setString(mesh->content_type, source->content_type.c_str());
    mjs_setString(mesh->file, source->file.c_str());
    std::ranges::copy(source->scale, mesh->scale);
    std::ranges::copy(source->refpos, mesh->refpos);
    std::ranges::copy(source->refquat, mesh->refquat);
    // Memory that MuJoCo frees has to be its own.
    mjs_setFloat(mesh->uservert, source->vertices.data(),
                 static_cast<int>(source->vertices.size()));
    mjs_setInt(mesh->userface, source->faces.data(), static_cast<int>(source->faces.size()));
    mesh->inertia = mjMESH_INERTIA_SHELL;  // that of an open mesh is no error
    mjsGeom* const geom = mjs_addGeom(mjs_findBody(spec.get(), "world"), nullptr);
    geom->type = mjGEOM_MESH;
    mjs_setString(geom->meshname, source->name.c_str());
    geom->contype = geom->conaffinity = 0;  // needs no convex hull
  }
  ModelPtr model;
  try {
    model.reset(mj_compile(spec.get(), nullptr));
  } catch (const std::runtime_error&) {  // one of its errors, see InstallMujocoLogHandler()
  }
  if (!model) return std::nullopt;
  std::vector<MeshBox> boxes;
  for (int k = 0; k < model->ngeom; ++k) {
    const double* const aabb = model->geom_aabb + 6 * k;
    const Eigen::Isometry3d pose = PoseFrom(model->geom_pos + 3 * k, model->geom_quat + 4 * k);
    boxes.push_back({pose * Eigen::Translation3d(aabb[0], aabb[1], aabb[2]),
                     Eigen::Vector3d(aabb[3], aabb[4], aabb[5])});
  }
  return boxes;
}

/// Boxes by name; without meshes that MuJoCo does not read.
std::map<std::string, MeshBox> BoxesByName(const std::map<std::string, const MeshSource*>& meshes) {
  std::map<std::string, MeshBox> boxes;
  std::vector<const MeshSource*> all;
  for (const auto& [name, source] : meshes) all.push_back(source);
  if (const auto read = BoxesOf(all)) {
    for (std::size_t k = 0; k < all.size(); ++k) boxes.emplace(all[k]->name, read->at(k));
    return boxes;
  }
  for (const MeshSource* one : all) {
    if (const auto read = BoxesOf({one})) boxes.emplace(one->name, read->front());
  }
  return boxes;
}

}  // namespace

std::vector<BodyGeom> GeomsOf(const mjSpec* spec) {
  const std::map<std::string, MeshSource> meshes = MeshesOf(spec);
  std::vector<std::pair<BodyGeom, bool>> shapes;  // and whether they collide
  std::set<const mjsElement*> colliding;
  for (mjsElement* element : Elements(spec, mjOBJ_GEOM)) {
    mjsBody* const body = mjs_getParent(element);
    if (body == mjs_findBody(spec, "world")) continue;
    std::optional<BodyGeom> geom = ShapeOf(element, body, meshes);
    if (!geom) continue;
    const bool collides =
        mjs_asGeom(element)->contype != 0 || mjs_asGeom(element)->conaffinity != 0;
    if (collides) colliding.insert(geom->body);
    shapes.emplace_back(*std::move(geom), collides);
  }
  std::vector<BodyGeom> geoms;
  for (auto& [geom, collides] : shapes) {
    if (collides || !colliding.contains(geom.body)) geoms.push_back(std::move(geom));
  }
  return geoms;
}

void ReadMeshBoxes(std::vector<BodyGeom>& geoms) {
  std::map<std::string, const MeshSource*> meshes;
  for (const BodyGeom& geom : geoms) {
    if (!geom.mesh) continue;
    std::error_code ignored;
    const std::filesystem::path& file = geom.mesh->file;
    if (file.empty() || std::filesystem::is_regular_file(file, ignored)) {
      meshes.emplace(geom.mesh->name, &*geom.mesh);
    }
  }
  const std::map<std::string, MeshBox> boxes =
      meshes.empty() ? std::map<std::string, MeshBox>() : BoxesByName(meshes);
  std::erase_if(
      geoms, [&](const BodyGeom& geom) { return geom.mesh && !boxes.contains(geom.mesh->name); });
  for (BodyGeom& geom : geoms) {
    if (!geom.mesh) continue;
    const MeshBox& box = boxes.at(geom.mesh->name);
    geom.size = box.size;
    geom.p_BG_B += geom.R_BG * box.pose.translation();
    geom.R_BG = geom.R_BG * box.pose.linear();
  }
}

}  // namespace idbench
