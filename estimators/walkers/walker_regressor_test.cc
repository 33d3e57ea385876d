#include "estimators/walkers/walker_regressor.h"

#include <doctest/doctest.h>

#include <cmath>

#include "estimators/synthetic_walker_test.h"

namespace idbench {
namespace {

/// Numbers in [−1, 1] without a pattern.
Eigen::MatrixXd Uniform(Eigen::Index rows, Eigen::Index cols, double seed) {
  return Eigen::MatrixXd::NullaryExpr(rows, cols, [seed](Eigen::Index i, Eigen::Index j) {
    return std::sin(seed + 12.9898 * static_cast<double>(i + 1) + 78.233 * static_cast<double>(j));
  });
}

struct SampledMotion {
  Eigen::MatrixXd q, qd, qdd;
  explicit SampledMotion(Eigen::Index n)
      : q(3.0 * Uniform(n, 20, 0.1)),
        qd(4.0 * Uniform(n, 20, 0.2)),
        qdd(20.0 * Uniform(n, 20, 0.3)) {}
  AbsoluteAngle Angle(Eigen::Index k) const {
    return AbsoluteAngle::Of(q(0, k), qd(0, k), qdd(0, k));
  }
};

/// The walkers of this folder, and one with every kind of friction and an axis turned over.
std::vector<PlanarLagrangian> Models() {
  const SyntheticWalker biped = SyntheticWalker::Biped(), leg = SyntheticWalker::Leg();
  std::vector<Link> links = biped.problem.model.links();
  for (Link& link : links) link.axis = -link.axis;
  const RobotModel reversed("reversed", "ground", links, {0.0, 0.0, -9.81},
                            biped.problem.model.limits());
  const ParameterLayout layout(3);
  Eigen::VectorXd pi = Eigen::VectorXd::Zero(layout.size());
  for (int i = 0; i < 3; ++i) {
    pi.segment<kInertialCount>(layout.Body(i)) =
        ToStandard({5.0, {0.0, 0.0, 0.4}, 0.2 * Eigen::Matrix3d::Identity()});
  }
  return {*biped.problem.parameters.lagrangian(), *leg.problem.parameters.lagrangian(),
          PlanarLagrangian(reversed, pi,
                           {JointParameter::kViscous, JointParameter::kCoulomb,
                            JointParameter::kOffset, JointParameter::kRotorInertia},
                           {.coulomb_width_rad_s = 0.7})};
}

TEST_CASE("Rows are those of the Lagrangian model, multiplied from the left") {
  for (const PlanarLagrangian& model : Models()) {
    const SampledMotion motion(model.dofs());
    const Eigen::MatrixXd F = Uniform(2, model.dofs(), 0.5);
    const WalkerRegressor regressor(model, F, motion.q, motion.qd, motion.qdd);
    REQUIRE(regressor.rows() == 2);
    Eigen::MatrixXd Z(model.dofs(), model.size());
    WalkerRegressor::RowMajor rows(2, model.size());
    for (Eigen::Index k = 0; k < 20; ++k) {
      model.Rows(motion.q.col(k), motion.qd.col(k), motion.qdd.col(k), Z);
      regressor.Rows(k, motion.Angle(k), rows);
      CHECK((rows - F * Z).cwiseAbs().maxCoeff() < 1e-13 * Z.cwiseAbs().maxCoeff());
    }
  }
}

TEST_CASE("Derivatives are those of the rows, one by one") {
  for (const PlanarLagrangian& model : Models()) {
    const SampledMotion motion(model.dofs());
    const Eigen::Index n = model.dofs();
    const Eigen::MatrixXd F = Eigen::MatrixXd::Identity(n, n);
    const WalkerRegressor regressor(model, F, motion.q, motion.qd, motion.qdd);
    const Eigen::VectorXd beta = Uniform(model.size(), 1, 0.9);
    Eigen::MatrixXd derivatives(n, 4);
    WalkerRegressor::RowMajor rows(n, model.size());
    for (Eigen::Index k = 0; k < 20; ++k) {
      regressor.Derivatives(k, motion.Angle(k), beta, derivatives);
      double AbsoluteAngle::*const members[] = {&AbsoluteAngle::sine, &AbsoluteAngle::cosine,
                                                &AbsoluteAngle::rate, &AbsoluteAngle::acceleration};
      for (int c = 0; c < 4; ++c) {
        const auto torque = [&](double by) -> Eigen::VectorXd {
          AbsoluteAngle angle = motion.Angle(k);
          angle.*members[c] += by;
          regressor.Rows(k, angle, rows);
          return rows * beta;
        };
        const Eigen::VectorXd expected = (torque(1e-5) - torque(-1e-5)) / 2e-5;
        // Truncated at h²/6 of Coulomb friction's third derivative, up to 2/0.05³.
        CHECK((derivatives.col(c) - expected).cwiseAbs().maxCoeff() < 5e-7);
      }
    }
  }
}

TEST_CASE("Sine and cosine need not be those of an angle: rows are linear in them") {
  const SyntheticWalker leg = SyntheticWalker::Leg();
  const PlanarLagrangian& model = *leg.problem.parameters.lagrangian();
  const SampledMotion motion(2);
  const WalkerRegressor regressor(model, Eigen::Matrix2d::Identity(), motion.q, motion.qd,
                                  motion.qdd);
  WalkerRegressor::RowMajor once(2, model.size()), twice(2, model.size());
  regressor.Rows(3, {0.3, 0.4, 0.0, 0.0}, once);
  regressor.Rows(3, {0.6, 0.8, 0.0, 0.0}, twice);
  const auto gravity = [&](const WalkerRegressor::RowMajor& rows) -> Eigen::MatrixXd {
    return rows.middleCols(model.FirstGravity(), 2);
  };
  CHECK(gravity(twice).isApprox(2.0 * gravity(once), 1e-15));
}

}  // namespace
}  // namespace idbench
