#include "robots/stick_figure.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/mujoco_reference_test.h"
#include "robots/temporary_folder_test.h"

namespace idbench {
namespace {

Robot RobotOf(const MujocoReference& reference) {
  Robot robot;
  robot.model = reference.tree.model;
  robot.bodies = reference.tree.bodies;
  return robot;
}

TEST_CASE("Points of joints lie on MuJoCo's anchors for every robot and an odd tree") {
  for (MujocoReference& reference : AllReferences()) {
    const Robot robot = RobotOf(reference);
    const RobotModel& model = robot.model;
    CAPTURE(model.name());
    StickFigure figure(robot);
    const FixedStates states = MakeFixedStates(model, 5, 31);
    for (Eigen::Index k = 0; k < 5; ++k) {
      const Eigen::VectorXd q = states.q.row(k);
      reference.SetPositions(q);
      const Eigen::Matrix3d R_WB = reference.Rotation(reference.base_body());
      const Eigen::Vector3d p_WB_W =
          MujocoReference::Vector(reference.data->xpos, reference.base_body());
      const Eigen::MatrixX3d& points = figure.At(q);
      for (int i = 0; i < model.dofs(); ++i) {
        const int joint = reference.Joint(i);
        Eigen::Vector3d p_WP_W = MujocoReference::Vector(reference.data->xanchor, joint);
        // MuJoCo's anchor of a slide stays behind, the point moves with the link.
        if (model.link(i).type == JointType::kPrismatic) {
          p_WP_W += (q[i] - model.link(i).reference) *
                    MujocoReference::Vector(reference.data->xaxis, joint);
        }
        // Round-off over at most eight joints of about a metre.
        CHECK((p_WB_W + R_WB * points.row(i).transpose() - p_WP_W).norm() < 1e-13);
      }
    }
  }
}

TEST_CASE("Each branch of a tree has an end: what lies farthest from its last joint") {
  MujocoReference reference = MujocoReference::FromText(kOddTree);
  const TemporaryFolder folder;
  const Robot robot = LoadRobot(folder.Write("odd.xml", std::string(kOddTree)));
  StickFigure figure(robot);
  const int n = robot.model.dofs();
  const std::vector<std::string> ends(figure.names().begin() + n, figure.names().end());
  // e has the end effector, the origin of the last link, 2 cm from its joint.
  CHECK(ends == std::vector<std::string>{"end effector", "c, centre of mass", "d, centre of mass"});
  const Eigen::VectorXd q = MakeFixedStates(robot.model, 1, 32).q.row(0);
  reference.SetPositions(q);
  const Eigen::Matrix3d R_WB = reference.Rotation(reference.base_body());
  const Eigen::Vector3d p_WB_W =
      MujocoReference::Vector(reference.data->xpos, reference.base_body());
  const Eigen::MatrixX3d& points = figure.At(q);
  for (int i = 0; i < n; ++i) CHECK(figure.parents()[i] == robot.model.link(i).parent);
  for (std::size_t k = 0; k < ends.size(); ++k) {
    const int link = figure.parents()[n + k];
    CHECK(robot.model.subtree_size(link) == 1);
    const mjtNum* const places = k == 0 ? reference.data->xpos : reference.data->xipos;
    const Eigen::Vector3d p_WP_W = MujocoReference::Vector(places, reference.BodyOf(link));
    const Eigen::Vector3d point = points.row(n + static_cast<Eigen::Index>(k));
    CHECK((p_WB_W + R_WB * point - p_WP_W).norm() < 1e-13);  // round-off
  }
}

TEST_CASE("A body fused into the last link is its end if it lies farther than any mass") {
  const TemporaryFolder folder;
  Robot robot = LoadRobot(folder.Write("arm.urdf", R"(<robot name="arm"><link name="ground"/>
    <link name="arm"><inertial><origin xyz="0 0 0.2"/><mass value="1"/>
      <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <link name="flange"/>
    <joint name="turn" type="revolute"><parent link="ground"/><child link="arm"/>
      <origin xyz="0 0 1"/><axis xyz="0 1 0"/>
      <limit lower="-2" upper="2" effort="50" velocity="5"/></joint>
    <joint name="fixed" type="fixed"><parent link="arm"/><child link="flange"/>
      <origin xyz="0 0 0.5"/></joint></robot>)"));
  const Eigen::VectorXd level = Eigen::VectorXd::Constant(1, std::acos(0.0));
  StickFigure figure(robot);
  CHECK(figure.names() == std::vector<std::string>{"arm", "flange"});
  CHECK(figure.parents() == std::vector<int>{-1, 0});
  CHECK((figure.At(level).row(0) - Eigen::RowVector3d(0, 0, 1)).norm() < 1e-15);
  CHECK((figure.At(level).row(1) - Eigen::RowVector3d(0.5, 0, 1)).norm() < 1e-15);
  robot.model.SetEndEffector({0, {0.0, 0.3, 0.0}});
  StickFigure told(robot);
  CHECK(told.names() == std::vector<std::string>{"arm", "end effector"});
  CHECK((told.At(level).row(1) - Eigen::RowVector3d(0, 0.3, 1)).norm() < 1e-15);
}

TEST_CASE("A link whose bodies tell of no other point ends at its joint") {
  Robot robot = LoadRobot("planar2");
  robot.bodies.clear();
  CHECK(StickFigure(robot).names().size() == 2);
}

}  // namespace
}  // namespace idbench
