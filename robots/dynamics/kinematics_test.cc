#include "robots/dynamics/kinematics.h"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/mujoco_reference_test.h"
#include "robots/robot.h"

namespace idbench {
namespace {

const Eigen::Vector3d kPoint(0.1, -0.2, 0.3);

TEST_CASE("Poses agree with MuJoCo's for every robot and an odd tree") {
  for (MujocoReference& reference : AllReferences()) {
    const RobotModel& model = reference.tree.model;
    const FixedStates states = MakeFixedStates(model, 5, 21);
    for (Eigen::Index k = 0; k < 5; ++k) {
      reference.SetPositions(states.q.row(k).transpose());
      const std::vector<Pose> poses = ForwardKinematics(model, states.q.row(k).transpose());
      REQUIRE(poses.size() == static_cast<std::size_t>(model.dofs()));
      const Eigen::Matrix3d R_WB = reference.Rotation(reference.base_body());
      const Eigen::Vector3d p_WB_W =
          MujocoReference::Vector(reference.data->xpos, reference.base_body());
      for (int i = 0; i < model.dofs(); ++i) {
        if (model.link(i).massless) continue;  // MuJoCo has no such body
        const Pose& pose = poses[static_cast<std::size_t>(i)];
        const int body = reference.BodyOf(i);
        const Eigen::Vector3d p_WL_W = MujocoReference::Vector(reference.data->xpos, body);
        // Round-off over at most eight joints of about a metre.
        CHECK((R_WB * pose.R_BL - reference.Rotation(body)).norm() < 1e-13);
        CHECK((p_WB_W + R_WB * pose.p_BL_B - p_WL_W).norm() < 1e-13);
      }
    }
  }
}

TEST_CASE("The Jacobian of a point agrees with MuJoCo's for every robot and an odd tree") {
  for (MujocoReference& reference : AllReferences()) {
    const RobotModel& model = reference.tree.model;
    const int n = model.dofs();
    const Eigen::VectorXd q = MakeFixedStates(model, 1, 22).q.row(0);
    reference.SetPositions(q);
    const Eigen::Matrix3d R_WB = reference.Rotation(reference.base_body());
    for (int i = 0; i < n; ++i) {
      if (model.link(i).massless) continue;
      const int body = reference.BodyOf(i);
      const Eigen::Vector3d p_WP_W =
          MujocoReference::Vector(reference.data->xpos, body) + reference.Rotation(body) * kPoint;
      Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::RowMajor> v(3, n), w(3, n);
      mj_jac(reference.model.get(), reference.data.get(), v.data(), w.data(), p_WP_W.data(), body);
      const Eigen::MatrixXd J = PointJacobian(model, q, i, kPoint);
      for (int j = 0; j < n; ++j) {
        CHECK((R_WB * J.col(j).head<3>() - v.col(reference.Dof(j))).norm() < 1e-13);  // round-off
        CHECK((R_WB * J.col(j).tail<3>() - w.col(reference.Dof(j))).norm() < 1e-13);
      }
    }
  }
}

TEST_CASE("The Jacobian is the derivative of the pose, massless links included") {
  const MujocoReference reference = MujocoReference::FromText(kOddTree);
  const RobotModel& model = reference.tree.model;
  const Eigen::VectorXd q = MakeFixedStates(model, 1, 23).q.row(0);
  const double step = 1e-6;
  for (int i = 0; i < model.dofs(); ++i) {
    const Eigen::MatrixXd J = PointJacobian(model, q, i, kPoint);
    for (int j = 0; j < model.dofs(); ++j) {
      const Eigen::VectorXd nudge = step * Eigen::VectorXd::Unit(model.dofs(), j);
      const Pose after = ForwardKinematics(model, q + nudge)[static_cast<std::size_t>(i)];
      const Pose before = ForwardKinematics(model, q - nudge)[static_cast<std::size_t>(i)];
      const Eigen::Vector3d v =
          (after.p_BL_B + after.R_BL * kPoint - (before.p_BL_B + before.R_BL * kPoint)) /
          (2.0 * step);
      const Eigen::Matrix3d turn = (after.R_BL - before.R_BL) / (2.0 * step) *
                                   (0.5 * (after.R_BL + before.R_BL)).transpose();
      const Eigen::Vector3d w(turn(2, 1), turn(0, 2), turn(1, 0));
      // Central differences: step² of curvature, and round-off of 1e-16 / step.
      CHECK((J.col(j).head<3>() - v).norm() < 1e-9);
      CHECK((J.col(j).tail<3>() - w).norm() < 1e-9);
    }
  }
}

TEST_CASE("Wrong sizes and links are refused") {
  const RobotModel model = LoadRobot("planar2").model;
  CHECK_THROWS_WITH_AS(static_cast<void>(ForwardKinematics(model, Eigen::VectorXd::Zero(3))),
                       "ForwardKinematics: got 3 joint positions, planar2 has 2 joints",
                       std::invalid_argument);
  for (const int link : {-1, 2}) {
    const std::string message =
        "PointJacobian: got link " + std::to_string(link) + ", planar2 has links 0 to 1";
    CHECK_THROWS_WITH_AS(
        static_cast<void>(PointJacobian(model, Eigen::VectorXd::Zero(2), link, kPoint)),
        message.c_str(), std::invalid_argument);
  }
}

}  // namespace
}  // namespace idbench
