#include "robots/dynamics/rows.h"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "robots/dynamics/equations_test.h"
#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/mujoco_reference_test.h"
#include "robots/robot.h"

namespace idbench {
namespace {

std::vector<int> AllColumns(const RobotModel& model) {
  return ConsideredParameters(model, kBoth, kAllJointParameters);
}

/// Measured values without any pattern that matters.
Eigen::MatrixXd Measured(Eigen::Index samples, int rows) {
  Eigen::MatrixXd y(samples, rows);
  for (Eigen::Index k = 0; k < y.size(); ++k) {
    y.data()[k] = 10.0 * std::sin(0.1 + 1.7 * static_cast<double>(k));
  }
  return y;
}

TEST_CASE("The dense rows times π are the joint torques and the base wrench") {
  const MujocoReference odd = MujocoReference::FromText(kOddTree);
  for (const RobotModel& model : {LoadRobot("barrett_wam7").model, odd.tree.model}) {
    const int n = model.dofs();
    FrictionShape friction;  // a width of each joint
    for (int i = 0; i < n; ++i) friction.own_widths_rad_s.push_back(0.1 * i);
    const Dynamics dynamics(model, friction);
    Dynamics::Scratch scratch(dynamics);
    const std::vector<int> columns = AllColumns(model);
    Eigen::VectorXd pi = Eigen::VectorXd::Zero(dynamics.layout().size());
    for (const int k : columns) pi[k] = std::sin(1.0 + 2.3 * k);
    for (const Eigen::Index count : {1, 8, 13}) {
      const FixedStates states = MakeFixedStates(model, count, 31);
      Eigen::MatrixXd expected(count, n + 6);
      Eigen::MatrixXd tau(count, n), wrench(count, 6);
      dynamics.InverseDynamics(pi, states.samples(), scratch, tau);
      dynamics.BaseWrench(pi, states.samples(), scratch, wrench);
      expected << tau, wrench;

      const RowRegressor rows(dynamics, kBoth, columns);
      REQUIRE(rows.row_count() == n + 6);
      REQUIRE(rows.column_count() == static_cast<int>(columns.size()));
      std::vector<Eigen::MatrixXd> W;
      rows.Dense(states.samples(), scratch, W);
      REQUIRE(W.size() == static_cast<std::size_t>(n + 6));
      for (int r = 0; r < n + 6; ++r) {
        const Eigen::MatrixXd& row = W[static_cast<std::size_t>(r)];
        REQUIRE(row.rows() == count);
        REQUIRE(row.cols() == static_cast<Eigen::Index>(rows.ColumnsOf(r).size()));
        Eigen::VectorXd predicted = Eigen::VectorXd::Zero(count);
        for (Eigen::Index c = 0; c < row.cols(); ++c) {
          const int position = rows.ColumnsOf(r)[static_cast<std::size_t>(c)];
          predicted += row.col(c) * pi[columns[static_cast<std::size_t>(position)]];
        }
        // Round-off of sums of 150 terms, relative to the greatest torque or force.
        CHECK((predicted - expected.col(r)).norm() < 1e-12 * expected.norm());
      }
    }
  }
}

TEST_CASE("A row holds the links that its joint carries and its own joint's parameters") {
  const RobotModel model = LoadRobot("planar2").model;
  const Dynamics dynamics(model);
  const ParameterLayout layout(2);
  // link1.Iyy, link2.m, link2.Iyy, joint1.fv, joint2.fc
  const std::vector<int> columns = {layout.Body(0) + 6, layout.Body(1), layout.Body(1) + 6,
                                    layout.Joint(0, JointParameter::kViscous),
                                    layout.Joint(1, JointParameter::kCoulomb)};
  const RowRegressor rows(dynamics, kBoth, columns);
  REQUIRE(rows.row_count() == 8);
  CHECK(rows.ColumnsOf(0) == std::vector<int>{0, 1, 2, 3});
  CHECK(rows.ColumnsOf(1) == std::vector<int>{1, 2, 4});
  for (int r = 2; r < 8; ++r) CHECK(rows.ColumnsOf(r) == std::vector<int>{0, 1, 2});

  CHECK(RowRegressor(dynamics, {Equation::kWrench}, columns).row_count() == 6);
  CHECK(RowRegressor(dynamics, {Equation::kTorque}, columns).row_count() == 2);
}

TEST_CASE("A single sample has the bits of the dense rows, with zeros between them") {
  const MujocoReference odd = MujocoReference::FromText(kOddTree);
  for (const RobotModel& model : {LoadRobot("barrett_wam7").model, odd.tree.model}) {
    const Dynamics dynamics(model, FrictionShape{0.3});
    Dynamics::Scratch scratch(dynamics);
    const FixedStates states = MakeFixedStates(model, 11, 35);
    std::vector<int> columns = AllColumns(model);
    // Not all of them, so that columns are left out at the ends of rows and between.
    std::erase_if(columns, [](int k) { return k % 7 == 3; });
    for (const std::vector<PlacedEquation>& equations :
         {kBoth, std::vector<PlacedEquation>{Equation::kTorque},
          std::vector<PlacedEquation>{Equation::kWrench}}) {
      const RowRegressor rows(dynamics, equations, columns);
      std::vector<Eigen::MatrixXd> dense;
      rows.Dense(states.samples(), scratch, dense);
      // A block of a larger matrix, whose other entries stay.
      Eigen::MatrixXd larger =
          Eigen::MatrixXd::Constant(rows.row_count() + 2, rows.column_count() + 1, -7.0);
      for (Eigen::Index k = 0; k < 11; ++k) {
        rows.Single(states.q.row(k).transpose(), states.qd.row(k).transpose(),
                    states.qdd.row(k).transpose(), scratch,
                    larger.topLeftCorner(rows.row_count(), rows.column_count()));
        Eigen::MatrixXd expected = Eigen::MatrixXd::Constant(larger.rows(), larger.cols(), -7.0);
        expected.topLeftCorner(rows.row_count(), rows.column_count()).setZero();
        for (int r = 0; r < rows.row_count(); ++r) {
          expected(r, rows.ColumnsOf(r)) = dense[static_cast<std::size_t>(r)].row(k);
        }
        CHECK(larger == expected);
      }
    }
  }
}

TEST_CASE("Friction, offset and rotor columns are s(q̇), q̇, 1 and q̈") {
  const RobotModel model = LoadRobot("planar1").model;
  const Dynamics dynamics(model);
  Dynamics::Scratch scratch(dynamics);
  const ParameterLayout layout(1);
  std::vector<int> columns;
  for (const JointParameter which : kAllJointParameters) columns.push_back(layout.Joint(0, which));
  FixedStates states = MakeFixedStates(model, 11, 32);
  states.qd(3, 0) = 0.0;
  std::vector<Eigen::MatrixXd> W;
  RowRegressor(dynamics, {Equation::kTorque}, columns).Dense(states.samples(), scratch, W);
  REQUIRE(W.size() == 1);
  CHECK(W[0].col(0) == states.qd.col(0));
  CHECK(W[0].col(1) == states.qd.col(0).cwiseSign());
  CHECK(W[0](3, 1) == 0.0);
  CHECK(W[0].col(2) == Eigen::VectorXd::Ones(11));
  CHECK(W[0].col(3) == states.qdd.col(0));
}

TEST_CASE(
    "Gram matrices are those of the dense rows with y beside them, for any number of samples") {
  const RobotModel model = LoadRobot("barrett_wam7").model;
  const Dynamics dynamics(model, FrictionShape{0.3});
  Dynamics::Scratch scratch(dynamics);
  const RowRegressor rows(dynamics, kBoth, AllColumns(model));
  for (const Eigen::Index count : {1, 7, 8, 127, 128, 129, 263, 517}) {
    CAPTURE(count);
    const FixedStates states = MakeFixedStates(model, count, 33);
    const Eigen::MatrixXd y = Measured(count, rows.row_count());
    std::vector<Eigen::MatrixXd> W, grams;
    rows.Dense(states.samples(), scratch, W);
    rows.Gram(states.samples(), y, scratch, grams);
    REQUIRE(grams.size() == W.size());
    for (std::size_t r = 0; r < W.size(); ++r) {
      Eigen::MatrixXd wide(count, W[r].cols() + 1);
      wide << W[r], y.col(static_cast<Eigen::Index>(r));
      const Eigen::MatrixXd expected = wide.transpose() * wide;
      REQUIRE(grams[r].rows() == expected.rows());
      REQUIRE(grams[r].cols() == expected.cols());
      CHECK(grams[r] == Eigen::MatrixXd(grams[r].transpose()));
      // Round-off of sums of `count` products, relative to the norms of the two columns.
      const Eigen::VectorXd scale = expected.diagonal().cwiseSqrt().unaryExpr(
          [](double norm) { return norm > 0.0 ? 1.0 / norm : 0.0; });
      CHECK(
          (scale.asDiagonal() * (grams[r] - expected) * scale.asDiagonal()).cwiseAbs().maxCoeff() <
          1e-13);
    }
  }
}

TEST_CASE("Equations that are there twice have the bits of their rows twice, in order") {
  const RobotModel model = LoadRobot("barrett_wam7").model;
  const Dynamics dynamics(model, FrictionShape{0.3});
  Dynamics::Scratch scratch(dynamics);
  const std::vector<int> columns = AllColumns(model);
  const RowRegressor once(dynamics, {Equation::kTorque, Equation::kEndEffector}, columns);
  const RowRegressor twice(
      dynamics,
      {Equation::kEndEffector, Equation::kTorque, Equation::kEndEffector, Equation::kTorque},
      columns);
  REQUIRE(once.row_count() == 13);
  REQUIRE(twice.row_count() == 26);
  const auto row_once = [](int row) { return row < 14 ? row % 7 : 7 + (row - 14) % 6; };
  FixedStates states = MakeFixedStates(model, 140, 31);
  states.q.rowwise() = (Eigen::RowVectorXd(7) << 0.2, 0.7, -0.3, 1.4, 0.4, 0.8, 0.1).finished();
  std::vector<Eigen::MatrixXd> dense, all;
  once.Dense(states.samples(), scratch, dense);
  twice.Dense(states.samples(), scratch, all);
  for (int row = 0; row < 26; ++row) {
    const auto other = static_cast<std::size_t>(row_once(row));
    CHECK(twice.ColumnsOf(row) == once.ColumnsOf(row_once(row)));
    CHECK(all[static_cast<std::size_t>(row)] == dense[other]);
  }
  Eigen::MatrixXd W(13, once.column_count()), W2(26, once.column_count());
  const auto of = [](const Eigen::MatrixXd& matrix) { return Eigen::VectorXd(matrix.row(5)); };
  once.Single(of(states.q), of(states.qd), of(states.qdd), scratch, W);
  twice.Single(of(states.q), of(states.qd), of(states.qdd), scratch, W2);
  REQUIRE(W.allFinite());
  for (int row = 0; row < 26; ++row) CHECK(W2.row(row) == W.row(row_once(row)));
}

TEST_CASE("No samples give empty rows and Gram matrices of zeros") {
  const RobotModel model = LoadRobot("planar2").model;
  const Dynamics dynamics(model);
  Dynamics::Scratch scratch(dynamics);
  const RowRegressor rows(dynamics, {Equation::kTorque}, AllColumns(model));
  const FixedStates states = MakeFixedStates(model, 0, 34);
  std::vector<Eigen::MatrixXd> W, grams;
  rows.Dense(states.samples(), scratch, W);
  rows.Gram(states.samples(), Measured(0, 2), scratch, grams);
  for (std::size_t r = 0; r < 2; ++r) {
    CHECK(W[r].rows() == 0);
    CHECK(grams[r].isZero(0.0));
    CHECK(grams[r].cols() == W[r].cols() + 1);
  }
}

TEST_CASE("Columns that are out of order, repeated or not parameters of the robot are refused") {
  const RobotModel model = LoadRobot("planar1").model;
  const Dynamics dynamics(model);
  const char* const message =
      "RowRegressor: columns must be strictly increasing indices from 0 to 23";
  for (const std::vector<int>& columns : {std::vector<int>{3, 2}, {4, 4}, {-1, 2}, {0, 24}}) {
    CHECK_THROWS_WITH_AS(RowRegressor(dynamics, kBoth, columns), message, std::invalid_argument);
  }
}

}  // namespace
}  // namespace idbench
