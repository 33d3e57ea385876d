#pragma once

#include <doctest/doctest.h>

#include <Eigen/Cholesky>
#include <string>
#include <vector>

#include "estimators/interface/estimate.h"
#include "estimators/interface/problem.h"
#include "estimators/synthetic_walker_test.h"
#include "scenarios/options/fields.h"
#include "scenarios/options/json.h"

/// For tests: estimates of methods called with options, and refusals.
namespace idbench {

/// What a new `Method` with these options finds.
template <class Method>
Estimate RunWith(const Problem& problem, const std::vector<Dataset>& datasets,
                 const Json& options = Json::object()) {
  Method method;
  std::vector<Issue> issues;
  ReadFields(method.Fields(), options, "", issues);
  REQUIRE(issues.empty());
  return method.Run(problem, datasets);
}

/// Likewise from recordings of a walker, with options as JSON text.
template <class Method>
Estimate RunOn(const SyntheticWalker& walker, const std::vector<Dataset>& datasets,
               const char* options = "{}") {
  return RunWith<Method>(walker.problem, datasets, Json::parse(options));
}

/// Likewise, and it is no failure.
template <class Method>
Estimate MustRunOn(const SyntheticWalker& walker, const std::vector<Dataset>& datasets,
                   const char* options = "{}") {
  Estimate estimate = RunOn<Method>(walker, datasets, options);
  REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
  return estimate;
}

/// (x̂ − β)ᵀ·P⁻¹·(x̂ − β)
inline double SquaredError(const SyntheticWalker& walker, const Estimate& estimate) {
  const Eigen::VectorXd error = estimate.x - walker.beta;
  return error.dot(estimate.covariance->llt().solve(error));
}

/// ‖x − expected‖/‖expected‖
inline double RelativeError(const Eigen::VectorXd& x, const Eigen::VectorXd& expected) {
  return (x - expected).norm() / expected.norm();
}

/// Why `call` refuses, "" if it does not.
template <class Call>
std::string Refusal(const Call& call) {
  try {
    call();
  } catch (const EstimationFailure& failure) {
    CHECK(failure.outcome() == Outcome::kRefused);
    return failure.what();
  }
  return "";
}

}  // namespace idbench
