#include "robots/dynamics/end_effector_wrench.h"

#include <doctest/doctest.h>

#include <Eigen/LU>
#include <Eigen/SVD>
#include <cmath>
#include <vector>

#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/robot.h"

namespace idbench {
namespace {

/// A pose of the WAM with a bent elbow and wrist.
Eigen::VectorXd BentWam() {
  return (Eigen::VectorXd(7) << 0.2, 0.7, -0.3, 1.4, 0.4, 0.8, 0.1).finished();
}

/// Fixed states of the WAM about that pose, whose configurations are not singular.
FixedStates BentStates(const RobotModel& model, Eigen::Index count) {
  FixedStates states = MakeFixedStates(model, count, 5);
  states.q = (0.12 * states.q).rowwise() + BentWam().transpose();
  return states;
}

Eigen::MatrixXd EndEffectorJacobian(const RobotModel& model, const Eigen::VectorXd& q) {
  return PointJacobian(model, q, model.end_effector().link, model.end_effector().p_LE_L);
}

TEST_CASE("A wrench at the end effector that makes the joint torques is found again") {
  RobotModel model = LoadRobot("barrett_wam7").model;
  model.SetEndEffector({6, {0.01, -0.02, 0.1}});
  EndEffectorWrench map(model);
  Eigen::MatrixXd T(6, 7);
  CHECK(map.Map(BentWam(), T) > EndEffectorWrench::kLeastCondition);
  const Eigen::VectorXd wrench = (Eigen::VectorXd(6) << 3, -4, 5, 0.2, 0.3, -0.1).finished();
  const Eigen::VectorXd tau = EndEffectorJacobian(model, BentWam()).transpose() * wrench;
  CHECK((T * tau - wrench).norm() < 1e-12 * wrench.norm());  // round-off, condition about 10
}

TEST_CASE("Torques that no wrench makes are met in the least-squares sense") {
  const RobotModel model = LoadRobot("kuka_lwr4").model;
  const Eigen::VectorXd q = BentWam();
  EndEffectorWrench map(model);
  Eigen::MatrixXd T(6, 7);
  map.Map(q, T);
  const Eigen::MatrixXd Jt = EndEffectorJacobian(model, q).transpose();
  const Eigen::VectorXd tau = Eigen::VectorXd::LinSpaced(7, -2.0, 3.0);
  const Eigen::VectorXd expected =
      Jt.jacobiSvd(Eigen::ComputeThinU | Eigen::ComputeThinV).solve(tau);
  CHECK((T * tau - expected).norm() < 1e-11 * expected.norm());  // normal equations: condition²
}

TEST_CASE("The condition depends neither on the unit of length nor on the base's pose") {
  const Eigen::MatrixXd J = EndEffectorJacobian(LoadRobot("barrett_wam7").model, BentWam());
  Eigen::MatrixXd T(6, 7), in_mm(6, 7);
  Eigen::MatrixXd J_mm = J;
  J_mm.topRows<3>() *= 1000.0;
  const double condition = WrenchFromTorque(J, T);
  CHECK(WrenchFromTorque(J_mm, in_mm) == doctest::Approx(condition).epsilon(1e-12));
  in_mm.topRows<3>() *= 1000.0;  // N·m/mm are kN
  CHECK((T - in_mm).norm() < 1e-11 * T.norm());
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd([&] {
    Eigen::MatrixXd scaled = J;
    scaled.topRows<3>() /= J.topRows<3>().colwise().norm().maxCoeff();
    return scaled;
  }());
  CHECK(condition ==
        doctest::Approx(svd.singularValues()[5] / svd.singularValues()[0]).epsilon(1e-10));
}

TEST_CASE("Near a stretched arm, and for fewer than six joints, there is no wrench") {
  const RobotModel wam = LoadRobot("barrett_wam7").model;
  Eigen::MatrixXd T(6, 7);
  EndEffectorWrench map(wam);
  Eigen::VectorXd q = BentWam();
  q[5] = 0.0;  // axes 5 and 7 coincide; with q5 = π/2 joint 6 moves nothing that others do not
  q[4] = std::acos(-1.0) / 2.0;
  CHECK(map.Map(q, T) < 1e-6);
  CHECK(T.array().isNaN().all());

  const RobotModel planar = LoadRobot("planar2").model;
  Eigen::MatrixXd T2(6, 2);
  CHECK(EndEffectorWrench(planar).Map(Eigen::Vector2d(0.3, 0.8), T2) == 0.0);
  CHECK(T2.array().isNaN().all());
}

TEST_CASE("In a singular configuration a sensor reads the least wrench that comes nearest") {
  const RobotModel wam = LoadRobot("barrett_wam7").model;
  Eigen::VectorXd q = BentWam();
  q[5] = 0.0;
  q[4] = std::acos(-1.0) / 2.0;
  Eigen::MatrixXd J = EndEffectorJacobian(wam, q), T(6, 7);
  CHECK(WrenchFromTorque(J, T) < 1e-6);
  Eigen::JacobiSVD<Eigen::MatrixXd> svd(J.transpose(), Eigen::ComputeThinU | Eigen::ComputeThinV);
  svd.setThreshold(1e-6);
  REQUIRE(svd.rank() == 5);
  const Eigen::VectorXd tau = Eigen::VectorXd::LinSpaced(7, -2.0, 3.0);
  // The least of the scaled wrenches is another than that of the wrenches: they move the arm alike.
  CHECK((J.transpose() * (T * tau) - J.transpose() * svd.solve(tau)).norm() < 1e-9 * tau.norm());
}

TEST_CASE("Rows at the end effector times π are T·τ, in batches and one by one to the same bits") {
  const RobotModel model = LoadRobot("barrett_wam7").model;
  const Dynamics dynamics(model, FrictionShape{0.3});
  Dynamics::Scratch scratch(dynamics);
  const std::vector<int> columns = ConsideredParameters(
      model, {Equation::kTorque}, {JointParameter::kViscous, JointParameter::kCoulomb});
  const RowRegressor rows(dynamics, {Equation::kTorque, Equation::kEndEffector}, columns);
  REQUIRE(rows.row_count() == 13);
  Eigen::VectorXd pi = Eigen::VectorXd::Zero(dynamics.layout().size());
  for (const int k : columns) pi[k] = std::sin(1.0 + 2.3 * k);
  const FixedStates states = BentStates(model, 21);  // two packs and a remainder
  std::vector<Eigen::MatrixXd> W;
  rows.Dense(states.samples(), scratch, W);
  Eigen::MatrixXd tau(21, 7), wrench(21, 6), T(6, 7), single(13, rows.column_count());
  dynamics.InverseDynamics(pi, states.samples(), scratch, tau);
  dynamics.Predict(Equation::kEndEffector, pi, states.samples(), scratch, wrench);
  EndEffectorWrench map(model);
  for (Eigen::Index k = 0; k < 21; ++k) {
    REQUIRE(map.Map(states.q.row(k).transpose(), T) > EndEffectorWrench::kLeastCondition);
    const Eigen::VectorXd expected = T * tau.row(k).transpose();
    CHECK((wrench.row(k).transpose() - expected).norm() < 1e-12 * expected.norm());  // round-off
    rows.Single(states.q.row(k).transpose(), states.qd.row(k).transpose(),
                states.qdd.row(k).transpose(), scratch, single);
    for (int r = 0; r < 13; ++r) {
      const std::vector<int>& own = rows.ColumnsOf(r);
      const Eigen::VectorXd row = W[static_cast<std::size_t>(r)].row(k);
      CHECK(row == Eigen::VectorXd(single.row(r).transpose()(own)));
      if (r < 7) continue;
      std::vector<int> indices;
      for (const int c : own) indices.push_back(columns[static_cast<std::size_t>(c)]);
      CHECK(row.dot(pi(indices)) == doctest::Approx(expected[r - 7]).epsilon(1e-9));
    }
  }
}

TEST_CASE("The Gram matrices of rows at the end effector are those of the dense rows") {
  const RobotModel model = LoadRobot("barrett_wam7").model;
  const Dynamics dynamics(model);
  Dynamics::Scratch scratch(dynamics);
  const std::vector<int> columns = ConsideredParameters(model, {Equation::kTorque}, {});
  const RowRegressor rows(dynamics, {Equation::kEndEffector}, columns);
  const FixedStates states = BentStates(model, 300);  // more than are evaluated at once
  const Eigen::MatrixXd y = Eigen::MatrixXd::Constant(300, 6, 0.7);
  std::vector<Eigen::MatrixXd> W, grams;
  rows.Dense(states.samples(), scratch, W);
  rows.Gram(states.samples(), y, scratch, grams);
  for (std::size_t r = 0; r < 6; ++r) {
    Eigen::MatrixXd all(300, W[r].cols() + 1);
    all << W[r], y.col(static_cast<Eigen::Index>(r));
    CHECK((grams[r] - all.transpose() * all).norm() < 1e-12 * grams[r].norm());  // summation order
  }
}

TEST_CASE("Over many poses the wrench at the end effector tells apart what joint torques do") {
  const RobotModel model = LoadRobot("barrett_wam7").model;
  const Dynamics dynamics(model);
  Dynamics::Scratch scratch(dynamics);
  const std::vector<PlacedEquation> equations = {Equation::kEndEffector};
  const std::vector<int> columns = ConsideredParameters(model, equations, {});
  const BaseParameters base = FindBaseParameters(model, equations, columns);
  CHECK(base.size() == 43);
  const RowRegressor rows(dynamics, equations, base.independent);
  const FixedStates states = BentStates(model, 400);
  std::vector<Eigen::MatrixXd> W;
  rows.Dense(states.samples(), scratch, W);
  Eigen::MatrixXd stacked = Eigen::MatrixXd::Zero(2400, 43);
  for (std::size_t r = 0; r < 6; ++r) {
    stacked.middleRows(400 * static_cast<Eigen::Index>(r), 400)(
        Eigen::all, rows.ColumnsOf(static_cast<int>(r))) = W[r];
  }
  stacked = (stacked * stacked.colwise().norm().cwiseInverse().asDiagonal()).eval();
  const Eigen::VectorXd values = stacked.jacobiSvd().singularValues();
  CHECK(values[42] > 1e-4 * values[0]);  // of full rank, far above round-off
}

}  // namespace
}  // namespace idbench
