#include "estimators/solvers/entropic_fit.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>

#include "estimators/solvers/in_coordinates.h"
#include "estimators/solvers/linear_regression.h"
#include "estimators/synthetic_test.h"
#include "robots/dynamics/parameters/consistent_fit.h"

namespace idbench {
namespace {

const Eigen::VectorXd kWeights = Eigen::VectorXd::LinSpaced(7, 4.0, 400.0);

/// The WAM with its prior off by 20 %, and sums of noisy recordings of it in v.
struct Arm {
  Synthetic robot{"barrett_wam7", "standard"};
  EntropicPrior prior{robot.problem};
  Problem in_v = InCoordinates(robot.problem, prior.x0(), prior.S());

  NormalEquations Sums(Eigen::Index samples) const {
    const std::vector<Dataset> datasets = {
        robot.Record("a", samples, kWeights.cwiseSqrt().cwiseInverse())};
    return LinearRegression(in_v, datasets).WeightedSums(kWeights);
  }
};

/// The same in standard parameters, for FitConsistent.
struct InStandard {
  ConsistentVariables variables;
  Eigen::MatrixXd N;
  Eigen::VectorXd b;

  InStandard(const Arm& arm, Eigen::Index samples) {
    const std::vector<Dataset> datasets = {
        arm.robot.Record("a", samples, kWeights.cwiseSqrt().cwiseInverse())};
    const NormalEquations sums =
        LinearRegression(arm.robot.problem, datasets).WeightedSums(kWeights);
    const AffineMap& map = *arm.robot.problem.parameters.affine();
    N = map.A * sums.AtA * map.A.transpose();
    b = map.A * sums.Aty;
    variables.prior = map.pi0 + map.A * arm.prior.x0();
    variables.bodies = arm.prior.bodies();
    const ParameterLayout layout(7);
    for (int j = 0; j < 7; ++j) {
      variables.free.push_back(layout.Joint(j, JointParameter::kViscous));
      variables.free.push_back(layout.Joint(j, JointParameter::kCoulomb));
    }
  }
};

TEST_CASE("The fit is that of FitConsistent in standard parameters") {
  const Arm arm;
  const InStandard standard(arm, 300);
  const ConsistentSet expected = FitConsistent(standard.variables, standard.N, standard.b, 1.0);
  REQUIRE(expected.converged);

  EntropicFit fit(arm.prior, 1.0);
  const NormalEquations in_v = arm.Sums(300);
  fit.SetData(in_v.AtA, in_v.Aty);
  Eigen::VectorXd v;
  const NewtonResult result = fit.SolveFromPrior(v);
  CHECK(result.converged);
  const Eigen::VectorXd pi = arm.robot.problem.parameters.Pi(arm.prior.X(v));
  CHECK((pi - expected.pi).norm() < 1e-7 * expected.pi.norm());  // δ of both, in the flattest
}

TEST_CASE("Within bounds it is the fit with those held whose gradient leads beyond them") {
  const Arm arm;
  const InStandard standard(arm, 300);
  EntropicFit fit(arm.prior, 1.0);
  const NormalEquations in_v = arm.Sums(300);
  fit.SetData(in_v.AtA, in_v.Aty);
  Eigen::VectorXd free;
  REQUIRE(fit.SolveFromPrior(free).converged);
  const Eigen::VectorXd pi_free = arm.robot.problem.parameters.Pi(arm.prior.X(free));
  const Eigen::MatrixXd map = arm.robot.problem.parameters.affine()->A;
  for (unsigned seed = 0; seed < 6; ++seed) {
    CAPTURE(seed);
    std::srand(seed);
    const Eigen::VectorXd middle = Eigen::VectorXd::Random(pi_free.size());
    const Eigen::VectorXd pi_lower = pi_free + pi_free.cwiseAbs().cwiseProduct(middle);
    const Eigen::VectorXd pi_upper = pi_lower + 0.5 * pi_free.cwiseAbs();
    const CoordinateBounds bounds =
        arm.prior.Bounds(map.transpose() * pi_lower, map.transpose() * pi_upper);
    Eigen::VectorXd v;
    std::vector<int> held;
    REQUIRE(fit.SolveWithin(bounds, v, held).converged);
    CHECK(!held.empty());

    const Eigen::VectorXd pi = arm.robot.problem.parameters.Pi(arm.prior.X(v));
    const Eigen::VectorXd gradient = standard.N * pi - standard.b;
    ConsistentVariables others = standard.variables;
    others.free.clear();
    for (const int k : standard.variables.free) {
      const double slight = 1e-4 * std::sqrt(standard.N(k, k)), width = 1e-9 * std::abs(pi_free[k]);
      CHECK(pi[k] > pi_lower[k] - width);
      CHECK(pi[k] < pi_upper[k] + width);
      const bool at_lower = pi[k]<pi_lower[k] + width, at_upper = pi[k]> pi_upper[k] - width;
      if (!at_upper) CHECK(gradient[k] > -slight);
      if (!at_lower) CHECK(gradient[k] < slight);
      if (at_lower || at_upper) others.prior[k] = pi[k];
      if (!at_lower && !at_upper) others.free.push_back(k);
    }
    CHECK(others.free.size() + held.size() == standard.variables.free.size());
    const ConsistentSet expected = FitConsistent(others, standard.N, standard.b, 1.0);
    REQUIRE(expected.converged);
    CHECK((pi - expected.pi).norm() < 1e-7 * expected.pi.norm());
    // Of what comes afterwards, all data count again.
    Eigen::VectorXd again;
    REQUIRE(fit.SolveFromPrior(again).converged);
    CHECK((again - free).norm() < 1e-12 * free.norm());
  }
}

TEST_CASE("A quarter more data are a few Newton steps away, from the prior it is far more") {
  const Arm arm;
  EntropicFit fit(arm.prior, 1.0);
  const NormalEquations first = arm.Sums(400), more = arm.Sums(500);
  fit.SetData(first.AtA, first.Aty);
  Eigen::VectorXd v;
  const NewtonResult cold = fit.SolveFromPrior(v);
  REQUIRE(cold.converged);
  fit.SetData(more.AtA, more.Aty);
  const NewtonResult warm = fit.SolveFrom(v);
  REQUIRE(warm.converged);
  MESSAGE(warm.steps << " Newton steps warm, " << cold.steps << " cold");
  CHECK(warm.steps <= 7);
  CHECK(cold.steps > 2 * warm.steps);
  Eigen::VectorXd from_prior;
  REQUIRE(fit.SolveFromPrior(from_prior).converged);
  CHECK((v - from_prior).norm() < 1e-6 * from_prior.norm());
}

TEST_CASE(
    "Data that contradict the model, by far more than σ, end at the boundary of what can be") {
  const Arm arm;
  // The torques are those of two motions.
  const Dataset wrong =
      WithChannel(arm.robot.Record("a", 1000), kJointTorque, [&arm](Eigen::MatrixXd& torque) {
        const Dataset moves = arm.robot.Record("b", 1000);
        torque += moves.Find(kJointTorque)->samples;
      });
  for (const double weight : {1e2, 1e4, 1e6, 1e8}) {
    CAPTURE(weight);
    EntropicFit fit(arm.prior, 1.0);
    const NormalEquations sums =
        LinearRegression(arm.in_v, std::vector{wrong}).WeightedSums(weight * kWeights);
    fit.SetData(sums.AtA, sums.Aty);
    Eigen::VectorXd v;
    const NewtonResult result = fit.SolveFromPrior(v);
    CHECK((result.converged || result.stagnated) == (weight < 1e7));
    CHECK(result.steps < (weight < 1e5 ? 1500 : LogDetNewton::kMostSteps + 50));
  }
}

TEST_CASE("Without data the prior is the solution, and its covariance that of the divergence") {
  Synthetic robot("planar2", "standard");
  robot.Declare(Eigen::Vector2d(0.5, 0.05), 0.2);
  const EntropicPrior prior(robot.problem);
  EntropicFit fit(prior, 4.0);
  Eigen::VectorXd v = Eigen::VectorXd::Constant(24, 0.05);
  REQUIRE(fit.SolveFrom(v).converged);
  CHECK(v.norm() < 1e-9);
  fit.TakeCurvature(Eigen::VectorXd::Zero(24));
  const Eigen::VectorXd expected = prior.Precision(4.0).cwiseInverse();
  CHECK((fit.Covariance() - Eigen::MatrixXd(expected.asDiagonal())).norm() < 1e-13);
}

TEST_CASE("A curvature that is lost in round-off, and steps that ran out, are failures") {
  const Arm arm;
  EntropicFit fit(arm.prior, 1.0);
  const Eigen::Index size = arm.prior.x0().size();
  fit.SetData(-100.0 * Eigen::MatrixXd::Identity(size, size), Eigen::VectorXd::Zero(size));
  CHECK_THROWS_WITH_AS(fit.TakeCurvature(Eigen::VectorXd::Zero(size)),
                       "the prior is lost beside the data in double precision: declare greater σ, "
                       "or give the prior more weight (\"lambda\")",
                       EstimationFailure);
  Estimate estimate;
  CHECK_THROWS_WITH_AS(StateSolution(arm.robot.problem, arm.prior, 1.0, {.steps = 200},
                                     Eigen::VectorXd::Zero(size), estimate),
                       "Newton's method on the log-det problem did not converge in 200 steps",
                       EstimationFailure);
}

}  // namespace
}  // namespace idbench
