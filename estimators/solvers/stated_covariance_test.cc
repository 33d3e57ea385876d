#include "estimators/solvers/stated_covariance.h"

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>
#include <string_view>

#include "estimators/batch/map.h"
#include "estimators/batch/ols.h"
#include "estimators/online/ekf.h"
#include "estimators/synthetic_test.h"
#include "robots/random/random_stream.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// Adds noise of the standard deviation kSigma that remembers `phi` of itself.
Dataset WithMemory(const Dataset& dataset, double phi, int trial) {
  const RandomStream stream(7, trial, "stated_covariance_test");
  return WithChannel(dataset, kJointTorque, [&](Eigen::MatrixXd& samples) {
    Eigen::VectorXd noise = Eigen::VectorXd::Zero(samples.cols());
    for (Eigen::Index i = -400; i < samples.rows(); ++i) {
      for (Eigen::Index j = 0; j < samples.cols(); ++j) {
        const double fresh =
            stream.Normal(static_cast<std::uint64_t>(j), static_cast<std::uint64_t>(i + 400));
        noise[j] = phi * noise[j] + std::sqrt(1.0 - phi * phi) * kSigma[j] * fresh;
        if (i >= 0) samples(i, j) += noise[j];
      }
    }
  });
}

/// Adds `effect`(q̇) to the torque of joint 2.
template <class Effect>
Dataset WithEffect(const Dataset& dataset, Effect effect) {
  const Channel& qd = dataset.Get(kJointVelocity);
  return WithChannel(dataset, kJointTorque, [&](Eigen::MatrixXd& samples) {
    for (Eigen::Index i = 0; i < samples.rows(); ++i) samples(i, 1) += effect(qd.samples(i, 1));
  });
}

double Coverage(Estimator& method, double phi, int trials) {
  const Synthetic robot = Declared("planar2");
  int inside = 0, all = 0;
  for (int trial = 0; trial < trials; ++trial) {
    const std::vector<Dataset> datasets = {WithMemory(robot.Record("a", 800), phi, trial)};
    const Estimate estimate = method.Run(robot.problem, datasets);
    REQUIRE(estimate.covariance);
    CHECK(estimate.notes.contains("sigma"));
    const Eigen::ArrayXd z = (estimate.x - robot.x()).array() / estimate.sigma()->array();
    inside += static_cast<int>((z.abs() < 1.96).count());
    all += static_cast<int>(z.size());
  }
  return static_cast<double>(inside) / all;
}

TEST_CASE("95 % intervals cover under noise with memory, where a white covariance's do not") {
  // 30 trials of 10 unknowns that are correlated: standard deviation about 2 %; a small sample
  // costs another 2 %. A covariance of independent samples covers 0.75 and 0.40.
  Ols ols;
  CHECK(Coverage(ols, 0.5, 30) > 0.89);
  CHECK(Coverage(ols, 0.9, 30) > 0.88);
}

TEST_CASE("Methods with a declared σ state as much as least squares where noise has memory") {
  const Synthetic robot = Declared("planar2");
  const std::vector<Dataset> datasets = {WithMemory(robot.Record("a", 800), 0.9, 0)};
  const Estimate ols = Ols().Run(robot.problem, datasets);
  const Estimate map = Map().Run(robot.problem, datasets);
  Ekf filter;
  std::vector<Issue> issues;
  ReadFields(filter.Fields(), Json{{"process_noise", 0.0}}, "", issues);
  const Estimate ekf = filter.Run(robot.problem, datasets);
  REQUIRE(map.covariance);
  REQUIRE(ekf.covariance);
  CHECK((*map.covariance - *ekf.covariance).norm() < 1e-6 * map.covariance->norm());
  CHECK(map.diagnostics.at("long_run_variance_ratio") > 5.0);
  CHECK(ekf.notes.at("innovations") ==
        "their size is no evidence for σ, as residuals are correlated in time");
  CHECK(map.sigma()->mean() < 1.5 * ols.sigma()->mean());
}

TEST_CASE("A filter that lets unknowns wander states more than one that does not, and no less") {
  const Synthetic robot = Declared("planar2");
  const std::vector<Dataset> datasets = {WithMemory(robot.Record("a", 800), 0.9, 0)};
  const Estimate map = Map().Run(robot.problem, datasets);
  const Estimate ekf = Ekf().Run(robot.problem, datasets);
  REQUIRE(ekf.covariance);
  CHECK((ekf.sigma()->array() > 0.9 * map.sigma()->array()).all());
  CHECK(ekf.sigma()->maxCoeff() < 100.0 * map.sigma()->maxCoeff());
}

TEST_CASE("A filter that follows a payload states its own σ, whatever was carried before") {
  Synthetic robot("barrett_wam7", "payload", {Equation::kTorque}, {}, {});
  const Eigen::VectorXd sigma = Eigen::VectorXd::LinSpaced(7, 0.5, 0.05);
  robot.Declare(sigma);
  Synthetic heavier = robot;
  heavier.pi = robot.problem.parameters.Pi(2.0 * robot.x());
  const std::vector<Dataset> datasets = {heavier.Record("a", 200, sigma),
                                         robot.Record("b", 200, sigma)};
  Ekf filter;
  std::vector<Issue> issues;
  ReadFields(filter.Fields(), {{"process_noise", 0.05}, {"process_noise_decay_s", nullptr}}, "",
             issues);
  REQUIRE(issues.empty());
  const Estimate run = filter.Run(robot.problem, datasets);
  REQUIRE(run.covariance);
  CHECK(*run.covariance == *filter.Current().covariance);
  CHECK(!run.notes.contains("sigma"));
}

TEST_CASE("White residuals leave what a method states as it was") {
  const Synthetic robot = Declared("planar2");
  const std::vector<Dataset> datasets = {robot.Record("a", 800, kSigma)};
  Ekf ekf;
  const Estimate run = ekf.Run(robot.problem, datasets);
  CHECK(*run.covariance == *ekf.Current().covariance);
  CHECK(run.notes.empty());
}

TEST_CASE("Residuals that look less noisy than independent ones make no σ smaller") {
  const Synthetic robot = Declared("planar2");
  const std::vector<Dataset> datasets = {WithMemory(robot.Record("a", 800), -0.9, 0)};
  const Estimate estimate = Ols().Run(robot.problem, datasets);
  CHECK(estimate.diagnostics.at("long_run_variance_ratio") < 0.2);
  CHECK(!estimate.notes.contains("sigma"));
  // Two methods, as one would have its own opinion of each row's variance.
  const RegressionRows rows(robot.problem, datasets);
  const LinearRegression regression(robot.problem, datasets);
  const LeastSquaresSolution solution = regression.Solve(Eigen::VectorXd::Ones(2));
  const Eigen::MatrixXd independent = regression.Covariance(
      solution, Eigen::VectorXd::Ones(2),
      JudgeResiduals(Filled(rows.Residuals(solution.x)), rows.counts(), rows.unknowns(), {})
          .Variance());
  CHECK((*estimate.covariance - independent).norm() < 1e-9 * independent.norm());
}

TEST_CASE("A bias that residuals show is part of σ, as far as a σ covers it") {
  // No friction, no offset among the unknowns; the bias is two σ of the noise.
  Synthetic robot("planar2", "base", {Equation::kTorque}, {0.0}, {});
  robot.Declare(kSigma, 0.5);
  int inside = 0, all = 0, found = 0;
  for (int trial = 0; trial < 20; ++trial) {
    const Dataset dataset =
        WithEffect(robot.Record("a", 300, kSigma, trial), [](double) { return 2.0 * kSigma[1]; });
    const Estimate estimate = Ols().Run(robot.problem, std::vector<Dataset>{dataset});
    found += estimate.notes.contains("residuals") ? 1 : 0;
    if (!estimate.covariance) continue;
    const Eigen::ArrayXd z = (estimate.x - robot.x()).array() / estimate.sigma()->array();
    inside += static_cast<int>((z.abs() < 1.96).count());
    all += static_cast<int>(z.size());
  }
  MESSAGE(found << " found, " << all << " intervals of " << 20 * robot.x().size() << ", " << inside
                << " inside");
  CHECK(found == 20);
  CHECK(all > 0);
  CHECK(inside > 0.9 * all);
}

TEST_CASE("Systematic residuals are named by all methods alike, and their σ covers the bias") {
  // No friction, no offset among the unknowns.
  Synthetic robot("planar2", "base", {Equation::kTorque}, {0.05}, {});
  robot.Declare(kSigma, 0.5);
  const Dataset clean = robot.Record("a", 800, kSigma);
  const auto check = [&](const Dataset& dataset, std::string_view finding) {
    Ols ols;
    Map map;
    Ekf ekf;
    for (Estimator* method : std::initializer_list<Estimator*>{&ols, &map, &ekf}) {
      const Estimate estimate = method->Run(robot.problem, std::vector<Dataset>{dataset});
      REQUIRE(estimate.ok());
      CHECK(estimate.notes.at("residuals").starts_with(finding));
      CHECK(estimate.diagnostics.contains("systematic_shift_sigma"));
      if (!estimate.covariance) continue;
      const Eigen::ArrayXd z = (estimate.x - robot.x()).array() / estimate.sigma()->array();
      CHECK(std::sqrt(z.square().mean()) < 1.5);
    }
  };
  check(WithEffect(clean, [](double) { return 2.0; }),
        "of joint 2 are a constant (bias, or an offset missing?)");
  check(WithEffect(clean, [](double qd) { return qd > 0 ? 2.0 : -2.0; }),
        "of joint 2 follow sign(q̇) (Coulomb friction missing?)");
}

TEST_CASE(
    "Where no covariance covers what residuals follow, none is stated, and the note says why") {
  CovarianceReview review;
  review.correlated = review.withheld = true;
  review.variance_ratio = 40.0;
  review.findings = {"of joint 4 follow dτ/dt (delay?)", "b", "c", "d"};
  review.shift_in_sigma = 2.4;
  const Synthetic robot = Declared("planar2");
  Estimate estimate =
      Ols().Run(robot.problem, std::vector<Dataset>{robot.Record("a", 200, kSigma)});
  REQUIRE(estimate.covariance);
  RecordReview(review, estimate);
  CHECK(!estimate.covariance);
  CHECK(
      estimate.notes.at("covariance") ==
      "none stated: residuals follow what no σ covers; of joint 4 follow dτ/dt (delay?); also b, c "
      "and 1 more; this moves the unknowns by 2.4 times the σ of correlated noise");
  CHECK(estimate.notes.at("sigma").starts_with("withheld: residuals follow what no σ covers; of "));
  CHECK(estimate.notes.at("residuals") == "of joint 4 follow dτ/dt (delay?); also b, c and 1 more");
  CHECK(estimate.diagnostics.at("long_run_variance_ratio") == 40.0);
}

}  // namespace
}  // namespace idbench
