#include "estimators/batch/map.h"

#include <doctest/doctest.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "estimators/online/ekf.h"
#include "estimators/synthetic_test.h"
#include "robots/random/random_stream.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// A covariance of rank `rank` with the given one's diagonal, unknowns correlated.
Eigen::MatrixXd Correlated(const Eigen::MatrixXd& covariance, Eigen::Index rank) {
  const RandomStream stream(8, 0, "covariance");
  const Eigen::MatrixXd root =
      Eigen::MatrixXd::NullaryExpr(covariance.rows(), rank, [&](Eigen::Index i, Eigen::Index j) {
        return stream.Normal(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(j));
      });
  const Eigen::VectorXd scale =
      (covariance.diagonal().array().sqrt() / root.rowwise().norm().array());
  return scale.asDiagonal() * root * root.transpose() * scale.asDiagonal();
}

/// A Kalman filter without process noise: the same estimate on another way.
Estimate Filtered(const Problem& problem, const std::vector<Dataset>& datasets) {
  Ekf ekf;
  std::vector<Issue> issues;
  ReadFields(ekf.Fields(), {{"process_noise", 0.0}}, "", issues);
  REQUIRE(issues.empty());
  return ekf.Run(problem, datasets);
}

TEST_CASE("Under coloured noise it states what a Kalman filter follows sample by sample") {
  Synthetic robot = Declared("planar2");
  const std::vector<Dataset> datasets = {robot.Record("a", 80, kSigma)};
  Map map;
  const Eigen::MatrixXd white = *map.Run(robot.problem, datasets).covariance;
  robot.problem.rows.front().sample_sigma = 0.5 * kSigma;
  robot.problem.rows.front().autocorrelation = Eigen::Vector4d(1.0, 0.75, 0.5, 0.25);
  const Eigen::MatrixXd coloured = *map.Run(robot.problem, datasets).covariance;
  const Eigen::MatrixXd followed = *Filtered(robot.problem, datasets).covariance;
  // A filter's covariance keeps nine digits here.
  CHECK((coloured - followed).norm() < 1e-6 * coloured.norm());
  CHECK((coloured - white).norm() > 0.01 * white.norm());
}

TEST_CASE(
    "It is what a Kalman filter without process noise ends with, also for a full or singular "
    "prior covariance") {
  for (const Eigen::Index rank : {10, 7, 0}) {
    CAPTURE(rank);
    Synthetic robot = Declared("planar2");
    Eigen::MatrixXd& covariance = *robot.problem.parameters.prior->covariance;
    if (rank > 0) covariance = Correlated(covariance, rank);
    // A singular prior elsewhere keeps x from the truth, and residuals then allow no σ.
    robot.problem.parameters.prior->mean = robot.x();
    const std::vector<Dataset> datasets = {robot.Record("a", 150, kSigma),
                                           robot.Record("b", 100, kSigma)};
    const Estimate map = Map().Run(robot.problem, datasets);
    const Estimate filtered = Filtered(robot.problem, datasets);
    REQUIRE_MESSAGE(map.ok(), map.reason);
    REQUIRE_MESSAGE(filtered.ok(), filtered.reason);
    REQUIRE(map.covariance);
    REQUIRE(filtered.covariance);
    // Round-off times the square of the condition, below 1e3, and 500 updates.
    CHECK((map.x - filtered.x).norm() < 1e-10 * map.x.norm());
    CHECK((*map.covariance - *filtered.covariance).norm() < 1e-9 * map.covariance->norm());
  }
}

TEST_CASE("With joint torques and base wrench, in either order, it agrees with the filter too") {
  for (const auto& equations :
       {std::vector<PlacedEquation>{Equation::kTorque, Equation::kWrench},
        std::vector<PlacedEquation>{Equation::kWrench, Equation::kTorque}}) {
    Synthetic robot("barrett_wam7", "masses_and_moments", equations, {}, {});
    const Eigen::VectorXd sigma = Eigen::VectorXd::LinSpaced(13, 0.3, 2.0);
    robot.Declare(sigma);
    const std::vector<Dataset> datasets = {robot.Record("a", 500, sigma)};
    const Estimate map = Map().Run(robot.problem, datasets);
    const Estimate filtered = Filtered(robot.problem, datasets);
    REQUIRE_MESSAGE(map.ok(), map.reason);
    REQUIRE_MESSAGE(filtered.ok(), filtered.reason);
    const Eigen::ArrayXd deviation = map.covariance->diagonal().array().sqrt();
    CHECK(((map.x - filtered.x).array() / deviation).abs().maxCoeff() < 1e-8);
    CHECK((filtered.sigma()->array() / deviation - 1.0).abs().maxCoeff() < 1e-8);
  }
}

TEST_CASE("Its posterior is P₀ − P₀Hᵀ(HP₀Hᵀ + R)⁻¹HP₀ of all rows at once") {
  const Synthetic robot = Declared("planar2");
  const std::vector<Dataset> datasets = {robot.Record("a", 30, kSigma)};
  SampleRegression regression(robot.problem);
  SampleReader reader(robot.problem, datasets);
  Sample sample(robot.problem);
  Eigen::MatrixXd H(60, robot.problem.parameters.size());
  Eigen::VectorXd R(60), residual(60), two(2);
  const Parametrisation::Prior& prior = *robot.problem.parameters.prior;
  while (reader.Next(1.0, sample)) {
    const Eigen::Index row = 2 * (reader.count() - 1);
    regression.Evaluate(sample);
    regression.Residual(sample, prior.mean, two);
    H.middleRows(row, 2) = regression.H();
    residual.segment(row, 2) = two;
    R.segment(row, 2) = regression.variance();
  }
  const Eigen::MatrixXd& P0 = *prior.covariance;
  Eigen::MatrixXd S = H * P0 * H.transpose();
  S.diagonal() += R;
  const Eigen::LLT<Eigen::MatrixXd> cholesky(S);
  const Estimate estimate = Map().Run(robot.problem, datasets);
  REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
  const Eigen::VectorXd expected = prior.mean + P0 * H.transpose() * cholesky.solve(residual);
  const Eigen::MatrixXd posterior = P0 - P0 * H.transpose() * cholesky.solve(H * P0);
  // Round-off times the condition of S, 1e6.
  CHECK((estimate.x - expected).norm() < 1e-9 * expected.norm());
  CHECK((*estimate.covariance - posterior).norm() < 1e-9 * P0.norm());
}

TEST_CASE("What has no prior variance is fixed to the bit, whatever the data say") {
  Synthetic robot = Declared("planar2");
  Parametrisation::Prior& prior = *robot.problem.parameters.prior;
  prior.covariance->row(4).setZero();
  prior.covariance->row(7).setZero();
  const Estimate estimate = Map().Run(robot.problem, std::vector{robot.Record("a", 200, kSigma)});
  REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
  for (Eigen::Index k = 0; k < prior.mean.size(); ++k) {
    const bool fixed = k == 4 || k == 7;
    CHECK((estimate.x[k] == prior.mean[k]) == fixed);
    CHECK(((*estimate.covariance)(k, k) == 0.0) == fixed);
  }
}

TEST_CASE("σ far below the prior's reach is solved by QR, and further below it is refused") {
  // Standard parameters: the prior alone tells many of them.
  Synthetic robot("planar2", "standard");
  const std::vector<Dataset> datasets = {robot.Record("a", 200)};
  robot.Declare(1e-5 * kSigma, 0.2);
  const Estimate estimate = Map().Run(robot.problem, datasets);
  REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
  CHECK(estimate.notes.at("solver").starts_with("QR"));
  CHECK(estimate.diagnostics.at("condition") > 1e6);
  // Without noise what is left of 400 residuals is the pull of 24 priors, each within its σ.
  CHECK(estimate.diagnostics.at("normalised_residual_squared") < 24.0 / 400.0);
  robot.Declare(1e-10 * kSigma, 0.2);
  const Estimate refused = Map().Run(robot.problem, datasets);
  CHECK(refused.outcome == Outcome::kRankDeficient);
  CHECK(refused.reason ==
        "the prior is lost beside the data in double precision: declare greater σ, or give the "
        "prior more weight");
}

TEST_CASE("A covariance that is none, or that is missing like σ, is refused") {
  Synthetic robot = Declared("planar2");
  const std::vector<Dataset> datasets = {robot.Record("a", 100)};
  const auto reason = [&] {
    const Estimate estimate = Map().Run(robot.problem, datasets);
    CHECK(estimate.outcome == Outcome::kRefused);
    return estimate.reason;
  };
  Parametrisation::Prior& prior = *robot.problem.parameters.prior;
  const Eigen::MatrixXd good = *prior.covariance;
  const std::string not_one = "the prior's covariance is not positive semi-definite";
  (*prior.covariance)(2, 2) *= -1.0;
  CHECK(reason() == not_one);
  prior.covariance = good;
  (*prior.covariance)(1, 2) = (*prior.covariance)(2, 1) = 2.0 * std::sqrt(good(1, 1) * good(2, 2));
  CHECK(reason() == not_one);
  prior.covariance.reset();
  CHECK(reason() ==
        "needs to know how far the prior may be off: declare /problem/prior/std, relative_std or "
        "std_of_bounds");
  prior.covariance = good;
  robot.problem.rows[0].sigma.resize(0);
  CHECK(reason() == "needs a positive declared σ of joint_torque");
}

TEST_CASE("The normalised residual tells whether the declared σ fit the data") {
  Synthetic robot = Declared("planar2");
  const std::vector<Dataset> datasets = {robot.Record("a", 1000, kSigma)};
  const auto squared = [&] {
    return Map().Run(robot.problem, datasets).diagnostics.at("normalised_residual_squared");
  };
  CHECK(std::abs(squared() - 1.0) < 0.13);  // √(2/2,000), four of them
  robot.problem.rows[0].sigma *= 3.0;
  CHECK(squared() < 0.2);
}

}  // namespace
}  // namespace idbench
