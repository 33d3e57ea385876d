#include "robots/body_geoms.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "robots/mjspec.h"
#include "robots/temporary_folder_test.h"

namespace idbench {
namespace {

/// Geoms of the body of a model with this inside and these assets.
std::vector<BodyGeom> GeomsIn(const TemporaryFolder& folder, const std::string& inside,
                              const std::string& assets = "") {
  const std::string file =
      folder.Write("arm.xml", "<mujoco><asset>" + assets + "</asset><worldbody><body><joint/>" +
                                  inside + "</body></worldbody></mujoco>");
  return ParseModel(file, {}).geoms;
}

TEST_CASE("Geoms keep the sizes and poses that MuJoCo gives them") {
  const TemporaryFolder folder;
  // Degrees, defaults and ends of axes; compiled, in the same order.
  const std::string inside = R"(
      <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
      <geom type="box" size="0.1 0.2 0.3" pos="1 2 3" euler="10 20 30"/>
      <geom type="capsule" size="0.05" fromto="0 0 0.1 0.3 0.4 0.1"/>
      <frame pos="0 0 1" axisangle="1 1 0 40">
        <geom type="cylinder" size="0.05" fromto="0 0 0 0 0 -0.4"/>
        <frame euler="0 45 0"><geom type="ellipsoid" size="0.1 0.2 0.3" pos="0.1 0 0"/></frame>
      </frame>
      <geom type="box" size="0.05" fromto="0 0 0 0 0.6 0"/>)";
  const std::vector<BodyGeom> geoms = GeomsIn(folder, inside);
  const SpecPtr spec(mj_parseXML((folder / "arm.xml").c_str(), nullptr, nullptr, 0));
  const ModelPtr model = Compile(spec.get(), folder / "arm.xml");
  REQUIRE(geoms.size() == 5);
  REQUIRE(model->ngeom == 5);
  for (int k = 0; k < model->ngeom; ++k) {
    CAPTURE(k);
    const BodyGeom& geom = geoms[static_cast<std::size_t>(k)];
    CHECK(geom.type == model->geom_type[k]);
    const Eigen::Map<const Eigen::Vector3d> pos(model->geom_pos + 3 * k),
        size(model->geom_size + 3 * k);
    CHECK((geom.p_BG_B - pos).norm() < 1e-15);
    CHECK((geom.size - size).norm() < 1e-15);
    double mat[9];
    mju_quat2Mat(mat, model->geom_quat + 4 * k);
    const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> R(mat);
    // What is written by the ends of its axis may be turned about that, and upside down.
    CHECK(geom.R_BG.col(2).cross(R.col(2)).norm() < 1e-14);
    if (k == 0 || k == 3) CHECK((geom.R_BG - R).norm() < 1e-14);
  }
}

TEST_CASE("Planes and what has no size are left out, the model's own geoms stay what they are") {
  const TemporaryFolder folder;
  const std::vector<BodyGeom> geoms =
      GeomsIn(folder, R"(<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
                         <geom type="sphere" size="0"/><geom type="capsule" size="0.1 -1"/>
                         <geom type="sphere" size="0.1"/>)");
  REQUIRE(geoms.size() == 1);
  CHECK(geoms[0].size == Eigen::Vector3d(0.1, 0.0, 0.0));
}

TEST_CASE("Meshes become the boxes around them, and those that cannot be read are left out") {
  const TemporaryFolder folder;
  const std::string cube =
      "v 0 0 0\nv 2 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  folder.Write("cube.obj", cube);
  folder.Write("broken.obj", "no mesh at all");
  const std::string inside = R"(<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
      <geom type="mesh" mesh="cube" pos="0 0 5"/><geom type="mesh" mesh="missing"/>
      <geom type="mesh" mesh="broken"/><geom type="sphere" size="0.1"/>)";
  std::vector<BodyGeom> geoms =
      GeomsIn(folder, inside,
              R"(<mesh file="cube.obj" scale="0.1 0.1 0.1"/><mesh file="missing.obj"/>
                 <mesh file="broken.obj"/>)");
  REQUIRE(geoms.size() == 4);
  ReadMeshBoxes(geoms);
  REQUIRE(geoms.size() == 2);
  const BodyGeom& box = geoms[0];
  CHECK(box.type == mjGEOM_BOX);
  // MuJoCo's boxes lie along the principal axes of the mesh; they hold all of its vertices.
  for (const Eigen::Vector3d& vertex : {Eigen::Vector3d(0, 0, 5), Eigen::Vector3d(0.2, 0, 5),
                                        Eigen::Vector3d(0, 0.1, 5), Eigen::Vector3d(0, 0, 5.1)}) {
    const Eigen::Vector3d p = box.R_BG.transpose() * (vertex - box.p_BG_B);
    CHECK((p.cwiseAbs() - box.size).maxCoeff() < 1e-7);  // vertices are of single precision
  }
  CHECK(box.size.norm() < 0.2);
  CHECK(geoms[1].type == mjGEOM_SPHERE);
}

}  // namespace
}  // namespace idbench
