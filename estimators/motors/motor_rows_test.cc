#include "estimators/motors/motor_rows.h"

#include <doctest/doctest.h>

#include "estimators/interface/estimate.h"
#include "estimators/motors/driven_arm_test.h"

namespace idbench {
namespace {

/// Index into π of a term.
Eigen::Index PiOf(const DrivenArm& arm, const std::string& name) {
  const std::vector<std::string> names = ParameterNames(arm.problem.model);
  return std::ranges::find(names, name) - names.begin();
}

/// The problem without an unknown, which is known.
Problem WithKnown(const DrivenArm& arm, const std::string& name, double value) {
  const Parametrisation& all = arm.problem.parameters;
  const Eigen::Index at = arm.IndexOf(name);
  std::vector<int> considered;
  const std::vector<std::string> names = ParameterNames(arm.problem.model);
  for (const std::string& each : all.names) {
    if (each == name) continue;
    considered.push_back(static_cast<int>(std::ranges::find(names, each) - names.begin()));
  }
  REQUIRE(at >= 0);
  Problem problem = arm.problem;
  problem.parameters = StandardParametrisation(arm.problem.model, considered);
  problem.parameters.SetKnown(static_cast<int>(PiOf(arm, name)),
                              Eigen::VectorXd::Constant(1, value));
  return problem;
}

std::string Refused(const Problem& problem) {
  try {
    FindMotorRows(problem);
  } catch (const EstimationFailure& failure) {
    return failure.what();
  }
  return "";
}

TEST_CASE("The driven arm's problem holds for what it records") {
  const DrivenArm arm;
  const std::vector<Dataset> datasets = {arm.Record("a", 2.0, {})};
  const RegressionRows rows(arm.problem, datasets);
  const Eigen::MatrixXd residual = rows.Residuals(arm.x())[0];
  CHECK(residual.cwiseAbs().maxCoeff() < 1e-12);  // round-off of torques of 10 N·m
  CHECK(rows.row_count() == 10);
  CHECK(rows.unknowns() == 98);  // ten of each of 6 links, 28 of friction, 4 gains, 6 offsets
}

TEST_CASE("Rows of coupled motors are those of the inverse coupling") {
  const DrivenArm arm;
  const std::vector<MotorRow> motors = FindMotorRows(arm.problem);
  REQUIRE(motors.size() == 4);
  // τ = Tᵀ·u by hand: u0 = τ0 + τ1, u1 = (τ1 − τ2)/r, u2 = τ2/r, u3 = τ3. The sensor's rows come
  // first.
  const std::vector<std::vector<std::pair<Eigen::Index, double>>> expected = {
      {{0, 1.0}, {1, 1.0}}, {{1, 1.0 / 1.625}, {2, -1.0 / 1.625}}, {{2, 1.0 / 1.625}}, {{3, 1.0}}};
  for (std::size_t i = 0; i < 4; ++i) {
    CAPTURE(i);
    REQUIRE(motors[i].rows.size() == expected[i].size());
    for (std::size_t k = 0; k < expected[i].size(); ++k) {
      CHECK(motors[i].rows[k].first == 6 + expected[i][k].first);
      CHECK(motors[i].rows[k].second == doctest::Approx(expected[i][k].second).epsilon(1e-14));
    }
  }
  CHECK(motors[2].name == "motor2");
  CHECK(motors[2].gain == arm.IndexOf("motor2.gain"));
}

TEST_CASE("Residuals of motors are gain times what they are fed, less the torque") {
  const DrivenArm arm;
  const std::vector<Dataset> datasets = {arm.Record("a", 3.0, {})};
  const Eigen::VectorXd fed = datasets[0].Get(kMotorPwm).samples.col(1);
  const RegressionRows rows(arm.problem, datasets);
  const MotorRegression regression(arm.problem, rows);
  REQUIRE(regression.row_count() == 10);
  Eigen::VectorXd x = arm.x();
  for (const Eigen::VectorXd& rho : regression.Residuals(x)) {
    CHECK(rho.cwiseAbs().maxCoeff() < 1e-12);
  }
  x[arm.IndexOf("motor1.gain")] += 0.5;
  const std::vector<Eigen::VectorXd> off = regression.Residuals(x);
  CHECK((off[1] - 0.5 * fed).cwiseAbs().maxCoeff() < 1e-12);
  CHECK(off[2].cwiseAbs().maxCoeff() < 1e-12);
  const std::vector<Eigen::MatrixXd> triangles =
      regression.Triangles(x, [](Eigen::Index row, double) { return row == 1 ? 4.0 : 1.0; });
  Eigen::VectorXd extended(x.size() + 1);
  extended << x, -1.0;
  CHECK((triangles[1] * extended).squaredNorm() ==
        doctest::Approx(4.0 * off[1].squaredNorm()).epsilon(1e-10));
}

TEST_CASE("A known gain is no unknown, and stands in what is known of a row") {
  const DrivenArm arm;
  const Problem problem = WithKnown(arm, "motor3.gain", 0.71);
  const std::vector<MotorRow> motors = FindMotorRows(problem);
  CHECK(motors[3].gain == -1);
  CHECK(motors[3].known_gain == 0.71);
}

TEST_CASE("Problems whose gains no row tells are refused by name") {
  const DrivenArm arm;
  Problem problem = arm.problem;
  problem.rows.erase(problem.rows.begin());
  CHECK(Refused(problem) == "gains follow from an equation of drives, and the problem has none");
  problem = arm.problem;
  problem.rows.push_back({.equation = Equation::kCurrentDrive, .chosen = {3}});
  CHECK(Refused(problem) ==
        "gains follow from one equation of drives, and the problem has several");
  problem = arm.problem;
  problem.rows[0].chosen = {1, 2, 3};
  CHECK(Refused(problem) ==
        "'motor1' drives 'r_shoulder_pitch' too, whose row the problem does "
        "not use");
  problem.rows[0].chosen = {0, 3};
  CHECK(Refused(problem) ==
        "4 motors drive the 2 joints of 'motor_pwm': gains need as many of "
        "both");
  CHECK(Refused(WithKnown(arm, "motor3.gain", 0.0)) ==
        "the gain of 'motor3' is neither an unknown (/problem/terms, type \"gain\") nor known "
        "(/problem/prior/terms), or known as 0");
}

}  // namespace
}  // namespace idbench
