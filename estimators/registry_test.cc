#include "estimators/registry.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "scenarios/options/json.h"

namespace idbench {
namespace {

TEST_CASE("The registry finds every method by its type, and nothing else") {
  CHECK(EstimatorTypes() == std::vector<std::string>{"prior_only",
                                                     "ols",
                                                     "wls",
                                                     "irls",
                                                     "ridge",
                                                     "map",
                                                     "ekf",
                                                     "sigmoid_ekf",
                                                     "scaled_kf",
                                                     "entropic_filter",
                                                     "log_cholesky_ekf",
                                                     "rls",
                                                     "consistent_wls",
                                                     "pls",
                                                     "prior_offsets",
                                                     "two_stage",
                                                     "drive_nls",
                                                     "wls_fcd",
                                                     "rls_fcd",
                                                     "mle",
                                                     "hekf",
                                                     "zd_ml",
                                                     "weak_form",
                                                     "iv",
                                                     "dino",
                                                     "swing_weak_form",
                                                     "swing_output_error",
                                                     "swing_damped_sines",
                                                     "frequency_line",
                                                     "swing_count",
                                                     "static_torque"});
  for (const EstimatorEntry& entry : EstimatorRegistry()) {
    CHECK(FindEstimator(entry.type) == &entry);
    CHECK(!entry.title.empty());
    REQUIRE(entry.make() != nullptr);
  }
  CHECK(FindEstimator("olss") == nullptr);
  CHECK(FindEstimator("") == nullptr);
}

TEST_CASE("What a method takes as exact it reads") {
  for (const EstimatorEntry& entry : EstimatorRegistry()) {
    CAPTURE(entry.type);
    const EstimatorNeeds needs = entry.make()->needs();
    const auto reads = [&](std::string_view channel) {
      return std::ranges::find(needs.channels, channel) != needs.channels.end();
    };
    const bool of_walkers = needs.problem.Has(Capability::kLagrangian) && !IsActive(entry);
    CHECK((entry.exact == TakenAsExact::kDrivenAngles) == of_walkers);
    CHECK((entry.exact == TakenAsExact::kStates) ==
          (!of_walkers && reads(kJointPosition) && reads(kJointVelocity) &&
           reads(kJointAcceleration)));
    CHECK((entry.exact == TakenAsExact::kNothing) == needs.channels.empty());
  }
}

TEST_CASE("The options of every method are written and read back") {
  for (const EstimatorEntry& entry : EstimatorRegistry()) {
    CAPTURE(entry.type);
    const std::unique_ptr<Estimator> estimator = entry.make();
    const Json written = WriteFields(estimator->Fields());
    std::vector<Issue> issues;
    const std::unique_ptr<Estimator> other = entry.make();
    ReadFields(other->Fields(), written, "", issues);
    CHECK(issues.empty());
  }
}

}  // namespace
}  // namespace idbench
