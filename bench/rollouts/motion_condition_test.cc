#include "bench/rollouts/motion_condition.h"

#include <doctest/doctest.h>

#include <Eigen/SVD>
#include <cmath>

#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/robot.h"

namespace idbench {
namespace {

/// q_j = sin((j + 1)·t), for 5 s.
class Sines : public Motion {
 public:
  double duration_s() const override { return 5.0; }
  void Evaluate(double t, JointState& desired) const override {
    for (Eigen::Index j = 0; j < desired.q.size(); ++j) {
      const double w = static_cast<double>(j + 1);
      desired.q[j] = std::sin(w * t);
      desired.qd[j] = w * std::cos(w * t);
      desired.qdd[j] = -w * w * std::sin(w * t);
    }
  }
  void Describe(CanonicalText& text) const override { text.Add("kind", "sines"); }
};

TEST_CASE("A motion that has nothing to show is as good as any other") {
  const Robot robot = LoadRobot("planar2");
  const Dynamics dynamics(robot.model);
  CHECK(MotionCondition(dynamics, RowRegressor(dynamics, {Equation::kTorque}, {}), Sines()) == 1.0);
  CHECK(MotionCondition(dynamics, RowRegressor(dynamics, {}, {10}), Sines()) == 1.0);
}

TEST_CASE("The condition of a motion is that of the stacked, scaled regressor") {
  const Robot robot = LoadRobot("planar2");
  const std::vector<int> columns =
      FindBaseParameters(robot.model, {Equation::kTorque},
                         ConsideredParameters(robot.model, {Equation::kTorque}, {}))
          .independent;
  const Dynamics dynamics(robot.model);
  const RowRegressor rows(dynamics, {Equation::kTorque}, columns);
  const Sines motion;
  JointState state = JointState::Zero(2);
  Eigen::MatrixXd q(256, 2), qd(256, 2), qdd(256, 2);
  for (Eigen::Index k = 0; k < 256; ++k) {
    motion.Evaluate(5.0 * static_cast<double>(k) / 256.0, state);
    q.row(k) = state.q;
    qd.row(k) = state.qd;
    qdd.row(k) = state.qdd;
  }
  Dynamics::Scratch scratch(dynamics);
  std::vector<Eigen::MatrixXd> W;
  rows.Dense({q, qd, qdd}, scratch, W);
  Eigen::MatrixXd stacked = Eigen::MatrixXd::Zero(512, rows.column_count());
  for (int r = 0; r < 2; ++r) {
    for (std::size_t c = 0; c < rows.ColumnsOf(r).size(); ++c) {
      stacked.col(rows.ColumnsOf(r)[c]).segment(256 * r, 256) =
          W[static_cast<std::size_t>(r)].col(static_cast<Eigen::Index>(c));
    }
  }
  stacked.colwise().normalize();
  const Eigen::VectorXd values = Eigen::JacobiSVD<Eigen::MatrixXd>(stacked).singularValues();
  // The Gram matrix squares it: 1e-16 times a condition of some ten, squared.
  CHECK(MotionCondition(dynamics, rows, motion) ==
        doctest::Approx(values[0] / values[values.size() - 1]).epsilon(1e-10));
}

TEST_CASE("A motion on which parameters cannot be told apart has a huge condition or none") {
  const Robot robot = LoadRobot("planar2");
  const Dynamics dynamics(robot.model);
  // Of the 20 standard parameters of two links in a plane many have no effect at all.
  const RowRegressor rows(dynamics, {Equation::kTorque},
                          ConsideredParameters(robot.model, {Equation::kTorque}, {}));
  CHECK_FALSE(MotionCondition(dynamics, rows, Sines()) < 1e6);
}

}  // namespace
}  // namespace idbench
