#include "estimators/observers/force_kalman.h"

#include <doctest/doctest.h>

#include <Eigen/LU>
#include <cmath>

#include "estimators/observers/model_residual.h"
#include "estimators/observers/observers_test.h"
#include "robots/dynamics/kinematics.h"

namespace idbench {
namespace {

Dataset Held(const Synthetic& robot, Eigen::Index samples) {
  return Pushed(robot, robot.Record("w", samples, NoiseOf(7), 1, Role::kApplication), [](double t) {
    return t < 1.0 ? Eigen::Vector3d::Zero() : Eigen::Vector3d(3.0, 10.0, -5.0);
  });
}

/// The filter as textbooks have it, all rows at once, with declared σ.
Eigen::MatrixXd Textbook(const Synthetic& robot, const Dataset& watched, double walk,
                         double start) {
  const std::vector<EquationRows> rows = EquationsWithModel(robot.problem);
  const ModelResidual residual = ResidualOf(robot.problem, robot.pi, watched, rows);
  const Eigen::MatrixXd R = NoiseOf(7).array().square().matrix().asDiagonal();
  const EndEffector& E = robot.model.end_effector();
  Eigen::Vector3d f = Eigen::Vector3d::Zero();
  Eigen::Matrix3d P = start * start * Eigen::Matrix3d::Identity();
  Eigen::MatrixXd force(residual.r.rows(), 3);
  for (Eigen::Index k = 0; k < force.rows(); ++k) {
    if (k > 0) {
      P +=
          walk * walk * (residual.time_s[k] - residual.time_s[k - 1]) * Eigen::Matrix3d::Identity();
    }
    if (residual.r.row(k).allFinite()) {
      const Eigen::MatrixXd H =
          -PointJacobian(robot.model, residual.q.row(k).transpose(), E.link, E.p_LE_L)
               .topRows(3)
               .transpose();
      const Eigen::MatrixXd S = H * P * H.transpose() + R;
      const Eigen::MatrixXd K = P * H.transpose() * S.inverse();
      f += K * (residual.r.row(k).transpose() - H * f);
      P = (Eigen::Matrix3d::Identity() - K * H) * P;
    }
    force.row(k) = f.transpose();
  }
  return force;
}

TEST_CASE("The Kalman filter of the force is that of the textbook") {
  const Synthetic robot = ArmOf("barrett_wam7");
  const Dataset watched = WithChannel(Held(robot, 300), kJointTorque,
                                      [](Eigen::MatrixXd& tau) { tau(120, 4) = std::nan(""); });
  const auto observer =
      MakeObserverOf("force_kalman", R"({"walk_n_sqrt_s": 15, "start_std_n": 4})");
  const Eigen::MatrixXd force = ValuesOf(Observe(*observer, robot, {}, watched), kExternalForce);
  // Round-off: the same sums in another order.
  CHECK((force - Textbook(robot, watched, 15.0, 4.0)).cwiseAbs().maxCoeff() < 1e-9);
}

TEST_CASE("A force that stays is found better than from single samples") {
  const Synthetic robot = ArmOf("barrett_wam7");
  const std::vector<Dataset> training = {robot.Record("a", 600, NoiseOf(7))};
  const Dataset watched = Held(robot, 400);
  const Eigen::RowVector3d f(3.0, 10.0, -5.0);
  const auto error = [&](std::string_view type, std::string_view options) {
    const auto observer = MakeObserverOf(type, options);
    const Eigen::MatrixXd force =
        ValuesOf(Observe(*observer, robot, training, watched), kExternalForce);
    double sum = 0.0, count = 0.0;
    for (Eigen::Index k = 200; k < 400; ++k) {
      if (!force.row(k).allFinite()) continue;
      sum += (force.row(k) - f).squaredNorm();
      count += 1.0;
    }
    return std::sqrt(sum / count);
  };
  for (const char* shape : {"diagonal", "full"}) {
    const std::string covariance = R"("covariance": ")" + std::string(shape) + R"(")";
    CHECK(error("force_kalman", R"({"walk_n_sqrt_s": 2, )" + covariance + "}") <
          0.5 * error("end_effector_force", "{" + covariance + "}"));
  }
}

TEST_CASE("A force that cannot change is a mean") {
  const Synthetic robot = ArmOf("barrett_wam7");
  const Dataset watched = Pushed(robot, robot.Record("w", 200, {}, 1, Role::kApplication),
                                 [](double) { return Eigen::Vector3d(1.0, 2.0, 3.0); });
  const auto observer =
      MakeObserverOf("force_kalman", R"({"walk_n_sqrt_s": 0, "start_std_n": 1e4})");
  const Eigen::MatrixXd force = ValuesOf(Observe(*observer, robot, {}, watched), kExternalForce);
  // The start counts as one noisy sample of 1e4 N does: 1e-8 of a force of some N.
  CHECK((force.row(199) - Eigen::RowVector3d(1.0, 2.0, 3.0)).norm() < 1e-6);
}

}  // namespace
}  // namespace idbench
