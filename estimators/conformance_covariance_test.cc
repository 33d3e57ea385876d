#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "estimators/conformance_test.h"
#include "estimators/solvers/entropic_prior.h"
#include "robots/random/random_stream.h"
#include "scenarios/options/json.h"

/// Laws about the covariances that methods state.
namespace idbench {
namespace {

bool StatesCovariance(const Claims& claims) { return claims.states_covariance; }
bool StatesPosterior(const Claims& claims) { return claims.states_posterior; }

/// Unit normals for each trial.
Eigen::VectorXd Draw(const RandomStream& stream, Eigen::Index size, int trial) {
  return Eigen::VectorXd::NullaryExpr(size, [&](Eigen::Index k) {
    return stream.Normal(static_cast<std::uint64_t>(k), static_cast<std::uint64_t>(trial));
  });
}

/// Adds noise that remembers 0.95 of itself from one sample to the next.
Dataset WithColouredNoise(const Dataset& dataset) {
  const RandomStream stream(2, 0, "coloured");
  return WithChannel(dataset, kJointTorque, [&stream](Eigen::MatrixXd& samples) {
    Eigen::VectorXd noise = Eigen::VectorXd::Zero(samples.cols());
    for (Eigen::Index i = 0; i < samples.rows(); ++i) {
      for (Eigen::Index j = 0; j < samples.cols(); ++j) {
        noise[j] = 0.95 * noise[j] + 0.1 * stream.Normal(static_cast<std::uint64_t>(j),
                                                         static_cast<std::uint64_t>(i));
        samples(i, j) += noise[j];
      }
    }
  });
}

/// Adds noise of the standard deviation kSigma/2: the sum of the last four of independent values.
/// The white noise of the same density has kSigma.
Dataset WithSmoothedNoise(const Dataset& dataset, int trial) {
  const RandomStream stream(8, trial, "smoothed");
  return WithChannel(dataset, kJointTorque, [&stream](Eigen::MatrixXd& samples) {
    for (Eigen::Index i = 0; i < samples.rows(); ++i) {
      for (Eigen::Index j = 0; j < samples.cols(); ++j) {
        for (Eigen::Index last = i; last < i + 4; ++last) {
          samples(i, j) +=
              0.25 * kSigma[j] *
              stream.Normal(static_cast<std::uint64_t>(j), static_cast<std::uint64_t>(last));
        }
      }
    }
  });
}

/// Declares noise that WithSmoothedNoise() adds.
void DeclareSmoothed(Synthetic& robot) {
  robot.problem.rows.front().sample_sigma = 0.5 * kSigma;
  robot.problem.rows.front().autocorrelation = Eigen::Vector4d(1.0, 0.75, 0.5, 0.25);
}

/// Checks that 95 % intervals of every method hold the truth in 95 % of all trials.
template <class Record>
void CheckCoverage(const Synthetic& robot, Eigen::Index least_stated, const Record& record) {
  constexpr int kTrials = 300;
  const Eigen::VectorXd truth = robot.x();
  ForEveryMethod(
      [&](const Claims&, const EstimatorEntry& entry) {
        Eigen::VectorXi covered = Eigen::VectorXi::Zero(truth.size());
        int stated = 0;
        for (int trial = 0; trial < kTrials; ++trial) {
          const Estimate estimate = RunFresh(entry, robot.problem, {record(trial)});
          REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
          if (!estimate.covariance) continue;
          ++stated;
          const Eigen::ArrayXd error = (estimate.x - truth).array().abs();
          covered += (error <= 1.96 * estimate.sigma()->array()).matrix().cast<int>();
        }
        CHECK(stated >= least_stated);
        // Binomial(n, 0.95): four standard deviations.
        const double deviation = 4.0 * std::sqrt(0.95 * 0.05 * stated);
        CHECK(covered.minCoeff() >= 0.95 * stated - deviation);
        CHECK(covered.maxCoeff() <= std::min(stated - 0.5, 0.95 * stated + deviation));
      },
      &StatesCovariance);
}

TEST_CASE("A stated covariance covers: 95 % intervals hold the truth in 95 % of all trials") {
  const Synthetic robot = Declared("planar2");
  // A few trials look correlated by chance, or because an unweighted fit leaves what the noisy
  // joint did to it in the quiet one's residuals.
  CheckCoverage(robot, 285, [&](int trial) { return robot.Record("a", 200, kSigma, trial); });
}

TEST_CASE("A stated covariance covers where processing coloured the noise as declared") {
  Synthetic robot = Declared("planar2");
  DeclareSmoothed(robot);
  const Dataset clean = robot.Record("a", 800);
  CheckCoverage(robot, 285, [&](int trial) { return WithSmoothedNoise(clean, trial); });
}

/// A root of the covariance that a method takes the truth to be drawn with.
Eigen::MatrixXd PriorRoot(const Problem& problem, bool body_prior) {
  if (!body_prior) return problem.parameters.prior->covariance->diagonal().cwiseSqrt().asDiagonal();
  // A twentieth of a body: near enough for the entropic divergence to be a square.
  const EntropicPrior prior(problem);
  return prior.S() * prior.Precision(400.0).cwiseSqrt().cwiseInverse().asDiagonal();
}

/// Checks that 95 % intervals hold what is drawn from the prior in 95 % of all trials.
template <class Record>
void CheckPosteriorCoverage(void (*declare)(Synthetic&), const Record& record) {
  constexpr int kTrials = 300;
  const RandomStream stream(4, 0, "truth");
  ForEveryMethod(
      [&](const Claims& claims, const EstimatorEntry& entry) {
        Synthetic robot = Planar2(claims);
        if (declare != nullptr) declare(robot);
        Parametrisation::Prior& prior = *robot.problem.parameters.prior;
        // A tenth of the way to the bounds: near enough for a sigmoid to be a line.
        *prior.covariance *= 0.04;
        const Eigen::MatrixXd root = PriorRoot(robot.problem, claims.body_prior);
        Eigen::VectorXi covered = Eigen::VectorXi::Zero(prior.mean.size());
        int stated = 0;
        for (int trial = 0; trial < kTrials; ++trial) {
          Synthetic drawn = robot;
          const Eigen::VectorXd x = prior.mean + root * Draw(stream, prior.mean.size(), trial);
          drawn.pi = robot.problem.parameters.Pi(x);
          const std::unique_ptr<Estimator> method = entry.make();
          std::vector<Issue> issues;
          ReadFields(method->Fields(), Json::parse(claims.without_drift), "", issues);
          REQUIRE(issues.empty());
          const Estimate estimate = method->Run(robot.problem, std::vector{record(drawn, trial)});
          REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
          const std::optional<Eigen::VectorXd> sigma = estimate.sigma();
          if (!sigma) {  // what linearisations missed
            CHECK(estimate.diagnostics.at("linearisation_error_sigma") > 0.5);
            continue;
          }
          ++stated;
          const Eigen::ArrayXd error = (estimate.x - x).array().abs();
          covered += (error <= 1.96 * sigma->array()).matrix().cast<int>();
        }
        CAPTURE(stated);
        CHECK(stated > kTrials / 2);
        // Binomial(n, 0.95): four standard deviations.
        const double four = 4.0 * std::sqrt(0.95 * 0.05 * stated);
        CHECK(covered.minCoeff() >= 0.95 * stated - four);
        CHECK(covered.maxCoeff() <= std::min(stated - 0.5, 0.95 * stated + four));
      },
      &StatesPosterior);
}

TEST_CASE("A posterior covariance covers where the truth is drawn from the prior") {
  CheckPosteriorCoverage(nullptr, [](const Synthetic& robot, int trial) {
    return robot.Record("a", 40, kSigma, trial);
  });
}

TEST_CASE("A posterior covariance covers where processing coloured the noise as declared") {
  CheckPosteriorCoverage(&DeclareSmoothed, [](const Synthetic& robot, int trial) {
    return WithSmoothedNoise(robot.Record("a", 160), trial);
  });
}

TEST_CASE("Where residuals are correlated in time, every method states σ for that, marked") {
  const Synthetic robot = Declared("planar2");
  const std::vector<Dataset> datasets = {WithColouredNoise(robot.Record("a", 1000))};
  ForEveryMethod(
      [&](const Claims&, const EstimatorEntry& entry) {
        const Estimate estimate = RunFresh(entry, robot.problem, datasets);
        REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
        CHECK(estimate.covariance);
        CHECK(estimate.notes.at("sigma").starts_with(
            "that of residuals correlated in time; the variance of "));
        CHECK(estimate.diagnostics.at("long_run_variance_ratio") > 3.0);
      },
      &StatesCovariance);
}

TEST_CASE(
    "Where residuals are correlated in time, posteriors are marked too, online or not affine") {
  ForEveryMethod(
      [&](const Claims& claims, const EstimatorEntry& entry) {
        const Synthetic robot = Declared("planar2", claims.parametrisation);
        const std::vector<Dataset> datasets = {WithColouredNoise(robot.Record("a", 1000))};
        const Estimate estimate = RunFresh(entry, robot.problem, datasets);
        REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
        CHECK(estimate.notes.contains("sigma"));
        // Where linearisations missed more, residuals are not asked.
        const bool missed =
            !estimate.covariance && estimate.diagnostics.contains("linearisation_error_sigma");
        CHECK((missed || estimate.diagnostics.contains("long_run_variance_ratio")));
      },
      &StatesPosterior);
}

}  // namespace
}  // namespace idbench
