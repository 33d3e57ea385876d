#include "estimators/batch/irls.h"

#include <doctest/doctest.h>

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "estimators/batch/ols.h"
#include "estimators/batch/wls.h"
#include "estimators/interface/estimate_test.h"
#include "estimators/synthetic_test.h"

namespace idbench {
namespace {

/// With 20 N·m added to every hundredth sample of each joint, elsewhere for each joint and trial.
Dataset WithSpikes(const Dataset& dataset, int trial) {
  return WithChannel(dataset, kJointTorque, [trial](Eigen::MatrixXd& samples) {
    for (Eigen::Index joint = 0; joint < samples.cols(); ++joint) {
      for (Eigen::Index k = (17 * trial + 41 * joint) % 100; k < samples.rows(); k += 100) {
        samples(k, joint) += 20.0;
      }
    }
  });
}

/// ‖(x̂ − x)/σ‖² with σ of least squares on the same motion, per unknown.
double SquaredErrorOf(const Estimate& estimate, const Synthetic& robot,
                      const Eigen::VectorXd& sigma) {
  REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
  return ((estimate.x - robot.x()).array() / sigma.array()).square().mean();
}

TEST_CASE("1 % spikes of 20 N·m hardly move irls, and wls by ten times as much") {
  const Synthetic robot("planar2");
  double wls = 0.0, irls = 0.0, clean = 0.0;
  for (int trial = 0; trial < 10; ++trial) {
    const std::vector<Dataset> without = {robot.Record("a", 1000, kSigma, trial)};
    const std::vector<Dataset> spiked = {WithSpikes(without[0], trial)};
    const Eigen::VectorXd sigma = *Wls().Run(robot.problem, without).sigma();
    clean += SquaredErrorOf(Wls().Run(robot.problem, without), robot, sigma);
    wls += SquaredErrorOf(Wls().Run(robot.problem, spiked), robot, sigma);
    const Estimate robust = Irls().Run(robot.problem, spiked);
    irls += SquaredErrorOf(robust, robot, sigma);
    // Spikes are 1 % of the rows; of Gaussian noise 3e-6 lie beyond the bisquare.
    CHECK(robust.diagnostics.at("left_out_fraction") == doctest::Approx(0.01).epsilon(0.05));
  }
  CHECK(irls < 1.3 * clean);  // over 0.95, of one sample in a hundred less, by chance of ten trials
  CHECK(wls > 100.0 * irls);  // squares
}

TEST_CASE("With Gaussian noise irls has 0.95 of the efficiency of wls") {
  const Synthetic robot("planar2");
  double wls = 0.0, irls = 0.0;
  for (int trial = 0; trial < 300; ++trial) {
    const std::vector<Dataset> datasets = {robot.Record("a", 300, kSigma, trial)};
    const Estimate weighted = Wls().Run(robot.problem, datasets);
    const Eigen::VectorXd sigma = *weighted.sigma();
    wls += SquaredErrorOf(weighted, robot, sigma);
    irls += SquaredErrorOf(Irls().Run(robot.problem, datasets), robot, sigma);
  }
  // 3000 squared errors, whose correlation 0.97 leaves 0.01 of the ratio to chance.
  CHECK(wls / irls == doctest::Approx(0.95).epsilon(0.03));
}

TEST_CASE("The covariance of irls is that of its errors, spikes or not") {
  const Synthetic robot("planar2");
  for (const bool spiked : {false, true}) {
    double nees = 0.0;
    constexpr int kTrials = 200;
    for (int trial = 0; trial < kTrials; ++trial) {
      std::vector<Dataset> datasets = {robot.Record("a", 400, kSigma, trial)};
      if (spiked) datasets[0] = WithSpikes(datasets[0], trial);
      const Estimate estimate = Irls().Run(robot.problem, datasets);
      REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
      REQUIRE(estimate.covariance);
      const Eigen::VectorXd error = estimate.x - robot.x();
      nees += error.dot(estimate.covariance->llt().solve(error)) /
              static_cast<double>(error.size() * kTrials);
    }
    // χ² of 2000 degrees of freedom: 3 standard deviations are 0.095; σ of 400 samples adds 2 %.
    CHECK(nees == doctest::Approx(1.0).epsilon(0.12));
  }
}

TEST_CASE("A round is a fit with weights of each sample; too few of them are a failure") {
  const Synthetic robot("planar1");
  const std::vector<Dataset> datasets = {
      WithSpikes(robot.Record("a", 200, Eigen::VectorXd::Constant(1, 0.5)), 0)};
  const LinearRegression regression(robot.problem, datasets);
  const Eigen::VectorXd start = Ols().Run(robot.problem, datasets).x;
  const Eigen::VectorXd e = regression.Residuals(start)[0];
  Eigen::VectorXd sizes = e.cwiseAbs();
  std::ranges::sort(sizes);
  const double scale = sizes[100] / 0.6745;
  const Eigen::VectorXd root =
      e.unaryExpr([&](double r) { return std::sqrt(std::min(1.0, 1.345 * scale / std::abs(r))); });
  Eigen::MatrixXd A(200, regression.unknowns());
  regression.VisitColumns(200, [&](const RowColumns& columns) { A = columns.A; });
  const Eigen::VectorXd step =
      (root.asDiagonal() * A).eval().colPivHouseholderQr().solve(root.cwiseProduct(e));
  const std::vector<Eigen::MatrixXd> weights = {root.cwiseAbs2()};
  CHECK(RelativeError(regression.SolveStep({e}, weights).x, step) < 1e-10);
  const Estimate failed = RunWith<Irls>(robot.problem, datasets, {{"bisquare_rounds", 1}});
  CHECK(failed.outcome == Outcome::kNotConverged);
  CHECK(failed.reason.find(
            " of itself after 1 rounds with the bisquare; set \"bisquare_rounds\" higher") !=
        std::string::npos);
}

TEST_CASE("A joint without any residual does not take all the weight, nor do exact data") {
  const Synthetic robot("planar2");
  const std::vector<Dataset> datasets = {robot.Record("a", 200, Eigen::Vector2d(0.5, 0.0))};
  const Estimate estimate = Irls().Run(robot.problem, datasets);
  REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
  const std::vector<Dataset> exact = {robot.Record("a", 200)};
  const Estimate of_exact = Irls().Run(robot.problem, exact);
  REQUIRE_MESSAGE(of_exact.ok(), of_exact.reason);
  CHECK(RelativeError(of_exact.x, robot.x()) < 1e-9);
}

TEST_CASE("On standard parameters irls predicts as on base parameters") {
  const Synthetic standard("planar3", "standard"), base("planar3");
  const std::vector<Dataset> datasets = {
      WithSpikes(base.Record("a", 400, Eigen::Vector3d(0.5, 0.2, 0.05)), 0)};
  const Estimate of_all = Irls().Run(standard.problem, datasets);
  const Estimate of_base = Irls().Run(base.problem, datasets);
  REQUIRE_MESSAGE(of_all.ok(), of_all.reason);
  REQUIRE_MESSAGE(of_base.ok(), of_base.reason);
  REQUIRE(of_all.combinations);
  CHECK(RelativeError(of_all.combinations->B * of_all.x, of_base.x) < 1e-9);
}

TEST_CASE("A constant of 0, or less than one round, is refused by the reader") {
  const auto refusal = [](const Json& options) {
    Irls irls;
    std::vector<Issue> issues;
    ReadFields(irls.Fields(), options, "/estimators/irls", issues);
    REQUIRE(issues.size() == 1);
    return issues[0].where + ": " + issues[0].what;
  };
  CHECK(refusal({{"huber", 0.0}}) == "/estimators/irls/huber: got 0.0");
  CHECK(refusal({{"bisquare", 0.0}}) == "/estimators/irls/bisquare: got 0.0");
  CHECK(refusal({{"bisquare_rounds", 0}}) == "/estimators/irls/bisquare_rounds: got 0");
  CHECK(refusal({{"weight_ratio_cap", 0.5}}) == "/estimators/irls/weight_ratio_cap: got 0.5");
}

}  // namespace
}  // namespace idbench
