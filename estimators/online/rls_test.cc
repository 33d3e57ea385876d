#include "estimators/online/rls.h"

#include <doctest/doctest.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/QR>
#include <cmath>
#include <cstdlib>

#include "estimators/batch/map.h"
#include "estimators/batch/wls.h"
#include "estimators/online/ekf.h"
#include "estimators/synthetic_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

Estimate RunRls(const Problem& problem, const std::vector<Dataset>& datasets,
                const Json& options = Json::object()) {
  Rls method;
  std::vector<Issue> issues;
  ReadFields(method.Fields(), options, "", issues);
  REQUIRE(issues.empty());
  return method.Run(problem, datasets);
}

/// Equations of all samples, rows over σ and times e^−(end − t)/2T.
struct Stacked {
  Eigen::MatrixXd H;
  Eigen::VectorXd y;

  Stacked(const Problem& problem, const std::vector<Dataset>& datasets, double forgetting_time_s) {
    SampleRegression regression(problem);
    SampleReader reader(problem, datasets);
    Sample sample(problem);
    std::vector<double> times;
    Eigen::VectorXd residual(2);
    const Eigen::Index size = problem.parameters.size();
    while (reader.Next(1e9, sample)) {
      regression.Evaluate(sample);
      regression.Residual(sample, Eigen::VectorXd::Zero(size), residual);
      H.conservativeResize(H.rows() + 2, size);
      y.conservativeResize(y.size() + 2);
      const Eigen::VectorXd weight = regression.variance().cwiseSqrt().cwiseInverse();
      H.bottomRows(2) = weight.asDiagonal() * regression.H();
      y.tail(2) = weight.cwiseProduct(residual);
      times.push_back(sample.t_s);
    }
    for (std::size_t i = 0; i < times.size(); ++i) {
      const double kept = std::exp(-0.5 * (times.back() - times[i]) / forgetting_time_s);
      H.middleRows(2 * static_cast<Eigen::Index>(i), 2) *= kept;
      y.segment(2 * static_cast<Eigen::Index>(i), 2) *= kept;
    }
  }
};

TEST_CASE("Without a prior it is least squares of all samples, forgetting those of long ago") {
  Synthetic robot("planar2");
  robot.Declare(kSigma, 0.2);
  robot.problem.parameters.prior.reset();
  const std::vector<Dataset> datasets = {robot.Record("a", 100, kSigma),
                                         robot.Record("b", 80, kSigma)};
  for (const double time_s : {0.3, 1e12}) {
    CAPTURE(time_s);
    const Estimate estimate =
        RunRls(robot.problem, datasets,
               time_s < 1e6 ? Json{{"forgetting_time_s", time_s}} : Json::object());
    REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
    const Stacked stacked(robot.problem, datasets, time_s);
    const Eigen::VectorXd expected = stacked.H.colPivHouseholderQr().solve(stacked.y);
    CHECK((estimate.x - expected).norm() < 1e-10 * expected.norm());  // condition below 1e4
    CHECK(estimate.covariance.has_value() == (time_s > 1e6));
    if (!estimate.covariance) {
      CHECK(estimate.notes.at("covariance") ==
            "none stated: what is forgotten is not what is uncertain");
      continue;
    }
    const Eigen::MatrixXd information = stacked.H.transpose() * stacked.H;
    const Eigen::MatrixXd one = information * *estimate.covariance;
    CHECK((one - Eigen::MatrixXd::Identity(10, 10)).norm() < 1e-7);
  }
}

TEST_CASE("With a prior covariance it is Bayes' rule, also of what the equations do not see") {
  Synthetic robot("planar2", "standard");
  robot.Declare(kSigma, 0.2);
  const std::vector<Dataset> datasets = {robot.Record("a", 120, kSigma)};
  const Estimate estimate = RunRls(robot.problem, datasets);
  const Estimate expected = Map().Run(robot.problem, datasets);
  REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
  REQUIRE_MESSAGE(expected.ok(), expected.reason);
  CHECK(estimate.diagnostics.at("base_parameters") == 10);
  CHECK((estimate.x - expected.x).norm() < 1e-9 * expected.x.norm());
  CHECK((*estimate.covariance - *expected.covariance).norm() < 1e-9 * expected.covariance->norm());
}

TEST_CASE("Of all x that predict the same it is the one nearest to the prior") {
  Synthetic robot("planar2", "standard");
  robot.Declare(kSigma, 0.2);
  const Stacked stacked(robot.problem, {robot.Record("b", 50)}, 1e12);
  // A prior that hardly counts: what it says of directions that the equations see is lost.
  const Eigen::VectorXd variance = robot.problem.parameters.prior->covariance->diagonal();
  *robot.problem.parameters.prior->covariance *= 1e10;
  const Estimate estimate = RunRls(robot.problem, {robot.Record("a", 200)});
  REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
  CHECK((stacked.H * estimate.x - stacked.y).norm() < 1e-6 * stacked.y.norm());
  const auto distance = [&](const Eigen::VectorXd& x) {
    return (x - robot.problem.parameters.prior->mean).cwiseQuotient(variance.cwiseSqrt()).norm();
  };
  CHECK(distance(estimate.x) < distance(robot.x()));

  robot.problem.parameters.prior->covariance.reset();
  const Estimate without = RunRls(robot.problem, {robot.Record("a", 200)});
  REQUIRE_MESSAGE(without.ok(), without.reason);
  CHECK((stacked.H * without.x - stacked.y).norm() < 1e-9 * stacked.y.norm());
  CHECK_FALSE(without.knows_hidden);
  CHECK_FALSE(without.covariance);
  REQUIRE(without.combinations);  // what the equations tell, as least squares has it
  const Estimate fitted = Wls().Run(robot.problem, std::vector{robot.Record("a", 200)});
  REQUIRE(fitted.combinations);
  CHECK(without.combinations->names == fitted.combinations->names);
  CHECK((without.x - fitted.x).norm() < 1e-9 * fitted.x.norm());
}

TEST_CASE("A prior that is wide beside the data adds nothing to what they tell") {
  Synthetic robot("planar2", "standard");
  robot.Declare(kSigma, 0.2);
  const std::vector<Dataset> datasets = {robot.Record("a", 300, kSigma)};
  Problem without = robot.problem;
  without.parameters.prior->covariance.reset();
  const Estimate fitted = RunRls(without, datasets);
  REQUIRE(fitted.combinations);
  REQUIRE(fitted.combinations->covariance);
  for (const double wide : {1e6, 1e8, 1e10}) {
    CAPTURE(wide);
    Problem problem = robot.problem;
    *problem.parameters.prior->covariance *= wide;
    const Estimate estimate = RunRls(problem, datasets);
    REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
    REQUIRE(estimate.covariance);
    const Eigen::MatrixXd& B = fitted.combinations->B;
    const Eigen::MatrixXd shown = B * *estimate.covariance * B.transpose();
    CHECK((shown - *fitted.combinations->covariance).norm() <
          1e-3 * fitted.combinations->covariance->norm());
  }
}

TEST_CASE("A prior that double precision loses is said to be lost, whatever was recorded") {
  Synthetic robot("planar2");
  robot.Declare(kSigma, 0.2);
  *robot.problem.parameters.prior->covariance *= 1e40;
  const Estimate estimate = RunRls(robot.problem, {robot.Record("a", 3)});
  CHECK(estimate.outcome == Outcome::kRankDeficient);
  CHECK(estimate.reason ==
        "the prior is lost beside the data in double precision: declare greater σ, or give the "
        "prior more weight");
}

TEST_CASE("What no σ is declared of weighs as with 1, which is told beside a prior") {
  Synthetic robot("planar2");
  robot.Declare(Eigen::Vector2d::Ones(), 0.2);
  const std::vector<Dataset> datasets = {robot.Record("a", 100, kSigma)};
  const Estimate declared = RunRls(robot.problem, datasets);
  CHECK_FALSE(declared.notes.contains("weights"));
  robot.problem.rows.front().sigma.resize(0);
  const Estimate undeclared = RunRls(robot.problem, datasets);
  CHECK(undeclared.x == declared.x);
  CHECK(undeclared.notes.at("weights").starts_with("the prior's σ beside rows whose σ is not"));
  robot.problem.parameters.prior->covariance.reset();
  CHECK_FALSE(RunRls(robot.problem, datasets).notes.contains("weights"));
}

TEST_CASE("Innovations are as large as the declared σ says, and none is stated without σ") {
  Synthetic robot("planar2");
  const std::vector<Dataset> datasets = {robot.Record("a", 1000, kSigma)};
  const Estimate undeclared = RunRls(robot.problem, datasets);
  CHECK(undeclared.notes.at("covariance") == "none stated: no σ is declared for all equation rows");
  CHECK(!undeclared.diagnostics.contains("normalised_innovation_squared"));
  robot.Declare(kSigma, 0.2);
  // Of 2000 rows: standard deviation √(2/2000); four of them.
  CHECK(RunRls(robot.problem, datasets).diagnostics.at("normalised_innovation_squared") ==
        doctest::Approx(1.0).epsilon(0.13));
}

TEST_CASE("Under coloured noise it states the covariance and innovations of a Kalman filter") {
  Synthetic robot = Declared("planar2");
  const std::vector<Dataset> datasets = {robot.Record("a", 50, kSigma)};
  Ekf filter;
  std::vector<Issue> issues;
  ReadFields(filter.Fields(), Json{{"process_noise", 0.0}}, "", issues);
  REQUIRE(issues.empty());
  const Estimate white = filter.Run(robot.problem, datasets);
  robot.problem.rows.front().sample_sigma = 0.5 * kSigma;
  robot.problem.rows.front().autocorrelation = Eigen::Vector4d(1.0, 0.75, 0.5, 0.25);
  const Estimate of_filter = filter.Run(robot.problem, datasets);
  const Estimate of_rls = RunRls(robot.problem, datasets);
  // A filter's covariance keeps nine digits here.
  CHECK(of_rls.diagnostics.at("normalised_innovation_squared") ==
        doctest::Approx(of_filter.diagnostics.at("normalised_innovation_squared")).epsilon(1e-6));
  CHECK((*of_rls.covariance - *of_filter.covariance).norm() < 1e-6 * of_filter.covariance->norm());
  CHECK(of_filter.x == white.x);
  CHECK((*of_filter.covariance - *white.covariance).norm() > 0.01 * white.covariance->norm());
}

/// The mean of ν²/s of rows in sequence: before each, with the weights w_k of the samples that are
/// left by then,
///   x̂ − x = P·(w_0·P₀⁻¹·(x₀ − x) + Σ_k w_k·h_kᵀ·v_k),  P⁻¹ = w_0·P₀⁻¹ + Σ_k w_k·h_kᵀ·h_k,
/// rows over σ; so s is the variance of v − h·(x̂ − x) under the noise's whole covariance.
double ExpectedInnovations(const Problem& problem, const std::vector<Dataset>& datasets,
                           double forgetting_time_s, double step_s) {
  const Stacked all(problem, datasets, 1e12);
  const Parametrisation::Prior& prior = *problem.parameters.prior;
  const Eigen::MatrixXd own = prior.covariance->inverse();
  const Eigen::VectorXd e = all.y - all.H * prior.mean;
  const EquationRows& rows = problem.rows.front();
  const double ratio = std::pow(rows.sample_sigma[0] / rows.sigma[0], 2);
  const auto gamma = [&](Eigen::Index i, Eigen::Index k) {
    const Eigen::Index lag = std::abs(i / 2 - k / 2);
    return i % 2 == k % 2 && lag < rows.autocorrelation.size() ? ratio * rows.autocorrelation[lag]
                                                               : 0.0;
  };
  const Eigen::MatrixXd whole = Eigen::MatrixXd::NullaryExpr(e.size(), e.size(), gamma);
  Eigen::VectorXd taken = Eigen::VectorXd::Zero(e.size());
  double sum = 0.0, of_prior = 1.0;
  for (Eigen::Index i = 0; i < e.size(); ++i) {
    if (i > 0 && i % 2 == 0) {
      taken *= std::exp(-step_s / forgetting_time_s);
      of_prior *= std::exp(-step_s / forgetting_time_s);
    }
    const Eigen::LDLT<Eigen::MatrixXd> information(of_prior * own +
                                                   all.H.transpose() * taken.asDiagonal() * all.H);
    const Eigen::VectorXd h = all.H.row(i);
    const Eigen::VectorXd a = information.solve(h);
    const Eigen::VectorXd parts = taken.cwiseProduct(all.H * a);
    const double s = of_prior * of_prior * a.dot(own * a) + whole(i, i) -
                     2.0 * whole.row(i).dot(parts) + parts.dot(whole * parts);
    const double innovation = e[i] - a.dot(all.H.transpose() * taken.cwiseProduct(e));
    sum += innovation * innovation / s;
    taken[i] = 1.0;
  }
  return sum / static_cast<double>(e.size());
}

TEST_CASE("Under coloured noise what is forgotten is no part of what innovations depend on") {
  Synthetic robot = Declared("planar2");
  robot.problem.rows.front().sample_sigma = 0.5 * kSigma;
  robot.problem.rows.front().autocorrelation = Eigen::Vector4d(1.0, 0.75, 0.5, 0.25);
  const std::vector<Dataset> datasets = {robot.Record("a", 60, kSigma)};
  for (const double time_s : {0.05, 0.5}) {
    CAPTURE(time_s);
    const Estimate estimate = RunRls(robot.problem, datasets, {{"forgetting_time_s", time_s}});
    REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
    // Information of a condition below 1e7 is inverted.
    CHECK(
        estimate.diagnostics.at("normalised_innovation_squared") ==
        doctest::Approx(ExpectedInnovations(robot.problem, datasets, time_s, 0.01)).epsilon(1e-8));
  }
}

TEST_CASE("Without a prior covariance there is no estimate before the data determine one") {
  const Synthetic robot("planar2");
  const Estimate estimate = RunRls(robot.problem, {robot.Record("a", 3)});
  CHECK(estimate.outcome == Outcome::kRankDeficient);
  CHECK(estimate.reason ==
        "the data determine 6 of 10 base parameters by now; record more, or state how far the "
        "prior may be off (/problem/prior/std)");
}

TEST_CASE("Directions that no gap tells from round-off are refused, and unknowns without effect") {
  Synthetic robot("planar2");
  robot.Declare(kSigma, 0.2);
  Eigen::MatrixXd& covariance = *robot.problem.parameters.prior->covariance;
  const auto scale = [&](Eigen::Index k, double factor) { covariance(k, k) *= factor * factor; };
  scale(1, 1e-4);
  scale(2, 1e-7);
  scale(3, 1e-10);
  scale(4, 1e-13);
  const std::vector<Dataset> datasets = {robot.Record("a", 10)};
  const Estimate unclear = RunRls(robot.problem, datasets);
  CHECK(unclear.outcome == Outcome::kRefused);
  CHECK(
      unclear.reason.starts_with("the number of base parameters is not certain: singular value "));
  covariance.setZero();
  const Estimate nothing = RunRls(robot.problem, datasets);
  CHECK(nothing.outcome == Outcome::kRefused);
  CHECK(nothing.reason == "no unknown has any effect");
}

}  // namespace
}  // namespace idbench
