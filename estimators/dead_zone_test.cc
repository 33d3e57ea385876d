#include <doctest/doctest.h>

#include <limits>

#include "estimators/conformance_test.h"
#include "estimators/interface/aligned_equations.h"
#include "estimators/interface/row_mask.h"
#include "estimators/interface/sample.h"
#include "estimators/solvers/linear_regression.h"
#include "estimators/solvers/residual_statistics.h"
#include "scenarios/options/json.h"

/// Laws of rows that lie in a dead zone, for every method of the registry.
namespace idbench {
namespace {

constexpr double kNever = 1e3;  ///< No joint is as fast [rad/s].
const Eigen::Vector2d kZones(0.8, 0.6);

Problem WithZones(const Problem& problem, const Eigen::Vector2d& zones, DeadZoneOf of) {
  Problem masked = problem;
  masked.rows[0].dead_zone = zones;
  masked.rows[0].dead_zone_of = of;
  return masked;
}

/// A copy without the samples at which some joint is slower than its zone.
Dataset Thinned(const Dataset& dataset, const Eigen::Vector2d& zones) {
  const Eigen::MatrixXd& qd = dataset.Get(kJointVelocity).samples;
  std::vector<Eigen::Index> kept;
  for (Eigen::Index i = 0; i < qd.rows(); ++i) {
    if ((qd.row(i).transpose().array().abs() >= zones.array()).all()) kept.push_back(i);
  }
  Dataset thinned = dataset.WithoutChannels();
  for (Channel channel : dataset.channels()) {
    channel.time_s = channel.time_s(kept).eval();
    channel.samples = channel.samples(kept, Eigen::all).eval();
    thinned.Add(std::move(channel));
  }
  return thinned;
}

/// Runs a method that takes the unknowns for constant.
Estimate RunSteady(const Claims& claims, const Problem& problem,
                   const std::vector<Dataset>& datasets) {
  const std::unique_ptr<Estimator> method = FindEstimator(claims.type)->make();
  std::vector<Issue> issues;
  ReadFields(method->Fields(), Json::parse(claims.without_drift), "", issues);
  REQUIRE(issues.empty());
  return method->Run(problem, datasets);
}

TEST_CASE("Samples in a dead zone of all joints leave what data without them leave") {
  ForEveryMethod(
      [](const Claims& claims, const EstimatorEntry&) {
        const Synthetic& robot = Planar2(claims);
        const std::vector<Dataset> pair = NoisyPair(robot);
        std::vector<Dataset> thinned;
        for (const Dataset& dataset : pair) thinned.push_back(Thinned(dataset, kZones));
        REQUIRE(thinned[0].Get(kJointTorque).samples.rows() < 120);
        const Problem masked = WithZones(robot.problem, kZones, DeadZoneOf::kSample);
        const Estimate left = RunSteady(claims, masked, pair);
        const Estimate expected = RunSteady(claims, robot.problem, thinned);
        REQUIRE_MESSAGE(left.ok(), left.reason);
        REQUIRE_MESSAGE(expected.ok(), expected.reason);
        // A filter on its way linearises at other instants; round-off of the others is below 1e-9.
        const double tolerance = claims.batch || claims.type == "ekf" ? 1e-8 : 1e-5;
        CHECK((left.x - expected.x).norm() < tolerance * expected.x.norm());
        CHECK((left.x - RunSteady(claims, robot.problem, pair).x).norm() >
              1e-4 * expected.x.norm());
        REQUIRE(left.covariance.has_value() == expected.covariance.has_value());
        if (!left.covariance) return;
        CHECK((*left.covariance - *expected.covariance).norm() <
              1e-5 * expected.covariance->norm());
      },
      ReadsData);
}

TEST_CASE("Rows of a joint's own dead zone are missing alike in batch and in filters") {
  const Synthetic robot = Declared("planar2");
  const Problem masked = WithZones(robot.problem, kZones, DeadZoneOf::kRow);
  const std::vector<Dataset> pair = NoisyPair(robot);
  const auto run = [&](const char* type) {
    for (const Claims& claims : kClaims) {
      if (claims.type == type) return RunSteady(claims, masked, pair);
    }
    return Estimate();
  };
  const Estimate map = run("map"), ekf = run("ekf"), rls = run("rls");
  REQUIRE_MESSAGE(map.ok(), map.reason);
  CHECK((map.x - ekf.x).norm() < 1e-9 * map.x.norm());
  CHECK((map.x - rls.x).norm() < 1e-9 * map.x.norm());
  CHECK((*map.covariance - *ekf.covariance).norm() < 1e-8 * map.covariance->norm());
  // The model is right, so that what counts scatters as declared: χ²/rows of about 360 rows.
  const double left = ekf.diagnostics.at("rows_left_out");
  CHECK(left > 50.0);
  CHECK(left == static_cast<double>(LeftOutOf(masked, pair)[0].left_out));
  CHECK(std::abs(map.diagnostics.at("normalised_residual_squared") - 1.0) < 0.25);
  CHECK(std::abs(ekf.diagnostics.at("normalised_innovation_squared") - 1.0) < 0.25);
}

TEST_CASE("An entropic filter judges innovations of the rows that count") {
  const Claims& claims = *std::ranges::find(kClaims, "entropic_filter", &Claims::type);
  const Synthetic& robot = Planar2(claims);
  const std::vector<Dataset> pair = NoisyPair(robot);
  const Estimate estimate =
      RunSteady(claims, WithZones(robot.problem, {1.0, 0.0}, DeadZoneOf::kRow), pair);
  REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
  CHECK(std::abs(estimate.diagnostics.at("normalised_innovation_squared") - 1.0) < 0.25);
}

TEST_CASE("Degrees of freedom, mean squares and residuals count the rows that are there") {
  const Synthetic robot = Declared("planar2");
  const std::vector<Dataset> pair = NoisyPair(robot);
  const LinearRegression regression(WithZones(robot.problem, kZones, DeadZoneOf::kRow), pair);
  Eigen::VectorXd counts = Eigen::VectorXd::Zero(2), squares = counts;
  for (const Dataset& dataset : pair) {
    const Eigen::MatrixXd& qd = dataset.Get(kJointVelocity).samples;
    for (Eigen::Index i = 0; i < qd.rows(); ++i) {
      for (int j = 0; j < 2; ++j) {
        if (std::abs(qd(i, j)) < kZones[j]) continue;
        counts[j] += 1.0;
        squares[j] += std::pow(dataset.Get(kJointTorque).samples(i, j), 2);
      }
    }
  }
  CHECK(regression.counts() == counts);
  CHECK(regression.samples() == 250);
  CHECK(regression.mean_square().isApprox(squares.cwiseQuotient(counts), 1e-13));
  const LeastSquaresSolution solution = regression.Solve(Eigen::VectorXd::Ones(2));
  const auto residuals = regression.Residuals(solution.x);
  CHECK(residuals[0].array().isNaN().count() + residuals[1].array().isNaN().count() ==
        500 - static_cast<Eigen::Index>(counts.sum()));
  const ResidualStatistics statistics =
      JudgeResiduals(Filled(residuals), regression.counts(), regression.unknowns());
  const Eigen::VectorXd freedom = counts - counts * (regression.unknowns() / counts.sum());
  const Eigen::VectorXd variance = regression.ResidualSquares(solution.x).cwiseQuotient(freedom);
  CHECK(statistics.Variance().isApprox(variance, 1e-12));
  CHECK((statistics.Variance().cwiseSqrt() - kSigma).cwiseQuotient(kSigma).norm() < 0.15);
}

TEST_CASE("A fit by QR leaves the same rows out") {
  Synthetic robot = Declared("planar2");
  const std::vector<Dataset> pair = NoisyPair(robot);
  const Problem masked = WithZones(robot.problem, kZones, DeadZoneOf::kRow);
  const LinearRegression sums(masked, pair);
  Problem near = masked;  // two unknowns that act almost alike need QR
  const AffineMap& map = *masked.parameters.affine();
  const Eigen::Index last = masked.parameters.size() - 1;
  Eigen::MatrixXd mix = Eigen::MatrixXd::Identity(last + 1, last + 1);
  mix(0, last) = 1.0;
  mix(last, last) = 1e-7;
  near.parameters = Parametrisation("mixed", {map.pi0, map.A * mix},
                                    Eigen::MatrixXd::Zero(mix.cols(), map.pi0.size()),
                                    masked.parameters.names, masked.parameters.units);
  const LinearRegression qr(near, pair);
  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(2);
  const LeastSquaresSolution by_qr = qr.Solve(ones);
  CHECK(by_qr.by_qr);
  const Eigen::VectorXd x = sums.Solve(ones).x;
  CHECK((mix * by_qr.x - x).norm() < 1e-6 * x.norm());
}

TEST_CASE("Behind a parallel filter the velocity of each kept sample says whether it counts") {
  const Synthetic robot = Declared("planar2");
  const std::vector<Dataset> datasets = {robot.Record("a", 600, kSigma)};
  const ParallelFilter filter{.cutoff_hz = 10.0};
  const Problem masked = WithZones(robot.problem, kZones, DeadZoneOf::kRow);
  const LinearRegression regression(masked, datasets, filter);
  const Eigen::MatrixXd e = regression.Residuals(robot.x())[0];
  const LinearRegression all(robot.problem, datasets, filter);
  const Eigen::MatrixXd plain = all.Residuals(robot.x())[0];
  const DecimatingLowpass lowpass(filter, AlignEquations(masked, datasets[0], masked.rows));
  const Eigen::Index step = lowpass.step(), edge = lowpass.edge_samples();
  CHECK(step == 4);  // from 100 Hz to 25
  const Eigen::MatrixXd& qd = datasets[0].Get(kJointVelocity).samples;
  REQUIRE(e.rows() == plain.rows());
  Eigen::VectorXd squares = Eigen::VectorXd::Zero(2);
  for (Eigen::Index k = 0; k < e.rows(); ++k) {
    for (int j = 0; j < 2; ++j) {
      const bool counts = std::abs(qd(edge + step * k, j)) >= kZones[j];
      CHECK(std::isnan(e(k, j)) == !counts);
      if (!counts) continue;
      CHECK(e(k, j) == plain(k, j));
      squares[j] += e(k, j) * e(k, j);
    }
  }
  CHECK(regression.ResidualSquares(robot.x()).isApprox(squares, 1e-12));
  const LeastSquaresSolution solution = regression.Solve(Eigen::VectorXd::Ones(2));
  CHECK(regression.ResidualSquares(solution.x).sum() < squares.sum());
  CHECK(all.ResidualSquares(solution.x).sum() >
        all.ResidualSquares(all.Solve(Eigen::VectorXd::Ones(2)).x).sum());
}

TEST_CASE("Where nothing is left of a row, every method says of which") {
  ForEveryMethod(
      [](const Claims& claims, const EstimatorEntry&) {
        const Synthetic& robot = Planar2(claims);
        const Estimate estimate = RunSteady(
            claims, WithZones(robot.problem, {0.0, kNever}, DeadZoneOf::kRow), NoisyPair(robot));
        CHECK(estimate.outcome == Outcome::kRefused);
        CHECK(estimate.reason ==
              "joint_torque joint2: nothing is left, all 250 samples lie in its dead zone; make "
              "dead_zone_rad_s smaller, or 0 for joints that are to count at rest");
      },
      ReadsData);
}

}  // namespace
}  // namespace idbench
