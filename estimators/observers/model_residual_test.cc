#include "estimators/observers/model_residual.h"

#include <doctest/doctest.h>

#include <cmath>

#include "estimators/observers/observers_test.h"
#include "robots/dynamics/rows.h"

namespace idbench {
namespace {

TEST_CASE("The residual of the truth is the noise, of every equation") {
  const std::vector<PlacedEquation> equations = {Equation::kTorque, Equation::kWrench};
  const Synthetic robot("puma560", "standard", equations);
  const Dataset clean = robot.Record("a", 50);
  const Eigen::VectorXd sigma = Eigen::VectorXd::LinSpaced(12, 1.0, 0.1);
  const Dataset noisy = robot.Record("a", 50, sigma);
  const std::vector<EquationRows> rows = EquationsWithModel(robot.problem);
  const ModelResidual residual = ResidualOf(robot.problem, robot.pi, noisy, rows);
  REQUIRE(residual.r.cols() == 12);
  Eigen::MatrixXd noise(50, 12);
  noise << noisy.Get(kJointTorque).samples - clean.Get(kJointTorque).samples,
      noisy.Get(kBaseWrench).samples - clean.Get(kBaseWrench).samples;
  // Round-off of sums of up to some 100 N·m.
  CHECK((residual.r - noise).cwiseAbs().maxCoeff() < 1e-11);
}

TEST_CASE("The residual of a wrong model is the regressor times what is wrong") {
  const Synthetic robot = ArmOf("barrett_wam7");
  const Dataset dataset = robot.Record("a", 20);
  const std::vector<EquationRows> rows = EquationsWithModel(robot.problem);
  Eigen::VectorXd wrong = robot.pi;
  for (Eigen::Index k = 0; k < wrong.size(); ++k) wrong[k] += 0.01 * static_cast<double>(k % 7);
  const ModelResidual residual = ResidualOf(robot.problem, wrong, dataset, rows);
  const Dynamics dynamics(robot.model, robot.problem.friction);
  Dynamics::Scratch scratch(dynamics);
  std::vector<int> all;
  for (int k = 0; k < static_cast<int>(wrong.size()); ++k) all.push_back(k);
  const RowRegressor regressor(dynamics, {Equation::kTorque}, all);
  Eigen::MatrixXd W(7, wrong.size());
  for (Eigen::Index k = 0; k < 20; ++k) {
    regressor.Single(residual.q.row(k).transpose(), residual.qd.row(k).transpose(),
                     residual.qdd.row(k).transpose(), scratch, W);
    const Eigen::VectorXd expected = W * (robot.pi - wrong);
    CHECK((residual.r.row(k).transpose() - expected).cwiseAbs().maxCoeff() < 1e-11);  // round-off
  }
}

TEST_CASE("What is missing of a sample is missing in its residual, and nowhere else") {
  const Synthetic robot = ArmOf("barrett_wam7");
  const std::vector<EquationRows> rows = EquationsWithModel(robot.problem);
  const Dataset whole = robot.Record("a", 20, NoiseOf(7));
  Dataset dataset =
      WithChannel(whole, kJointTorque, [](Eigen::MatrixXd& tau) { tau(3, 2) = std::nan(""); });
  dataset =
      WithChannel(dataset, kJointVelocity, [](Eigen::MatrixXd& qd) { qd(9, 0) = std::nan(""); });
  const Eigen::MatrixXd expected = ResidualOf(robot.problem, robot.pi, whole, rows).r;
  const Eigen::MatrixXd r = ResidualOf(robot.problem, robot.pi, dataset, rows).r;
  for (Eigen::Index k = 0; k < r.rows(); ++k) {
    for (Eigen::Index row = 0; row < r.cols(); ++row) {
      CAPTURE(k);
      CAPTURE(row);
      if (k == 9 || (k == 3 && row == 2)) {
        CHECK(std::isnan(r(k, row)));
      } else {
        CHECK(r(k, row) == expected(k, row));
      }
    }
  }
}

TEST_CASE("Rows that the problem has chosen have residuals, in any configuration") {
  Synthetic robot = ArmOf("barrett_wam7");
  const Dataset bare = robot.Record("a", 20);
  // A load of 2 kg on the last link, which the second configuration carries.
  robot.model.SetAttached({{.name = "load", .link = 6}},
                          {{.name = "bare"}, {.name = "loaded", .attached = {0}}});
  robot.problem.model = robot.model;
  robot.problem.rows.front().chosen = {1, 3};
  robot.problem.rows.front().sigma.resize(0);
  const int links = ParameterLayout(7).links_size();
  Eigen::VectorXd pi = Eigen::VectorXd::Zero(robot.pi.size() + kInertialCount);
  pi.head(links) = robot.pi.head(links);
  pi[links] = 2.0;
  pi.tail(robot.pi.size() - links) = robot.pi.tail(robot.pi.size() - links);
  Dataset loaded = bare;
  loaded.set_configuration("loaded");
  Dataset named = bare;
  named.set_configuration("bare");
  const std::vector<EquationRows> rows = EquationsWithModel(robot.problem);
  const ModelResidual of_bare = ResidualOf(robot.problem, pi, named, rows);
  const ModelResidual of_loaded = ResidualOf(robot.problem, pi, loaded, rows);
  REQUIRE(of_bare.r.cols() == 2);
  CHECK(of_bare.r.cwiseAbs().maxCoeff() < 1e-11);  // round-off
  CHECK(of_loaded.r.cwiseAbs().maxCoeff() > 1.0);  // 2 kg at some decimetres
  CHECK(of_loaded.configuration == 1);
}

TEST_CASE("Residuals refuse models and data that do not fit the robot") {
  const Synthetic robot = ArmOf("barrett_wam7");
  const Dataset dataset = robot.Record("a", 20);
  const std::vector<EquationRows> rows = EquationsWithModel(robot.problem);
  CHECK_THROWS_WITH_AS(ResidualOf(robot.problem, Eigen::VectorXd(), dataset, rows),
                       "the model has 0 standard parameters, the robot has 108", EstimationFailure);
  Eigen::VectorXd infinite = robot.pi;
  infinite[5] = std::nan("");
  CHECK_THROWS_WITH_AS(ResidualOf(robot.problem, infinite, dataset, rows),
                       "the model has a standard parameter that is not finite", EstimationFailure);
  CHECK_THROWS_WITH_AS(
      ResidualOf(robot.problem, robot.pi, WithoutChannel(dataset, kJointTorque), rows),
      doctest::Contains("joint_torque"), EstimationFailure);
  Problem of_state = robot.problem;
  of_state.rows = {{.equation = Equation::kPosition}};
  CHECK_THROWS_WITH_AS(EquationsWithModel(of_state),
                       "no equation of the problem holds standard parameters", EstimationFailure);
  CHECK(TrainingResiduals(robot.problem, robot.pi,
                          std::vector{robot.Record("v", 20, {}, 0, Role::kValidation)}, rows)
            .empty());
}

}  // namespace
}  // namespace idbench
