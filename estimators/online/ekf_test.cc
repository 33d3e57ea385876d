#include "estimators/online/ekf.h"

#include <doctest/doctest.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "estimators/online/rls.h"
#include "estimators/synthetic_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

Estimate RunEkf(const Synthetic& robot, const std::vector<Dataset>& datasets, const Json& options) {
  Ekf ekf;
  std::vector<Issue> issues;
  ReadFields(ekf.Fields(), options, "", issues);
  REQUIRE(issues.empty());
  return ekf.Run(robot.problem, datasets);
}

TEST_CASE("Without process noise, x̂ and P are those of Bayes' rule for all samples at once") {
  const Synthetic robot = Declared("planar2");
  const std::vector<Dataset> datasets = {robot.Record("a", 100, kSigma),
                                         robot.Record("b", 80, kSigma)};
  const Estimate estimate = RunEkf(robot, datasets, {{"process_noise", 0.0}});
  REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
  // P⁻¹ = P₀⁻¹ + Σ HᵀR⁻¹H, x̂ = P (P₀⁻¹ x₀ + Σ HᵀR⁻¹ (y − y₀))
  const Parametrisation::Prior& prior = *robot.problem.parameters.prior;
  Eigen::MatrixXd information = prior.covariance->diagonal().cwiseInverse().asDiagonal();
  Eigen::VectorXd sum = information * prior.mean;
  SampleRegression regression(robot.problem);
  SampleReader reader(robot.problem, datasets);
  Sample sample(robot.problem);
  Eigen::VectorXd y(2);
  while (reader.Next(10.0, sample)) {
    regression.Evaluate(sample);
    regression.Residual(sample, Eigen::VectorXd::Zero(prior.mean.size()), y);
    const Eigen::MatrixXd weighted =
        regression.H().transpose() * regression.variance().cwiseInverse().asDiagonal();
    information += weighted * regression.H();
    sum += weighted * y;
  }
  const Eigen::LLT<Eigen::MatrixXd> cholesky(information);
  const Eigen::VectorXd expected = cholesky.solve(sum);
  const Eigen::MatrixXd covariance =
      cholesky.solve(Eigen::MatrixXd::Identity(expected.size(), expected.size()));
  // Round-off times the condition of the information, about 1e6.
  CHECK((estimate.x - expected).norm() < 1e-9 * expected.norm());
  CHECK((*estimate.covariance - covariance).norm() < 1e-9 * covariance.norm());
}

TEST_CASE("Where π is not affine, one update is the textbook's extended Kalman filter") {
  Synthetic robot("planar2", "masses_moments_first_moments", {Equation::kTorque}, {0.05}, {});
  robot.Declare(kSigma, 0.2);
  const std::vector<Dataset> datasets = {robot.Record("a", 1, kSigma)};
  const Estimate estimate = RunEkf(robot, datasets, {{"process_noise", 0.0}});
  REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
  // W column by column, from torques of unit parameters.
  const Parametrisation& parameters = robot.problem.parameters;
  const Dynamics dynamics(robot.model, robot.problem.friction);
  Dynamics::Scratch scratch(dynamics);
  const StateSamples state{datasets[0].Get(kJointPosition).samples,
                           datasets[0].Get(kJointVelocity).samples,
                           datasets[0].Get(kJointAcceleration).samples};
  Eigen::MatrixXd W(2, parameters.pi_size()), tau(1, 2);
  for (Eigen::Index k = 0; k < W.cols(); ++k) {
    dynamics.InverseDynamics(Eigen::VectorXd::Unit(W.cols(), k), state, scratch, tau);
    W.col(k) = tau.transpose();
  }
  const Eigen::VectorXd& mean = parameters.prior->mean;
  const Eigen::MatrixXd& P = *parameters.prior->covariance;
  const Eigen::MatrixXd H = W * parameters.Jacobian(mean);
  const Eigen::VectorXd y = datasets[0].Get(kJointTorque).samples.transpose();
  const Eigen::MatrixXd R = robot.problem.rows[0].sigma.cwiseAbs2().asDiagonal();
  const Eigen::MatrixXd S = H * P * H.transpose() + R;
  const Eigen::MatrixXd K = S.llt().solve(H * P).transpose();
  const Eigen::VectorXd x = mean + K * (y - W * parameters.Pi(mean));
  // Round-off times the condition of S, below 1e4.
  CHECK((estimate.x - x).norm() < 1e-11 * x.norm());
  CHECK((*estimate.covariance - (P - K * S * K.transpose())).norm() < 1e-11 * P.norm());
  CHECK((x - mean).norm() > 0.01 * x.norm());  // it did move
}

TEST_CASE("Process noise keeps the filter following a truth that changes") {
  const Synthetic robot = Declared("planar2");
  Synthetic heavier = robot;
  heavier.pi *= 1.3;
  const std::vector<Dataset> datasets = {robot.Record("a", 400), heavier.Record("b", 400)};
  const auto error = [&](const Json& options) {
    const Estimate estimate = RunEkf(robot, datasets, options);
    REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
    return (estimate.x - heavier.x()).norm() / (heavier.x() - robot.x()).norm();
  };
  // Half of the samples say one thing, half the other.
  CHECK(error({{"process_noise", 0.0}}) > 0.3);
  // 1e-4·exp(−4 s/2 s) is left when the truth changes.
  const double decaying = error({{"process_noise", 1e-4}, {"process_noise_decay_s", 2.0}});
  const double constant = error({{"process_noise", 1e-4}});
  CHECK(decaying < 0.3);
  CHECK(constant < decaying);
}

TEST_CASE("As printed, the filter starts from the identity in SI units and needs no covariance") {
  Synthetic robot = Declared("planar2");
  const std::vector<Dataset> datasets = {robot.Record("a", 100, kSigma)};
  const Estimate printed = RunEkf(robot, datasets, {{"p0", "identity"}});
  const Eigen::Index size = robot.problem.parameters.size();
  robot.problem.parameters.prior->covariance = Eigen::MatrixXd::Identity(size, size);
  const Estimate spelled_out = RunEkf(robot, datasets, Json::object());
  REQUIRE(spelled_out.ok());
  CHECK(printed.x == spelled_out.x);
  CHECK(printed.covariance == spelled_out.covariance);
  robot.problem.parameters.prior->covariance.reset();
  CHECK(RunEkf(robot, datasets, {{"p0", "identity"}}).x == printed.x);
  const Estimate refused = RunEkf(robot, datasets, Json::object());
  CHECK(refused.outcome == Outcome::kRefused);
  CHECK(refused.reason ==
        "needs to know how far the prior may be off: declare /problem/prior/std, relative_std or "
        "std_of_bounds");
}

TEST_CASE("A σ that is missing or 0 is refused") {
  Synthetic robot = Declared("planar2");
  const std::vector<Dataset> datasets = {robot.Record("a", 20)};
  robot.problem.rows[0].sigma[1] = 0.0;
  CHECK(RunEkf(robot, datasets, Json::object()).reason ==
        "needs a positive declared σ of joint_torque; that of a row is 0");
  robot.problem.rows[0].sigma.resize(0);
  const Estimate refused = RunEkf(robot, datasets, Json::object());
  CHECK(refused.outcome == Outcome::kRefused);
  CHECK(refused.reason == "needs a positive declared σ of joint_torque");
}

TEST_CASE("A σ below what double precision resolves is a divergence, not an answer") {
  Synthetic robot = Declared("planar2");
  const std::vector<Dataset> datasets = {robot.Record("a", 200)};
  robot.problem.rows[0].sigma.setConstant(1e-13);
  const Estimate estimate = RunEkf(robot, datasets, {{"process_noise", 0.0}});
  CHECK(estimate.outcome == Outcome::kDiverged);
  CHECK(estimate.reason ==
        "the covariance is no longer positive: declared σ are too small beside what the prior "
        "leaves open, by more than double precision holds");
}

TEST_CASE("Before a wide prior costs the estimate its digits, it is a divergence") {
  Synthetic robot = Declared("planar2");
  const std::vector<Dataset> datasets = {robot.Record("a", 200, kSigma)};
  const Eigen::MatrixXd covariance = *robot.problem.parameters.prior->covariance;
  const auto run = [&](double wider, OnlineEstimator& estimator) {
    robot.problem.parameters.prior->covariance = wider * wider * covariance;
    return estimator.Run(robot.problem, datasets);
  };
  int compared = 0;
  bool ended = false;
  for (int power = 0; power < 8; ++power) {
    const double wider = std::pow(10.0, power);
    CAPTURE(wider);
    Ekf ekf;
    const Estimate estimate = run(wider, ekf);
    if (!estimate.ok()) {
      CHECK(estimate.outcome == Outcome::kDiverged);
      CHECK(estimate.reason ==
            "the initial covariance is more than 1e+14 times what the data leave of it, beyond "
            "double precision: start from σ near to what is known, or null where nothing is known "
            "(/problem/prior/std)");
      ended = true;
      break;
    }
    Rls rls;  // by a square-root information filter
    const Estimate reference = run(wider, rls);
    REQUIRE_MESSAGE(reference.ok(), reference.reason);
    // States that the equations do not show are not looked at: rls keeps them as they are.
    const Eigen::VectorXd sigma = reference.sigma()->cwiseMax(1e-12);
    CHECK((estimate.x - reference.x).cwiseQuotient(sigma).cwiseAbs().maxCoeff() < 0.01);
    ++compared;
  }
  CHECK(compared >= 3);
  CHECK(ended);
}

TEST_CASE("The normalised innovation tells whether the declared σ fit the data") {
  Synthetic robot = Declared("planar2");
  const std::vector<Dataset> datasets = {robot.Record("a", 1000, kSigma)};
  const auto squared = [&] {
    return RunEkf(robot, datasets, {{"process_noise", 0.0}})
        .diagnostics.at("normalised_innovation_squared");
  };
  CHECK(std::abs(squared() - 1.0) < 0.13);  // √(2/2,000), four of them
  robot.problem.rows[0].sigma *= 3.0;
  CHECK(squared() < 0.2);
}

}  // namespace
}  // namespace idbench
