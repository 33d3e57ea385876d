#include "estimators/solvers/linear_regression.h"

#include <doctest/doctest.h>

#include <Eigen/SVD>
#include <cmath>

#include "estimators/batch/ols.h"
#include "estimators/interface/estimate_test.h"
#include "estimators/solvers/in_coordinates.h"
#include "estimators/solvers/stated_covariance.h"
#include "estimators/synthetic_test.h"

namespace idbench {
namespace {

/// The stacked, weighted regression of one dataset, straight from the definition: column k is what
/// a unit of x_k adds to the predictions.
struct DenseRegression {
  Eigen::MatrixXd A;
  Eigen::VectorXd y;  ///< Measured − W·π₀.

  Eigen::VectorXd Solve() const {
    return Eigen::JacobiSVD<Eigen::MatrixXd>(A, Eigen::ComputeThinU | Eigen::ComputeThinV).solve(y);
  }
};

DenseRegression Stack(const Problem& problem, const Dataset& dataset,
                      const Eigen::VectorXd& weights) {
  const Dynamics dynamics(problem.model, problem.friction);
  Dynamics::Scratch scratch(dynamics);
  const AffineMap& map = *problem.parameters.affine();
  const StateSamples states{dataset.Get(kJointPosition).samples,
                            dataset.Get(kJointVelocity).samples,
                            dataset.Get(kJointAcceleration).samples};
  const Eigen::MatrixXd& tau = dataset.Get(kJointTorque).samples;
  const auto weighted = [&](Eigen::MatrixXd rows) {
    rows *= weights.cwiseSqrt().asDiagonal();
    return Eigen::VectorXd(rows.reshaped());
  };
  const auto torque = [&](const Eigen::VectorXd& pi) {
    Eigen::MatrixXd predicted(tau.rows(), tau.cols());
    dynamics.InverseDynamics(pi, states, scratch, predicted);
    return predicted;
  };
  DenseRegression dense{Eigen::MatrixXd(tau.size(), map.A.cols()), weighted(tau - torque(map.pi0))};
  for (Eigen::Index k = 0; k < map.A.cols(); ++k) dense.A.col(k) = weighted(torque(map.A.col(k)));
  return dense;
}

TEST_CASE("Rows that are chosen weigh as much as all rows would, the others nothing") {
  Synthetic robot("barrett_wam7", "base", {Equation::kTorque, Equation::kWrench});
  robot.Declare(Eigen::VectorXd::LinSpaced(13, 0.1, 1.3));
  const std::vector<Dataset> datasets = {robot.Record("a", 60, Eigen::VectorXd::Ones(13))};
  const LinearRegression all(robot.problem, datasets);
  Problem chosen = robot.problem;
  chosen.rows[0].chosen = {0, 1, 5};
  chosen.rows[1].chosen = {3};
  for (EquationRows& rows : chosen.rows) rows.sigma = Eigen::VectorXd(rows.sigma(rows.chosen));
  const LinearRegression some(chosen, datasets);
  REQUIRE(some.row_count() == 4);
  const std::vector<int> which = {0, 1, 5, 10};
  CHECK(some.declared_sigma() == all.declared_sigma()(which));
  CHECK(some.mean_square() == all.mean_square()(which));
  Eigen::VectorXd weights = Eigen::VectorXd::Zero(13);
  weights(which).setOnes();
  const NormalEquations one = some.WeightedSums(Eigen::VectorXd::Ones(4));
  const NormalEquations other = all.WeightedSums(weights);
  CHECK(one.AtA == other.AtA);
  CHECK(one.Aty == other.Aty);
  const Eigen::MatrixXd residuals = some.Residuals(robot.x())[0];
  CHECK(residuals == all.Residuals(robot.x())[0](Eigen::all, which));
}

std::string FailureOf(const Problem& problem, const std::vector<Dataset>& datasets,
                      Outcome expected = Outcome::kRefused) {
  try {
    const LinearRegression regression(problem, datasets);
    regression.Solve(Eigen::VectorXd::Ones(regression.row_count()));
  } catch (const EstimationFailure& failure) {
    CHECK(failure.outcome() == expected);
    return failure.what();
  }
  return "no failure";
}

/// `parameters` with columns of A combined: x' with π = π₀ + (A·mix)·x'.
Parametrisation Mixed(const Parametrisation& parameters, const Eigen::MatrixXd& mix) {
  const AffineMap& map = *parameters.affine();
  return {"mixed",
          {map.pi0, map.A * mix},
          Eigen::MatrixXd::Zero(mix.cols(), map.pi0.size()),
          {parameters.names.begin(), parameters.names.begin() + mix.cols()},
          {parameters.units.begin(), parameters.units.begin() + mix.cols()}};
}

/// Two unknowns that act almost alike: x_last' moves what x_0 moves, and x_last by `apart`.
Synthetic NearlyDependent(double apart) {
  Synthetic robot("planar2");
  const Eigen::Index last = robot.problem.parameters.size() - 1;
  Eigen::MatrixXd mix = Eigen::MatrixXd::Identity(last + 1, last + 1);
  mix(0, last) = 1.0;
  mix(last, last) = apart;
  robot.problem.parameters = Mixed(robot.problem.parameters, mix);
  return robot;
}

TEST_CASE("Weighted sums solve the problem that the dense SVD solves") {
  const Synthetic robot("planar3");
  const Dataset dataset = robot.Record("a", 301, Eigen::Vector3d(0.5, 0.2, 0.1));
  const std::vector<Dataset> datasets = {dataset};
  const LinearRegression regression(robot.problem, datasets);
  CHECK(regression.samples() == 301);
  CHECK(regression.row_count() == 3);
  for (const Eigen::Vector3d& weights : {Eigen::Vector3d(1, 1, 1), Eigen::Vector3d(1, 30, 400)}) {
    const DenseRegression dense = Stack(robot.problem, dataset, weights);
    const LeastSquaresSolution solution = regression.Solve(weights);
    CHECK(!solution.by_qr);
    // The normal equations square a condition below 100.
    CHECK(RelativeError(solution.x, dense.Solve()) < 1e-11);
    const Eigen::MatrixXd gram = dense.A.transpose() * dense.A;
    CHECK((gram * solution.inverse).isIdentity(1e-9));
  }
}

TEST_CASE("Residuals and mean squares are those of the data") {
  const Synthetic robot("planar2");
  const std::vector<Dataset> datasets = {robot.Record("a", 50, Eigen::Vector2d(0.5, 0.2)),
                                         robot.Record("b", 30, Eigen::Vector2d(0.5, 0.2))};
  const LinearRegression regression(robot.problem, datasets);
  CHECK(regression.samples() == 80);
  const Eigen::VectorXd x = 1.1 * robot.x();
  const std::vector<Eigen::MatrixXd> residuals = regression.Residuals(x);
  REQUIRE(residuals.size() == 2);
  Eigen::VectorXd squares = Eigen::VectorXd::Zero(2);
  for (std::size_t k = 0; k < 2; ++k) {
    const DenseRegression dense = Stack(robot.problem, datasets[k], Eigen::Vector2d(1, 1));
    const Eigen::VectorXd expected = dense.y - dense.A * x;
    CHECK((residuals[k].reshaped() - expected).norm() < 1e-12 * dense.y.norm());
    squares += datasets[k].Get(kJointTorque).samples.colwise().squaredNorm().transpose();
  }
  CHECK(regression.mean_square().isApprox(squares / 80.0, 1e-13));
}

TEST_CASE("Squares of the residuals follow from one fit to the next, and by QR from the data") {
  const Synthetic robot("barrett_wam7");
  const Eigen::VectorXd sigma = Eigen::VectorXd::LinSpaced(7, 0.5, 0.05);
  const std::vector<Dataset> datasets = {robot.Record("a", 200, sigma),
                                         robot.Record("b", 300, sigma)};
  const LinearRegression regression(robot.problem, datasets);
  const LeastSquaresSolution from = regression.Solve(Eigen::VectorXd::Ones(7));
  LeastSquaresSolution to = regression.Solve(sigma.cwiseAbs2().cwiseInverse());
  const Eigen::VectorXd squares = regression.ResidualSquares(from.x);
  const auto residuals = regression.Residuals(to.x);
  const Eigen::VectorXd expected =
      (residuals[0].colwise().squaredNorm() + residuals[1].colwise().squaredNorm()).transpose();
  CHECK((squares - expected).cwiseAbs().minCoeff() > 1e-6);  // there is a way to go
  // Round-off of the signal's squares, 1e4 times the residuals', on a step that is smaller still.
  const Eigen::VectorXd moved = regression.MovedSquares(squares, from, to);
  CHECK(((moved - expected).array().abs() < 1e-11 * expected.array()).all());
  CHECK(moved != expected);
  to.by_qr = true;
  CHECK(regression.MovedSquares(squares, from, to) == regression.ResidualSquares(to.x));
}

TEST_CASE("Known parameters may stand in pi0: what is left is estimated exactly") {
  Synthetic robot("planar2");
  const Eigen::VectorXd truth = robot.x();
  const AffineMap map = *robot.problem.parameters.affine();
  const Eigen::Index known = 2;
  const Eigen::Index rest = truth.size() - known;
  Parametrisation& parameters = robot.problem.parameters;
  const std::vector<std::string> names(parameters.names.begin() + known, parameters.names.end());
  parameters = Parametrisation("partly known",
                               {map.A.leftCols(known) * truth.head(known), map.A.rightCols(rest)},
                               Eigen::MatrixXd::Zero(rest, map.pi0.size()), names,
                               std::vector<std::string>(names.size(), "1"));
  const std::vector<Dataset> datasets = {robot.Record("a", 100)};
  const LinearRegression regression(robot.problem, datasets);
  const LeastSquaresSolution solution = regression.Solve(Eigen::Vector2d(1, 1));
  CHECK(RelativeError(solution.x, truth.tail(rest)) < 1e-11);
  CHECK(regression.Residuals(solution.x)[0].norm() < 1e-10);
}

TEST_CASE("The base wrench is estimated from too, in whatever order the equations stand") {
  for (const std::vector<PlacedEquation>& equations :
       {std::vector<PlacedEquation>{Equation::kWrench},
        std::vector<PlacedEquation>{Equation::kTorque, Equation::kWrench},
        std::vector<PlacedEquation>{Equation::kWrench, Equation::kTorque}}) {
    const Synthetic robot("planar2", "base", equations);
    const std::vector<Dataset> datasets = {robot.Record("a", 200)};
    const LinearRegression regression(robot.problem, datasets);
    CHECK(regression.row_count() == (equations.size() == 1 ? 6 : 8));
    const Eigen::VectorXd x = regression.Solve(Eigen::VectorXd::Ones(regression.row_count())).x;
    CHECK(RelativeError(x, robot.x()) < 1e-10);
    CHECK(regression.Residuals(x)[0].cwiseAbs().maxCoeff() < 1e-10);
  }
}

TEST_CASE("An equation that stands twice counts once") {
  Synthetic robot("planar2");
  robot.problem.rows.push_back(robot.problem.rows.front());
  Synthetic once("planar2");
  const std::vector<Dataset> datasets = {once.Record("a", 100, Eigen::Vector2d(0.5, 0.2))};
  const Eigen::Vector2d weights(1, 1);
  CHECK(LinearRegression(robot.problem, datasets).Solve(weights).x ==
        LinearRegression(once.problem, datasets).Solve(weights).x);
}

TEST_CASE("Several channels of a kind are rows of their own") {
  Synthetic robot("planar2");
  robot.problem.rows.push_back({Equation::kTorque, {}, std::string(kMotorTorque)});
  const Synthetic once("planar2");
  const Dataset exact = once.Record("a", 100),
                noisy = once.Record("a", 100, Eigen::Vector2d(0.5, 0.2), 3);
  Dataset both = exact;
  Channel second = *noisy.Find(kJointTorque);
  second.name = std::string(kMotorTorque);
  both.Add(second);
  const std::vector<Dataset> datasets = {both};
  const LinearRegression regression(robot.problem, datasets);
  REQUIRE(regression.row_count() == 4);
  const auto alone = [&](const Dataset& dataset) {
    const std::vector<Dataset> one = {dataset};
    return LinearRegression(once.problem, one).Solve(Eigen::Vector2d(1, 25)).x;
  };
  const Eigen::VectorXd of_first = alone(exact), of_second = alone(noisy);
  REQUIRE(RelativeError(of_second, of_first) > 1e-6);
  CHECK(regression.Solve(Eigen::Vector4d(1, 25, 0, 0)).x == of_first);
  CHECK(RelativeError(regression.Solve(Eigen::Vector4d(0, 0, 1, 25)).x, of_second) < 1e-12);
  CHECK(RelativeError(regression.Solve(Eigen::Vector4d(1, 25, 1, 25)).x,
                      0.5 * (of_first + of_second)) < 1e-10);
  const Eigen::MatrixXd residuals = regression.Residuals(of_first).front();
  CHECK(residuals.leftCols(2).norm() < 1e-10);
  CHECK(residuals.rightCols(2).norm() > 1e-3);
}

TEST_CASE("Above a condition of 1e6 the columns are triangularised instead, and a note says so") {
  const Synthetic robot = NearlyDependent(3e-8);
  // What the mixed unknowns have to be for the truth: more than one block of the QR.
  const Synthetic plain("planar2");
  const std::vector<Dataset> datasets = {plain.Record("a", 1300)};
  const LinearRegression regression(robot.problem, datasets);
  const LeastSquaresSolution solution = regression.Solve(Eigen::Vector2d(1, 25));
  CHECK(solution.by_qr);
  CHECK(solution.condition > 1e7);
  // 1e-16 × condition, where the squared condition of the sums would leave nothing.
  CHECK(RelativeError(robot.problem.parameters.Pi(solution.x),
                      plain.problem.parameters.Pi(plain.x())) < 1e-7);
  Ols ols;
  const Estimate estimate = ols.Run(robot.problem, datasets);
  REQUIRE(estimate.ok());
  CHECK(estimate.notes.at("solver") == "QR: the scaled columns have a condition above 1e6");
  CHECK(estimate.diagnostics.at("condition") > 1e7);
}

TEST_CASE("The same regression by sums and by QR, near the switch, gives the same answer") {
  const Synthetic plain("planar2");
  const std::vector<Dataset> datasets = {plain.Record("a", 1300, Eigen::Vector2d(0.5, 0.2))};
  const Synthetic below = NearlyDependent(1e-5);
  const Synthetic above = NearlyDependent(3e-8);
  const Eigen::Vector2d weights(1, 25);
  const LinearRegression sums(below.problem, datasets);
  const LinearRegression qr(above.problem, datasets);
  REQUIRE(!sums.Solve(weights).by_qr);
  REQUIRE(qr.Solve(weights).by_qr);
  // Both parametrisations span the same π, so they predict the same.
  const Eigen::MatrixXd by_sums = sums.Residuals(sums.Solve(weights).x)[0];
  const Eigen::MatrixXd by_qr = qr.Residuals(qr.Solve(weights).x)[0];
  CHECK((by_sums - by_qr).norm() < 1e-5 * by_qr.norm());  // 1e-16·condition² of the sums, 1e10
}

TEST_CASE("Columns that depend on each other are refused by name") {
  Synthetic robot = NearlyDependent(1e-11);
  const std::vector<Dataset> datasets = {Synthetic("planar2").Record("a", 200)};
  const std::vector<std::string>& names = robot.problem.parameters.names;
  CHECK(FailureOf(robot.problem, datasets, Outcome::kRankDeficient) ==
        "the data determine 9 of 10 directions; not determined, alone or among each other: " +
            names.front() + ", " + names.back() +
            "; use the parametrisation 'base', a richer motion, or a method that takes a prior");
  robot.problem.parameters.representative = true;  // of base parameters that is no advice
  CHECK(FailureOf(robot.problem, datasets, Outcome::kRankDeficient)
            .ends_with(names.back() + "; use a richer motion, or a method that takes a prior"));
}

TEST_CASE("A ridge is the solution of its defining normal equations") {
  const Synthetic robot("planar2");
  const Dataset dataset = robot.Record("a", 100, Eigen::Vector2d(0.5, 0.2));
  const std::vector<Dataset> datasets = {dataset};
  const Eigen::VectorXd centre = robot.problem.parameters.prior->mean;
  const DenseRegression dense = Stack(robot.problem, dataset, Eigen::Vector2d(1, 1));
  for (const double lambda : {1e-6, 0.01, 10.0}) {
    const Eigen::VectorXd penalty = lambda * dense.A.colwise().squaredNorm().transpose();
    // min ‖(A; √P)·x − (y; √P·centre)‖²
    DenseRegression extended = dense;
    extended.A.conservativeResize(dense.A.rows() + centre.size(), Eigen::NoChange);
    extended.A.bottomRows(centre.size()) = penalty.cwiseSqrt().asDiagonal();
    extended.y.conservativeResize(extended.A.rows());
    extended.y.tail(centre.size()) = penalty.cwiseSqrt().cwiseProduct(centre);
    const LinearRegression regression(robot.problem, datasets);
    CHECK(RelativeError(regression.SolveRidge(lambda, centre).x, extended.Solve()) < 1e-11);
  }
}

TEST_CASE("A ridge of almost no weight goes through QR and still holds what the data do not see") {
  const Synthetic robot("planar2", "standard");
  const std::vector<Dataset> datasets = {robot.Record("a", 200)};
  const LinearRegression regression(robot.problem, datasets);
  const Eigen::VectorXd centre = robot.problem.parameters.prior->mean;
  const LeastSquaresSolution solution = regression.SolveRidge(1e-14, centre);
  CHECK(solution.by_qr);
  CHECK(solution.condition == doctest::Approx(1e7).epsilon(0.9));  // √(σ_max²/λ)
  CHECK(regression.Residuals(solution.x)[0].norm() < 1e-6);
  CHECK_THROWS_AS(regression.SolveRidge(1e-20, centre), EstimationFailure);
}

TEST_CASE("The covariance is that of a Monte Carlo, also where weights do not fit the noise") {
  const Synthetic robot("planar2");
  const Eigen::Vector2d sigma(0.4, 0.1);
  const Eigen::Vector2d weights(1.0, 3.0);
  constexpr int kTrials = 600;
  const Eigen::VectorXd truth = robot.x();
  Eigen::VectorXd squares = Eigen::VectorXd::Zero(truth.size());
  Eigen::VectorXd stated;
  for (int trial = 0; trial < kTrials; ++trial) {
    const std::vector<Dataset> datasets = {robot.Record("a", 100, sigma, trial)};
    const LinearRegression regression(robot.problem, datasets);
    const LeastSquaresSolution solution = regression.Solve(weights);
    squares += (solution.x - truth).cwiseAbs2();
    stated = regression.Covariance(solution, weights, sigma.cwiseAbs2()).diagonal();
  }
  // A variance from n draws is known to √(2/n) = 5.8 %; four of those.
  CHECK(((squares / kTrials).array() / stated.array() - 1.0).abs().maxCoeff() < 0.23);
}

TEST_CASE("Filtering both sides alike keeps noise-free equations exact") {
  const Synthetic robot("planar2");
  const std::vector<Dataset> datasets = {robot.Record("a", 500), robot.Record("b", 400)};
  const LinearRegression regression(robot.problem, datasets, ParallelFilter{5.0, 4});
  const Eigen::Index edge = ButterworthLowpass(4, 5.0, 100.0).EdgeSamples();
  // 100 Hz to 12.5 Hz; each dataset on its own.
  CHECK(regression.samples() == (500 - 2 * edge + 7) / 8 + (400 - 2 * edge + 7) / 8);
  const Eigen::VectorXd x = regression.Solve(Eigen::Vector2d(1, 1)).x;
  CHECK(RelativeError(x, robot.x()) < 1e-10);
  for (const Eigen::MatrixXd& part : regression.Residuals(x)) {
    CHECK(part.cwiseAbs().maxCoeff() < 1e-10);
  }
}

TEST_CASE("White noise behind a parallel filter still has a stated covariance") {
  const Synthetic robot("planar2");
  int stated = 0;
  constexpr int kTrials = 20;
  for (int trial = 0; trial < kTrials; ++trial) {
    const std::vector<Dataset> datasets = {
        robot.Record("a", 3000, Eigen::Vector2d(0.5, 0.2), trial)};
    const LinearRegression regression(robot.problem, datasets, ParallelFilter{10.0, 5});
    const Eigen::Vector2d weights(1, 1);
    const LeastSquaresSolution solution = regression.Solve(weights);
    Estimate estimate;
    estimate.x = solution.x;
    StateCovariance(regression, solution, weights, estimate);
    CHECK(estimate.diagnostics.at("long_run_variance_ratio") < 2.0);  // 1.4 and chance
    stated += estimate.covariance ? 1 : 0;
  }
  CHECK(stated >= 18);
}

TEST_CASE("What is not a regression is refused with its reason") {
  Synthetic robot("planar2");
  const Dataset good = robot.Record("a", 100);
  CHECK(FailureOf(robot.problem, {}) == "there is no dataset of role identification");
  CHECK(FailureOf(robot.problem, {robot.Record("a", 3)}) ==
        "3 samples of 2 equations are fewer than 10 unknowns");
  CHECK(FailureOf(robot.problem, {WithChannel(good, kJointVelocity, [](Eigen::MatrixXd& samples) {
                    samples.conservativeResize(Eigen::NoChange, 1);
                  })}) == "a: the channel 'joint_velocity' has 1 columns, expected 2");
  CHECK(FailureOf(robot.problem, {WithChannel(good, kJointTorque, [](Eigen::MatrixXd& samples) {
                    samples(4, 1) = std::nan("");
                  })}) == "a: the channel 'joint_torque' is nan at sample 5, column 2");
  CHECK(FailureOf(robot.problem, {WithoutChannel(good, kJointTorque)}) ==
        "dataset 'a' lacks joint_torque; its channels: joint_position, joint_velocity, "
        "joint_acceleration");
  robot.problem.parameters = Mixed(robot.problem.parameters, Eigen::MatrixXd::Zero(10, 0));
  CHECK(FailureOf(robot.problem, {good}) == "there are no unknowns");
}

TEST_CASE("Columns that depend are not passed off as independent, however little data show") {
  const Synthetic robot("planar3");
  const Eigen::Index p = robot.problem.parameters.size();
  const std::vector<Dataset> shown = {robot.Record("a", 300)};
  CHECK(!LinearRegression(robot.problem, shown).ColumnsMayDepend());
  // The last unknown is the sum of all others, each with its part.
  Eigen::MatrixXd S(p, p + 1);
  S << Eigen::MatrixXd::Identity(p, p), Eigen::VectorXd::LinSpaced(p, -1.0, 2.0);
  const Problem dependent = InCoordinates(robot.problem, Eigen::VectorXd::Zero(p), S);
  for (int step = 0; step < 14; ++step) {
    const double part = std::pow(0.3, step);
    CAPTURE(part);
    Dataset recorded = shown[0];
    for (const std::string_view name : {kJointVelocity, kJointAcceleration}) {
      recorded = WithChannel(recorded, name,
                             [part](Eigen::MatrixXd& samples) { samples.rightCols(2) *= part; });
    }
    const std::vector<Dataset> datasets = {recorded};
    CHECK(LinearRegression(dependent, datasets).ColumnsMayDepend());
  }
}

}  // namespace
}  // namespace idbench
