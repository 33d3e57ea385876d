#include "estimators/solvers/sample_regression.h"

#include <doctest/doctest.h>

#include <limits>

#include "estimators/registry.h"
#include "estimators/synthetic_test.h"
#include "robots/dynamics/parameters/joint_state_parametrisation.h"

namespace idbench {
namespace {

constexpr double kForever = std::numeric_limits<double>::infinity();

TEST_CASE("H·x + y₀ is Newton-Euler's left-hand side, rows in the problem's order, π₀ included") {
  for (const auto& equations :
       {std::vector<PlacedEquation>{Equation::kTorque},
        std::vector<PlacedEquation>{Equation::kWrench},
        std::vector<PlacedEquation>{Equation::kTorque, Equation::kWrench},
        std::vector<PlacedEquation>{Equation::kWrench, Equation::kTorque}}) {
    Synthetic robot("barrett_wam7", "standard", equations, {0.05},
                    {JointParameter::kViscous, JointParameter::kCoulomb, JointParameter::kOffset,
                     JointParameter::kRotorInertia});
    // Half of what is known moves into π₀.
    const Parametrisation& all = robot.problem.parameters;
    AffineMap map = *all.affine();
    map.pi0 = 0.5 * robot.pi;
    robot.problem.parameters =
        Parametrisation("half", map, map.A.transpose(), all.names, all.units);
    const Eigen::VectorXd sigma = Eigen::VectorXd::LinSpaced(robot.problem.row_count(), 0.1, 2.0);
    Eigen::Index row = 0;
    for (EquationRows& rows : robot.problem.rows) {
      rows.sigma = sigma.segment(row, RowsOf(rows.equation, 7));
      row += rows.sigma.size();
    }
    SampleRegression regression(robot.problem);
    CHECK(regression.variance().isApprox(sigma.cwiseAbs2(), 1e-15));
    const std::vector<Dataset> datasets = {robot.Record("a", 4)};
    SampleReader reader(robot.problem, datasets);
    Sample sample(robot.problem);
    Eigen::VectorXd residual(robot.problem.row_count());
    while (reader.Next(kForever, sample)) {
      regression.Evaluate(sample);
      regression.Residual(sample, robot.x(), residual);
      CHECK(residual.norm() < 1e-12 * sample.y.norm());  // round-off of two summations
      regression.Residual(sample, Eigen::VectorXd::Zero(robot.x().size()), residual);
      CHECK((residual - regression.H() * robot.x()).norm() < 1e-12 * sample.y.norm());
      CHECK(residual.norm() > 0.1 * sample.y.norm());
    }
  }
}

TEST_CASE("A sample has the rows that are chosen, and others may be lost") {
  Synthetic robot("barrett_wam7", "standard", {Equation::kWrench, Equation::kTorque});
  Problem chosen = robot.problem;
  chosen.rows[0].chosen = {1, 4};
  chosen.rows[1].chosen = {2, 6};
  for (Problem* problem : {&robot.problem, &chosen}) {
    for (EquationRows& rows : problem->rows) {
      rows.sigma = Eigen::VectorXd::Ones(rows.count(problem->model));
    }
  }
  const Dataset recorded = robot.Record("a", 3);
  const std::vector<Dataset> whole = {recorded};
  const std::vector<Dataset> lossy = {
      WithChannel(recorded, kJointTorque, [](Eigen::MatrixXd& samples) {
        samples.leftCols(2).setConstant(std::numeric_limits<double>::quiet_NaN());
      })};
  SampleRegression all(robot.problem), some(chosen);
  SampleReader reader(robot.problem, whole), chosen_reader(chosen, lossy);
  Sample sample(robot.problem), chosen_sample(chosen);
  const std::vector<int> which = {1, 4, 8, 12};
  while (reader.Next(kForever, sample)) {
    REQUIRE(chosen_reader.Next(kForever, chosen_sample));
    CHECK(chosen_sample.y == sample.y(which));
    all.Evaluate(sample);
    some.Evaluate(chosen_sample);
    CHECK(some.H() == all.H()(which, Eigen::all));
  }
}

TEST_CASE("Where π is not affine, H is ∂(Wπ)/∂x and the residual is exact at the point chosen") {
  for (const char* type : {"masses_moments_first_moments", "log_cholesky"}) {
    CAPTURE(type);
    Synthetic robot("barrett_wam7", type, {Equation::kTorque, Equation::kWrench}, {0.05});
    robot.Declare(Eigen::VectorXd::Ones(13));
    SampleRegression regression(robot.problem);
    const std::vector<Dataset> datasets = {robot.Record("a", 3)};
    SampleReader reader(robot.problem, datasets);
    Sample sample(robot.problem);
    const Eigen::VectorXd truth = robot.x();
    Eigen::VectorXd residual(13), plus(13), minus(13);
    while (reader.Next(kForever, sample)) {
      regression.Evaluate(sample);
      regression.Linearise(truth);
      regression.Residual(sample, truth, residual);
      CHECK(residual.norm() < 1e-12 * sample.y.norm());  // round-off of two summations
      const Eigen::MatrixXd H = regression.H();
      for (Eigen::Index k = 0; k < truth.size(); ++k) {
        const double h = 1e-5;
        const Eigen::VectorXd above = truth + h * Eigen::VectorXd::Unit(truth.size(), k);
        const Eigen::VectorXd below = truth - h * Eigen::VectorXd::Unit(truth.size(), k);
        regression.Linearise(above);
        regression.Residual(sample, above, plus);
        regression.Linearise(below);
        regression.Residual(sample, below, minus);
        // Third derivatives times h²/6, round-off of torques over h.
        CHECK((H.col(k) - (minus - plus) / (2.0 * h)).norm() < 1e-8 * sample.y.norm());
      }
    }
  }
}

TEST_CASE("Where the joints' state is unknown, H picks what is read of it") {
  Synthetic robot("planar2", "standard");
  Parametrisation state = JointStateParametrisation(robot.model, robot.pi);
  state.prior = Parametrisation::Prior{Eigen::VectorXd::Zero(4), std::nullopt};
  const Problem problem{robot.model,
                        {},
                        state,
                        {{Equation::kVelocity, Eigen::Vector2d(0.3, 0.4)},
                         {Equation::kPosition, Eigen::Vector2d(0.1, 0.2)}},
                        {}};
  SampleRegression regression(problem);
  const std::vector<Dataset> datasets = {robot.Record("a", 3)};
  SampleReader reader(problem, datasets);
  Sample sample(problem);
  REQUIRE(reader.Next(kForever, sample));
  regression.Evaluate(sample);
  Eigen::VectorXd x(4), residual(4);
  x << sample.q, sample.qd;
  regression.Residual(sample, x, residual);
  CHECK(residual.isZero(0.0));
  CHECK((regression.H() * Eigen::Vector4d(1, 2, 3, 4)) == Eigen::Vector4d(3, 4, 1, 2));
  CHECK(regression.variance().isApprox(Eigen::Vector4d(0.09, 0.16, 0.01, 0.04), 1e-15));

  const Estimate estimate = FindEstimator("ols")->make()->Run(problem, datasets);
  CHECK(estimate.outcome == Outcome::kRefused);
  CHECK(estimate.reason ==
        "joint positions and velocities are no equations of the parameters: online methods follow "
        "them");
}

}  // namespace
}  // namespace idbench
