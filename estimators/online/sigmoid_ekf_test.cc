#include "estimators/online/sigmoid_ekf.h"

#include <doctest/doctest.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <limits>

#include "estimators/synthetic_test.h"
#include "robots/random/random_stream.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

Estimate RunSigmoidEkf(const Json& options, const Problem& problem,
                       const std::vector<Dataset>& datasets) {
  SigmoidEkf method;
  std::vector<Issue> issues;
  ReadFields(method.Fields(), options, "", issues);
  REQUIRE(issues.empty());
  return method.Run(problem, datasets);
}

/// The WAM of Joukov et al. 2015: 28 masses and moments, all 20 % too large in the prior.
Synthetic JoukovWam(const std::vector<PlacedEquation>& equations = {Equation::kTorque}) {
  return Synthetic("barrett_wam7", "masses_and_moments", equations, {}, {});
}

/// 1 % of each row's largest value.
Eigen::VectorXd OnePercent(const Synthetic& robot, const std::string& label) {
  const Dataset clean = robot.Record(label, 4000);
  Eigen::VectorXd sigma(robot.problem.row_count());
  Eigen::Index row = 0;
  for (const std::string_view channel : robot.problem.measured_channels()) {
    const Eigen::MatrixXd& y = clean.Get(channel).samples;
    sigma.segment(row, y.cols()) = 0.01 * y.cwiseAbs().colwise().maxCoeff().transpose();
    row += y.cols();
  }
  return sigma;
}

TEST_CASE("One update is the textbook's extended Kalman filter in ξ, lifted to physical units") {
  Synthetic robot = Declared("planar2");
  // Off the middle of the bounds, where the sigmoid is curved, and with correlations.
  Parametrisation& parameters = robot.problem.parameters;
  const Eigen::Index size = parameters.size();
  parameters.prior->mean += 0.3 * (parameters.upper - parameters.prior->mean);
  const RandomStream stream(5, 0, "covariance");
  const Eigen::MatrixXd root =
      Eigen::MatrixXd::NullaryExpr(size, size, [&](Eigen::Index i, Eigen::Index j) {
        return 0.1 * stream.Normal(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(j));
      });
  parameters.prior->covariance = root * root.transpose();
  const std::vector<Dataset> datasets = {robot.Record("a", 1, kSigma)};
  const double c = 0.7, k = 0.02;
  const Estimate estimate =
      RunSigmoidEkf({{"slope", c}, {"process_noise", k}}, robot.problem, datasets);
  REQUIRE_MESSAGE(estimate.ok(), estimate.reason);

  const Eigen::ArrayXd lower = parameters.lower, range = parameters.upper - parameters.lower;
  const Eigen::ArrayXd fraction = (parameters.prior->mean.array() - lower) / range;
  const Eigen::VectorXd J = c * range * fraction * (1.0 - fraction);
  const Eigen::MatrixXd J_inverse = J.cwiseInverse().asDiagonal();
  const Eigen::MatrixXd P = (1.0 + k) * J_inverse * *parameters.prior->covariance * J_inverse;
  SampleRegression regression(robot.problem);
  SampleReader reader(robot.problem, datasets);
  Sample sample(robot.problem);
  REQUIRE(reader.Next(1.0, sample));
  regression.Evaluate(sample);
  Eigen::VectorXd residual(2);
  regression.Residual(sample, parameters.prior->mean, residual);
  const Eigen::MatrixXd H = regression.H() * J.asDiagonal();
  const Eigen::MatrixXd R = regression.variance().asDiagonal();
  const Eigen::MatrixXd S = H * P * H.transpose() + R;
  const Eigen::MatrixXd K = S.llt().solve(H * P).transpose();
  const Eigen::ArrayXd xi = (fraction / (1.0 - fraction)).log() / c + (K * residual).array();
  const Eigen::ArrayXd after = 1.0 / (1.0 + (-c * xi).exp());
  const Eigen::VectorXd x = lower + range * after;
  const Eigen::VectorXd J_after = c * range * after * (1.0 - after);
  const Eigen::MatrixXd covariance =
      J_after.asDiagonal() * (P - K * S * K.transpose()).eval() * J_after.asDiagonal();
  // Round-off times the condition of S, below 1e4.
  CHECK((estimate.x - x).norm() < 1e-11 * x.norm());
  CHECK((*estimate.covariance - covariance).norm() < 1e-11 * covariance.norm());
  CHECK((x - parameters.prior->mean).norm() > 0.01 * x.norm());  // it did move
}

TEST_CASE("From the prior the slope has no effect, from the identity it is the prior's width") {
  Synthetic robot = Declared("planar2");
  const std::vector<Dataset> datasets = {robot.Record("a", 50, kSigma)};
  const Estimate one =
      RunSigmoidEkf({{"slope", 1.0}, {"process_noise", 1e-4}}, robot.problem, datasets);
  const Estimate other =
      RunSigmoidEkf({{"slope", 0.3}, {"process_noise", 1e-4}}, robot.problem, datasets);
  REQUIRE((one.ok() && other.ok()));
  CHECK((one.x - other.x).norm() < 1e-12 * one.x.norm());
  CHECK((*one.covariance - *other.covariance).norm() < 1e-10 * one.covariance->norm());
  // In the middle of the bounds ∂x/∂ξ = c·(upper − lower)/4.
  const double c = 0.8;
  const Estimate identity =
      RunSigmoidEkf({{"slope", c}, {"p0", "identity"}}, robot.problem, datasets);
  Parametrisation& parameters = robot.problem.parameters;
  parameters.prior->covariance =
      Eigen::MatrixXd((0.25 * c * (parameters.upper - parameters.lower)).cwiseAbs2().asDiagonal());
  const Estimate prior = RunSigmoidEkf(Json::object(), robot.problem, datasets);
  REQUIRE((identity.ok() && prior.ok()));
  CHECK((identity.x - prior.x).norm() < 1e-12 * prior.x.norm());
  CHECK((identity.x - one.x).norm() > 1e-6 * one.x.norm());
  parameters.prior->covariance.reset();
  CHECK(RunSigmoidEkf({{"slope", c}, {"p0", "identity"}}, robot.problem, datasets).x == identity.x);
  CHECK(RunSigmoidEkf(Json::object(), robot.problem, datasets).reason ==
        "needs to know how far the prior may be off: declare /problem/prior/std, relative_std or "
        "std_of_bounds");
}

TEST_CASE("No data carry an estimate over its bounds, clamped or not") {
  Synthetic robot = Declared("planar2");
  Parametrisation& parameters = robot.problem.parameters;
  for (int trial = 0; trial < 20; ++trial) {
    CAPTURE(trial);
    const RandomStream stream(6, trial, "outliers");
    const Dataset wild = WithChannel(
        robot.Record("a", 60, kSigma, trial), kJointTorque, [&](Eigen::MatrixXd& samples) {
          for (Eigen::Index i = 0; i < samples.rows(); ++i) {
            const auto at = static_cast<std::uint64_t>(i);
            if (stream.Uniform(0, at) > 0.2) continue;
            samples(i, i % 2) += std::pow(10.0, 6.0 * stream.Uniform(1, at)) * stream.Normal(2, at);
          }
        });
    // Bounds whose distance rounds up: lower + (upper − lower) > upper.
    parameters.upper.array() += 0.1 * trial / 7.0;
    for (const Json& options : {Json::object(), Json{{"clamp", nullptr}},
                                Json{{"clamp", nullptr}, {"p0", "identity"}, {"slope", 9.0}}}) {
      const Estimate estimate = RunSigmoidEkf(options, robot.problem, {wild});
      REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
      CHECK((estimate.x.array() >= parameters.lower.array()).all());
      CHECK((estimate.x.array() <= parameters.upper.array()).all());
    }
  }
}

TEST_CASE("The clamp keeps an estimate from freezing at a bound") {
  // One wild sample throws all unknowns into the flat ends of their sigmoids.
  const Synthetic robot = Declared("planar2");
  const std::vector<Dataset> datasets = {
      WithChannel(robot.Record("a", 400, kSigma), kJointTorque,
                  [](Eigen::MatrixXd& samples) { samples.row(0).setConstant(1e4); })};
  const Estimate clamped = RunSigmoidEkf(Json::object(), robot.problem, datasets);
  const Estimate frozen = RunSigmoidEkf({{"clamp", nullptr}}, robot.problem, datasets);
  REQUIRE((clamped.ok() && frozen.ok()));
  CHECK(frozen.diagnostics.at("saturated_count") > clamped.diagnostics.at("saturated_count"));
  CHECK((frozen.x - robot.x()).norm() > 3.0 * (clamped.x - robot.x()).norm());
}

TEST_CASE("A direction without variance stays at the prior") {
  Synthetic robot = Declared("planar2");
  robot.problem.parameters.prior->covariance->row(3).setZero();
  const Estimate estimate =
      RunSigmoidEkf(Json::object(), robot.problem, {robot.Record("a", 100, kSigma)});
  REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
  CHECK(estimate.x[3] == doctest::Approx(robot.problem.parameters.prior->mean[3]).epsilon(1e-14));
  CHECK((*estimate.covariance)(3, 3) == 0.0);
}

TEST_CASE("Bounds that are missing, or that the prior is not well inside of, are refused by name") {
  Synthetic robot = Declared("planar2");
  Parametrisation& parameters = robot.problem.parameters;
  const std::vector<Dataset> datasets = {robot.Record("a", 10, kSigma)};
  const auto reason = [&](const Json& options = Json::object()) {
    const Estimate estimate = RunSigmoidEkf(options, robot.problem, datasets);
    CHECK(estimate.outcome == Outcome::kRefused);
    return estimate.reason;
  };
  const std::string name = parameters.names[1];
  parameters.prior->mean[1] = 1.0;
  parameters.lower[1] = 0.999;
  parameters.upper[1] = 2.0;
  CHECK(reason() == "the prior of " + name +
                        " is 1, so near its bounds 0.999 and 2 that the clamp 5 would move it; "
                        "widen the bounds, or set \"clamp\" to 7.9 or to null");
  CHECK(RunSigmoidEkf({{"clamp", nullptr}}, robot.problem, datasets).ok());
  parameters.lower[1] = 1.0;
  CHECK(reason() == "the prior of " + name + " is 1, which is not inside its bounds 1 and 2");
  parameters.upper[1] = std::numeric_limits<double>::infinity();
  CHECK(reason().starts_with("needs bounds on both sides of every unknown, " + name + " among"));
}

TEST_CASE("WAM, 40 s: all unknowns end within what is stated, a hidden one at the prior") {
  const Eigen::Index in_torques = 28, with_base = 32;
  for (const auto& [equations, size] :
       {std::pair{std::vector<PlacedEquation>{Equation::kTorque}, in_torques},
        std::pair{std::vector<PlacedEquation>{Equation::kWrench}, with_base},
        std::pair{std::vector<PlacedEquation>{Equation::kTorque, Equation::kWrench}, with_base}}) {
    Synthetic robot = JoukovWam(equations);
    const Eigen::VectorXd sigma = OnePercent(robot, "a");
    robot.Declare(sigma);
    const Eigen::VectorXd truth = robot.x();
    REQUIRE(truth.size() == size);
    // With the process noise of the paper's study: without, no σ is stated.
    const Estimate estimate =
        RunSigmoidEkf({{"process_noise", 1e-4}, {"process_noise_decay_s", 2.0}}, robot.problem,
                      {robot.Record("a", 4000, sigma)});
    REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
    const Eigen::ArrayXd error = estimate.x - truth;
    CHECK(((error / estimate.sigma()->array()).abs() < 4.0).all());
    if (size == with_base) continue;
    REQUIRE(robot.problem.parameters.names[0] == "link1.m");
    // It turns about its own centre's line all but exactly.
    CHECK(std::abs(error[0] / truth[0] - 0.2) < 0.005);
    CHECK((*estimate.sigma())[0] > 0.99 * 0.6 * truth[0]);
  }
}

TEST_CASE("WAM, 40 s, first moments unknown too: torques are predicted, masses stay in bounds") {
  Synthetic robot("barrett_wam7", "masses_moments_first_moments", {Equation::kTorque}, {}, {});
  const Eigen::VectorXd sigma = OnePercent(robot, "a");
  robot.Declare(sigma);
  const Parametrisation& parameters = robot.problem.parameters;
  REQUIRE(parameters.size() == 49);
  const Estimate estimate =
      RunSigmoidEkf(Json::object(), robot.problem, {robot.Record("a", 4000, sigma)});
  REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
  CHECK((estimate.x.array() >= parameters.lower.array()).all());
  CHECK((estimate.x.array() <= parameters.upper.array()).all());
  // On a motion that it has not seen. Noise alone would leave 0.5 %; that the first samples are
  // worked in far from where it ends leaves some more.
  const Dataset other = robot.Record("b", 1000);
  const Dynamics dynamics(robot.model, robot.problem.friction);
  Dynamics::Scratch scratch(dynamics);
  const auto error = [&](const Eigen::VectorXd& pi) {
    Eigen::MatrixXd tau(1000, 7);
    dynamics.InverseDynamics(pi,
                             {other.Get(kJointPosition).samples, other.Get(kJointVelocity).samples,
                              other.Get(kJointAcceleration).samples},
                             scratch, tau);
    return (tau - other.Get(kJointTorque).samples).norm();
  };
  CHECK(error(estimate.pi) < 0.05 * error(parameters.Pi(parameters.prior->mean)));
}

TEST_CASE("σ is stated from a narrow prior, and withheld where linearisations went wrong") {
  Synthetic robot = Declared("planar2");
  const std::vector<Dataset> datasets = {robot.Record("a", 400, kSigma)};
  // The truth is 1/6 of the prior off it.
  const Estimate wide = RunSigmoidEkf(Json::object(), robot.problem, datasets);
  REQUIRE_MESSAGE(wide.ok(), wide.reason);
  CHECK(wide.diagnostics.at("linearisation_error_sigma") > 0.5);
  CHECK_FALSE(wide.covariance);
  CHECK(wide.notes.at("covariance").starts_with("none stated: linearised sample by sample"));
  // Process noise makes σ its own.
  CHECK(RunSigmoidEkf({{"process_noise_per_s", 1e-3}}, robot.problem, datasets).covariance);

  robot.problem.parameters.prior->mean =
      robot.x() + 0.01 * (robot.problem.parameters.prior->mean - robot.x());
  *robot.problem.parameters.prior->covariance *= 1e-4;
  const Estimate narrow = RunSigmoidEkf(Json::object(), robot.problem, datasets);
  REQUIRE_MESSAGE(narrow.ok(), narrow.reason);
  CHECK(narrow.diagnostics.at("linearisation_error_sigma") < 0.2);
  CHECK(narrow.covariance);
}

}  // namespace
}  // namespace idbench
