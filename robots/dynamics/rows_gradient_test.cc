#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

#include "robots/dynamics/equations_test.h"
#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/dynamics/rows.h"
#include "robots/mujoco_reference_test.h"
#include "robots/robot.h"

namespace idbench {
namespace {

/// Factors without any pattern that matters, of the shape of what Dense() gives.
std::vector<Eigen::MatrixXd> Factors(const RowRegressor& rows, Eigen::Index samples) {
  std::vector<Eigen::MatrixXd> G;
  for (int r = 0; r < rows.row_count(); ++r) {
    Eigen::MatrixXd& of_row = G.emplace_back(samples, std::ssize(rows.ColumnsOf(r)));
    for (Eigen::Index k = 0; k < of_row.size(); ++k) {
      of_row.data()[k] = std::sin(0.3 + 1.9 * static_cast<double>(k) + r);
    }
  }
  return G;
}

/// Σ G·W of each sample.
Eigen::VectorXd Sums(const RowRegressor& rows, const FixedStates& states,
                     const std::vector<Eigen::MatrixXd>& G, Dynamics::Scratch& scratch) {
  std::vector<Eigen::MatrixXd> W;
  rows.Dense(states.samples(), scratch, W);
  Eigen::VectorXd sums = Eigen::VectorXd::Zero(states.q.rows());
  for (std::size_t r = 0; r < W.size(); ++r) sums += W[r].cwiseProduct(G[r]).rowwise().sum();
  return sums;
}

/// Compares with central differences of fourth order, of which the error is below 1e-9 of what they
/// tell here.
void CheckGradient(const RowRegressor& rows, const FixedStates& states,
                   Dynamics::Scratch& scratch) {
  const std::vector<Eigen::MatrixXd> G = Factors(rows, states.q.rows());
  StateGradient gradient;
  rows.Gradient(states.samples(), G, scratch, gradient);
  constexpr double kStep = 1e-3;
  FixedStates moved = states;
  const auto check = [&](Eigen::MatrixXd& part, const Eigen::MatrixXd& exact) {
    REQUIRE(exact.rows() == part.rows());
    REQUIRE(exact.cols() == part.cols());
    for (Eigen::Index joint = 0; joint < part.cols(); ++joint) {
      const Eigen::VectorXd at = part.col(joint);
      const auto shifted = [&](double steps) {
        part.col(joint) = at.array() + steps * kStep;
        return Sums(rows, moved, G, scratch);
      };
      const Eigen::VectorXd differences =
          (8.0 * (shifted(1.0) - shifted(-1.0)) - (shifted(2.0) - shifted(-2.0))) / (12.0 * kStep);
      part.col(joint) = at;
      CAPTURE(joint);
      CHECK((differences - exact.col(joint)).norm() < 1e-8 * (1.0 + differences.norm()));
    }
  };
  check(moved.q, gradient.q);
  check(moved.qd, gradient.qd);
  check(moved.qdd, gradient.qdd);
}

TEST_CASE("Derivatives of sums of entries are those of differences, on any tree and any row") {
  const MujocoReference odd = MujocoReference::FromText(kOddTree);
  for (RobotModel model : {LoadRobot("barrett_wam7").model, odd.tree.model}) {
    model.SetCuts({{.name = "at", .link = 1},
                   {.name = "beside", .link = 0, .p_LS_L = Eigen::Vector3d(0.1, 0.2, -0.3)}});
    const Dynamics dynamics(model, FrictionShape{0.3});
    Dynamics::Scratch scratch(dynamics);
    const std::vector<PlacedEquation> all = {
        Equation::kTorque, Equation::kWrench, {Equation::kCut, 0}, {Equation::kCut, 1}};
    for (const std::vector<PlacedEquation>& equations :
         {std::vector<PlacedEquation>{Equation::kTorque}, all}) {
      const RowRegressor rows(dynamics, equations,
                              ConsideredParameters(model, equations, kAllJointParameters));
      CheckGradient(rows, MakeFixedStates(model, 13, 17), scratch);
    }
  }
}

TEST_CASE("Rows that are asked for twice, and some rows and columns alone, add what they have") {
  const RobotModel model = LoadRobot("kuka_lwr4").model;
  const Dynamics dynamics(model, FrictionShape{0.3});
  Dynamics::Scratch scratch(dynamics);
  const ParameterLayout layout(model.dofs());
  const RowRegressor rows(
      dynamics, {{Equation::kTorque, -1, {2, 5}}, {Equation::kTorque, -1, {2}}, Equation::kWrench},
      {layout.Body(2), layout.Body(5) + 4, layout.Joint(2, JointParameter::kCoulomb)});
  CheckGradient(rows, MakeFixedStates(model, 8, 3), scratch);
}

TEST_CASE("What is attached, and terms of motors, have their part in derivatives") {
  RobotModel model = LoadRobot("icub_right_arm").model;
  model.SetAttached(
      {{.name = "tool",
        .link = model.dofs() - 1,
        .R_LA = Eigen::AngleAxisd(0.4, Eigen::Vector3d(1, 2, 3).normalized()).toRotationMatrix(),
        .p_LA_L = {0.1, -0.2, 0.3}}},
      {{.name = "held", .attached = {0}}});
  const Dynamics dynamics(model, FrictionShape{0.3}, 0);
  Dynamics::Scratch scratch(dynamics);
  std::vector<int> columns;
  for (int k = 0; k < dynamics.layout().size(); ++k) columns.push_back(k);
  const RowRegressor all(dynamics, {Equation::kTorque}, columns);
  CheckGradient(all, MakeFixedStates(model, 9, 5), scratch);
  const int tool = ParameterLayout(model).Body(model.dofs());
  const RowRegressor of_tool(dynamics, {Equation::kTorque}, {tool, tool + 1, tool + 7});
  CheckGradient(of_tool, MakeFixedStates(model, 9, 6), scratch);
}

TEST_CASE("Slopes of terms are those of differences") {
  const FrictionShape friction{0.3};
  for (const TermShape shape :
       {TermShape::kOne, TermShape::kLinear, TermShape::kCoulomb, TermShape::kPositivePart,
        TermShape::kNegativePart, TermShape::kPositiveSign, TermShape::kNegativeSign,
        TermShape::kStribeck}) {
    Term term;
    term.shape = shape;
    term.shares = {{0, 1.0}};
    term.stribeck_velocity = 0.4;
    for (const double v : {-0.7, -0.1, 0.2, 0.9}) {
      constexpr double kStep = 1e-6;
      const double difference =
          (term.Shape(v + kStep, friction) - term.Shape(v - kStep, friction)) / (2.0 * kStep);
      CHECK(std::abs(term.Slope(v, friction) - difference) < 1e-8);
    }
    const bool steps = shape != TermShape::kLinear && shape != TermShape::kPositivePart;
    if (shape != TermShape::kStribeck) CHECK(term.Slope(0.5, {}) == (steps ? 0.0 : 1.0));
  }
}

TEST_CASE("Derivatives of mapped torques are refused") {
  const RobotModel model = LoadRobot("kuka_lwr4").model;
  const Dynamics dynamics(model);
  Dynamics::Scratch scratch(dynamics);
  const RowRegressor rows(dynamics, {Equation::kEndEffector}, {0, 1});
  const FixedStates states = MakeFixedStates(model, 2, 1);
  StateGradient gradient;
  CHECK_THROWS_AS(rows.Gradient(states.samples(), Factors(rows, 2), scratch, gradient),
                  std::invalid_argument);
}

}  // namespace
}  // namespace idbench
