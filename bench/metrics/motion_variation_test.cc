#include "bench/metrics/motion_variation.h"

#include <doctest/doctest.h>

#include "bench/biped_test.h"

namespace idbench {
namespace {

TEST_CASE("A multiple of all parameters moves the zero dynamics as they are, with more torque") {
  // The first row Z_1·β = 0 holds of every multiple of β, and τ = Z·β is that multiple.
  const OneCell biped(BipedScenario());
  const Eigen::VectorXd beta = biped.true_unknowns();
  const Signals& motion = *biped.data.clean[0];
  VaryMotion(
      *biped.context.problem().parameters.lagrangian(), beta, motion, {0},
      [&](Eigen::Index k, const Eigen::MatrixXd& state, const Eigen::MatrixXd& torque) {
        // Terms of about 1 rad cancel; steps and interpolation of fourth and sixth order in
        // 0.01 s leave 3e-7 of them.
        const auto by_beta = state.leftCols(8);
        CHECK((by_beta * beta).norm() <= 1e-6 * (by_beta.cwiseAbs() * beta).norm());
        CHECK((torque.leftCols(8) * beta - motion[kJointTorque].row(k).transpose()).norm() < 1e-4);
        CHECK(torque.row(0).norm() < 1e-9 * torque.norm());
      });
}

TEST_CASE("The initial state's variation is the identity, and goes on as the motion itself does") {
  // Along an autonomous motion its own velocity is a variation: of the free robot without motors,
  // δx(0) = ẋ(0) becomes ẋ(t).
  OneCell biped(BipedScenario(R"({"experiments": {"identification": {"control": {"actuators": {
      "hip_stance": {"chebyshev_nm": [0]}, "hip_swing": {"chebyshev_nm": [0]}}}}}})"));
  const Signals& motion = *biped.data.clean[0];
  Eigen::VectorXd first(6);
  first << motion[kJointVelocity].row(0).transpose(), motion[kJointAcceleration].row(0).transpose();
  VaryMotion(*biped.context.problem().parameters.lagrangian(), biped.true_unknowns(), motion,
             {0, 1, 2}, [&](Eigen::Index k, const Eigen::MatrixXd& state, const Eigen::MatrixXd&) {
               if (k == 0) CHECK(state.rightCols(6).isIdentity(0.0));
               Eigen::VectorXd velocity(6);
               velocity << motion[kJointVelocity].row(k).transpose(),
                   motion[kJointAcceleration].row(k).transpose();
               // Fourth order in steps of 0.01 s.
               CHECK((state.rightCols(6) * first - velocity).norm() < 1e-4 * velocity.norm());
             });
}

}  // namespace
}  // namespace idbench
