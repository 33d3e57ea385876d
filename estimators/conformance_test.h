#pragma once

#include <array>
#include <functional>
#include <string_view>
#include <vector>

#include "estimators/registry.h"
#include "estimators/synthetic_test.h"

/// Laws that every method of the registry must obey, by what it claims.
namespace idbench {

/// Claims of a method. A law holds for all methods; the claims select its form.
struct Claims {
  std::string_view type;
  bool reads_data = true;   ///< Its result depends on the recordings.
  bool uses_prior = false;  ///< Its result depends on the prior.
  bool needs_full_rank = true;
  bool batch = true;  ///< All samples count equally, in any order.
  bool states_covariance =
      true;  ///< States a covariance from residuals, for the noise of the data.
  /// States the posterior covariance, for prior and declared noise.
  bool states_posterior = false;
  /// That prior is the entropic one of the bodies (see EntropicPrior), not the
  /// problem's covariance.
  bool body_prior = false;
  bool keeps_bodies = false;  ///< Every body of its result is physically consistent.
  bool needs_prior = true;    ///< A prior is required if the result depends on one.
  /// Parametrisation of the problems on which the laws are tested.
  const char* parametrisation = "base";
  /// Options, as JSON, with which the method assumes constant unknowns.
  std::string_view without_drift = "{}";
};

inline constexpr std::array kClaims = {
    Claims{.type = "prior_only",
           .reads_data = false,
           .uses_prior = true,
           .needs_full_rank = false,
           .states_covariance = false},
    Claims{.type = "ols"},
    Claims{.type = "wls"},
    Claims{.type = "irls"},
    Claims{
        .type = "ridge", .uses_prior = true, .needs_full_rank = false, .states_covariance = false},
    Claims{.type = "map",
           .uses_prior = true,
           .needs_full_rank = false,
           .states_covariance = false,
           .states_posterior = true},
    Claims{.type = "ekf",
           .uses_prior = true,
           .needs_full_rank = false,
           .batch = false,
           .states_covariance = false,
           .states_posterior = true,
           .without_drift = R"({"process_noise": 0})"},
    Claims{.type = "sigmoid_ekf",
           .uses_prior = true,
           .needs_full_rank = false,
           .batch = false,
           .states_covariance = false,
           .states_posterior = true,
           .without_drift = R"({"process_noise": 0})"},
    Claims{.type = "scaled_kf",
           .uses_prior = true,
           .needs_full_rank = false,
           .batch = false,
           .states_covariance = false,
           .states_posterior = true,
           .body_prior = true,
           .parametrisation = "standard",
           .without_drift = R"({"process_noise": 0, "lambda": 400})"},
    Claims{.type = "entropic_filter",
           .uses_prior = true,
           .needs_full_rank = false,
           .batch = false,
           .states_covariance = false,
           .states_posterior = true,
           .body_prior = true,
           .keeps_bodies = true,
           .parametrisation = "standard",
           .without_drift = R"({"lambda": 400})"},
    Claims{.type = "log_cholesky_ekf",
           .uses_prior = true,
           .needs_full_rank = false,
           .batch = false,
           .states_covariance = false,
           .states_posterior = true,
           .body_prior = true,
           .keeps_bodies = true,
           .parametrisation = "standard",
           .without_drift = R"({"process_noise": 0, "lambda": 400})"},
    Claims{.type = "rls",
           .uses_prior = true,
           .needs_full_rank = false,
           .batch = false,
           .states_covariance = false,
           .states_posterior = true,
           .needs_prior = false},
    Claims{.type = "consistent_wls",
           .uses_prior = true,
           .needs_full_rank = false,
           .states_covariance = false,
           .keeps_bodies = true,
           .parametrisation = "standard"},
    Claims{.type = "pls", .needs_full_rank = false, .states_covariance = false},
};

/// Runs `law` on every method for which `applies` returns true.
void ForEveryMethod(
    const std::function<void(const Claims&, const EstimatorEntry&)>& law,
    bool (*applies)(const Claims&) = [](const Claims&) { return true; });

/// Runs a new object of the method.
Estimate RunFresh(const EstimatorEntry& entry, const Problem& problem,
                  const std::vector<Dataset>& datasets);

/// Returns the unknowns that the method estimates; fails the test where its estimate fails.
Eigen::VectorXd Solve(const EstimatorEntry& entry, const Problem& problem,
                      const std::vector<Dataset>& datasets);

/// Returns Declared("planar2") in the unknowns on which the method's laws are tested.
const Synthetic& Planar2(const Claims& claims);

/// Returns two recordings of planar2 with noise kSigma.
std::vector<Dataset> NoisyPair(const Synthetic& robot);

/// Returns claims.reads_data, for ForEveryMethod().
bool ReadsData(const Claims& claims);

}  // namespace idbench
