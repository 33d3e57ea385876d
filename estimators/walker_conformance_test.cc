#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>

#include "estimators/conformance_test.h"
#include "estimators/interface/recorded_time.h"
#include "estimators/registry.h"
#include "estimators/synthetic_test.h"
#include "estimators/synthetic_walker_test.h"
#include "scenarios/options/json.h"

/// The laws of conformance_test.cc, for every method of the registry that estimates walkers.
namespace idbench {
namespace {

/// What a method claims.
struct WalkerClaims {
  std::string_view type;
  /// Largest relative error of β from exact signals at 100 Hz: what differences, splines or steps
  /// of integration miss.
  double misses;
  bool uses_prior = false;
  bool batch = true;               ///< Recordings count the same in whatever order.
  bool states_covariance = false;  ///< For the declared noise.
  /// Options, as JSON, under which what is missed is small beside the noise.
  std::string_view precise = "{}";
};

constexpr std::array kWalkerClaims = {
    WalkerClaims{.type = "wls_fcd", .misses = 0.01},
    WalkerClaims{.type = "rls_fcd", .misses = 0.012, .uses_prior = true, .batch = false},
    WalkerClaims{.type = "mle",
                 .misses = 0.015,
                 .states_covariance = true,
                 .precise = R"({"differences": "five_point"})"},
    WalkerClaims{.type = "hekf", .misses = 0.008, .uses_prior = true, .batch = false},
    WalkerClaims{.type = "zd_ml", .misses = 4e-4, .states_covariance = true},
    WalkerClaims{.type = "weak_form",
                 .misses = 0.01,
                 .uses_prior = true,
                 .states_covariance = true,
                 .precise = R"({"rate_half_width_samples": 8})"},
    WalkerClaims{.type = "iv", .misses = 2e-6},
};

void ForEveryWalkerMethod(
    const std::function<void(const WalkerClaims&, const EstimatorEntry&)>& law) {
  for (const WalkerClaims& claims : kWalkerClaims) {
    CAPTURE(claims.type);
    law(claims, *FindEstimator(claims.type));
  }
}

/// Two noisy recordings of it.
const std::vector<Dataset>& BipedPair() {
  static const std::vector<Dataset> datasets = {Biped().Record("a"), Biped().Record("b")};
  return datasets;
}

void CheckRefused(const Estimate& estimate, const std::string& reason) {
  CHECK(estimate.outcome == Outcome::kRefused);
  CHECK(estimate.reason == reason);
}

TEST_CASE("Every method of the registry that estimates walkers has stated its claims") {
  // Those that make experiments of their own read no data.
  std::size_t count = 0;
  for (const EstimatorEntry& entry : EstimatorRegistry()) {
    if (entry.make()->needs().problem.Has(Capability::kLagrangian) && !IsActive(entry)) ++count;
  }
  CHECK(count == kWalkerClaims.size());
  for (const WalkerClaims& claims : kWalkerClaims) CHECK(FindEstimator(claims.type) != nullptr);
}

TEST_CASE("Without noise a walker is recovered, but for what a method claims to miss") {
  const std::vector<Dataset> datasets = {Biped().Record("a", 0.0)};
  ForEveryWalkerMethod([&](const WalkerClaims& claims, const EstimatorEntry& entry) {
    const double missed =
        LargestRelativeError(Solve(entry, Biped().problem, datasets), Biped().beta);
    CHECK(missed < claims.misses);
    CHECK(missed > 0.1 * claims.misses);  // no claim is idle
  });
}

TEST_CASE("The same recordings of a walker give the same bits: again, and after other work") {
  const SyntheticWalker slower = [] {
    SyntheticWalker walker = SyntheticWalker::Biped();
    walker.duration_s = 0.5;
    return walker;
  }();
  const std::vector<Dataset> other = {slower.Record("c")};
  ForEveryWalkerMethod([&](const WalkerClaims&, const EstimatorEntry& entry) {
    const std::unique_ptr<Estimator> estimator = entry.make();
    const Estimate first = estimator->Run(Biped().problem, BipedPair());
    REQUIRE_MESSAGE(first.ok(), first.reason);
    estimator->Run(slower.problem, other);
    for (const Estimate& again : {estimator->Run(Biped().problem, BipedPair()),
                                  RunFresh(entry, Biped().problem, BipedPair())}) {
      CHECK(again.x == first.x);
      CHECK(again.covariance == first.covariance);
      CHECK(again.diagnostics == first.diagnostics);
      CHECK(again.notes == first.notes);
    }
  });
}

TEST_CASE("Recordings of a walker, and its problem, stay as they are") {
  ForEveryWalkerMethod([&](const WalkerClaims&, const EstimatorEntry& entry) {
    // NOLINTNEXTLINE(performance-unnecessary-copy-initialization): compared with its origin below
    const std::vector<Dataset> datasets = BipedPair();
    const Problem problem = Biped().problem;
    Solve(entry, problem, datasets);
    for (std::size_t k = 0; k < datasets.size(); ++k) {
      for (const Channel& channel : BipedPair()[k].channels()) {
        CHECK(datasets[k].Get(channel.name).samples == channel.samples);
        CHECK(datasets[k].Get(channel.name).sigma == channel.sigma);
      }
    }
    CHECK(problem.parameters.prior->mean == Biped().problem.parameters.prior->mean);
  });
}

TEST_CASE("A walker so much heavier has parameters and sigmas so much larger") {
  const double factor = 40.0;
  SyntheticWalker heavy = Biped();
  heavy.problem.parameters.prior->mean *= factor;
  std::vector<Dataset> datasets;
  for (const Dataset& dataset : BipedPair()) {
    Dataset scaled = dataset.WithoutChannels();
    for (Channel channel : dataset.channels()) {
      if (channel.name == kActuatorTorque) {
        channel.samples *= factor;
        channel.sigma *= factor;
      }
      scaled.Add(channel);
    }
    datasets.push_back(scaled);
  }
  ForEveryWalkerMethod([&](const WalkerClaims& claims, const EstimatorEntry& entry) {
    const Estimate plain = RunFresh(entry, Biped().problem, BipedPair());
    const Estimate scaled = RunFresh(entry, heavy.problem, datasets);
    REQUIRE((plain.ok() && scaled.ok()));
    // An iteration ends where its gains are small, not at the same bits.
    CHECK(LargestRelativeError(scaled.x, factor * plain.x) < 1e-6);
    REQUIRE(plain.covariance.has_value() == claims.states_covariance);
    REQUIRE(scaled.covariance.has_value() == claims.states_covariance);
    if (!claims.states_covariance) return;
    CHECK(LargestRelativeError(*scaled.sigma(), factor * *plain.sigma()) < 1e-6);
  });
}

TEST_CASE("The order of a walker's recordings does not matter to a batch method") {
  const std::vector<Dataset> swapped = {BipedPair()[1], BipedPair()[0]};
  ForEveryWalkerMethod([&](const WalkerClaims& claims, const EstimatorEntry& entry) {
    if (!claims.batch) return;
    const Eigen::VectorXd x = Solve(entry, Biped().problem, BipedPair());
    CHECK(LargestRelativeError(Solve(entry, Biped().problem, swapped), x) < 1e-6);
  });
}

TEST_CASE("Of a walker at rest no more than gravity is told, and that is the outcome") {
  const SyntheticWalker leg = SyntheticWalker::Leg();
  const std::vector<Dataset> datasets = {AtRest(leg.Record("a"))};
  ForEveryWalkerMethod([&](const WalkerClaims&, const EstimatorEntry& entry) {
    const Estimate estimate = RunFresh(entry, leg.problem, datasets);
    CHECK(estimate.outcome == Outcome::kRankDeficient);
    CHECK(estimate.reason.starts_with("the data determine 2 of 9 directions"));
  });
}

TEST_CASE("What a walker's recording holds that is not finite is refused, and where it stands") {
  for (const std::string_view channel : {kJointPosition, kActuatorTorque}) {
    for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
      const std::vector<Dataset> datasets = {
          BipedPair()[0], WithChannel(BipedPair()[1], channel,
                                      [bad](Eigen::MatrixXd& samples) { samples(30, 1) = bad; })};
      ForEveryWalkerMethod([&](const WalkerClaims&, const EstimatorEntry& entry) {
        CheckRefused(RunFresh(entry, Biped().problem, datasets),
                     "b: the channel '" + std::string(channel) + "' is " +
                         (std::isnan(bad) ? "nan" : "inf") + " at sample 31, column 2");
      });
    }
  }
}

TEST_CASE("A channel that a walker's recording lacks is an unmet need, and a refusal") {
  for (const std::string_view channel : {kJointPosition, kActuatorTorque}) {
    const std::vector<Dataset> datasets = {WithoutChannel(BipedPair()[0], channel)};
    std::vector<std::string> available;
    for (const Channel& left : datasets[0].channels()) available.push_back(left.name);
    ForEveryWalkerMethod([&](const WalkerClaims&, const EstimatorEntry& entry) {
      CHECK(UnmetNeeds(entry.make()->needs(), Biped().problem, available) ==
            std::vector{"needs the channel '" + std::string(channel) + "'"});
      const Estimate estimate = RunFresh(entry, Biped().problem, datasets);
      CHECK(estimate.outcome == Outcome::kRefused);
      CHECK(estimate.reason.starts_with("dataset 'a' lacks " + std::string(channel)));
    });
  }
}

TEST_CASE("Walkers' methods take the parameters of walkers alone, and a prior where they need it") {
  const Synthetic arm("planar2");
  SyntheticWalker without_prior = Biped();
  without_prior.problem.parameters.prior.reset();
  ForEveryWalkerMethod([&](const WalkerClaims& claims, const EstimatorEntry& entry) {
    CheckRefused(RunFresh(entry, arm.problem, {arm.Record("a", 100)}),
                 "takes the parametrisation 'planar_lagrangian' alone, of a robot of straight "
                 "links in a vertical plane; got 'base'");
    CHECK(entry.make()->needs().problem.Has(Capability::kPrior) == claims.uses_prior);
    const Estimate estimate = RunFresh(entry, without_prior.problem, BipedPair());
    CHECK(estimate.ok() == !claims.uses_prior);
    if (claims.uses_prior) CheckRefused(estimate, "needs a prior: declare /problem/prior");
  });
}

TEST_CASE("No recording of a walker, none of its samples, too few, or jittered time: refused") {
  const Dataset& good = BipedPair()[0];
  const auto with = [&](const auto& change) {
    Dataset copy = good.WithoutChannels();
    for (Channel channel : good.channels()) {
      change(channel);
      copy.Add(channel);
    }
    return std::vector{copy};
  };
  const auto shortened = [&](Eigen::Index samples) {
    return with([samples](Channel& channel) {
      channel.time_s.conservativeResize(samples);
      channel.samples.conservativeResize(samples, Eigen::NoChange);
    });
  };
  const auto jittered = with([](Channel& channel) { channel.time_s[30] += 1e-3; });
  ForEveryWalkerMethod([&](const WalkerClaims&, const EstimatorEntry& entry) {
    const Problem& problem = Biped().problem;
    CheckRefused(RunFresh(entry, problem, {Biped().Record("v", 1.0, 0, Role::kValidation)}),
                 "there is no dataset of role identification");
    CheckRefused(RunFresh(entry, problem, shortened(0)), "there are no samples");
    const Estimate few = RunFresh(entry, problem, shortened(3));
    CHECK(few.outcome == Outcome::kRefused);
    CHECK(few.reason.starts_with("a: 3 samples are too few, at least "));
    const Estimate uneven = RunFresh(entry, problem, jittered);
    CHECK(uneven.outcome == Outcome::kRefused);
    CHECK(uneven.reason.starts_with("a: time jitters by up to 10 % of its step"));
  });
}

TEST_CASE("At a checkpoint a walker's estimate has the bits of one from what was there by then") {
  const std::vector<double> checkpoints_s = {0.02, 0.4};
  ForEveryWalkerMethod([&](const WalkerClaims&, const EstimatorEntry& entry) {
    const std::vector<Estimate> estimates =
        entry.make()->RunAt(Biped().problem, BipedPair(), checkpoints_s);
    REQUIRE(estimates.size() == 3);
    for (std::size_t k = 0; k < 3; ++k) {
      const Estimate expected =
          RunFresh(entry, Biped().problem,
                   k < 2 ? RecordedUpTo(BipedPair(), checkpoints_s[k]) : BipedPair());
      CHECK(estimates[k].outcome == expected.outcome);
      CHECK(estimates[k].reason == expected.reason);
      CHECK(estimates[k].x == expected.x);
    }
  });
}

TEST_CASE("A walker's validation data are not looked at") {
  std::vector<Dataset> poisoned = BipedPair();
  Dataset poison = Biped().Record("poison", 1.0, 0, Role::kValidation);
  for (const std::string_view channel : {kJointPosition, kActuatorTorque}) {
    poison = WithChannel(poison, channel,
                         [](Eigen::MatrixXd& samples) { samples.setConstant(std::nan("")); });
  }
  poisoned.insert(poisoned.begin(), poison);
  ForEveryWalkerMethod([&](const WalkerClaims&, const EstimatorEntry& entry) {
    CHECK(Solve(entry, Biped().problem, poisoned) == Solve(entry, Biped().problem, BipedPair()));
  });
}

TEST_CASE("A covariance stated of a walker covers: 95 % intervals hold the truth that often") {
  constexpr int kTrials = 200;
  std::vector<std::vector<Dataset>> trials;
  for (int trial = 0; trial < kTrials; ++trial) trials.push_back({Biped().Record("a", 1.0, trial)});
  ForEveryWalkerMethod([&](const WalkerClaims& claims, const EstimatorEntry& entry) {
    if (!claims.states_covariance) return;
    const std::unique_ptr<Estimator> method = entry.make();
    std::vector<Issue> issues;
    ReadFields(method->Fields(), Json::parse(claims.precise), "", issues);
    REQUIRE(issues.empty());
    Eigen::VectorXi covered = Eigen::VectorXi::Zero(Biped().beta.size());
    for (const std::vector<Dataset>& datasets : trials) {
      const Estimate estimate = method->Run(Biped().problem, datasets);
      REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
      const Eigen::ArrayXd error = (estimate.x - Biped().beta).array().abs();
      covered += (error <= 1.96 * estimate.sigma()->array()).matrix().cast<int>();
    }
    // Binomial(n, 0.95): four standard deviations.
    const double four = 4.0 * std::sqrt(0.95 * 0.05 * kTrials);
    CHECK(covered.minCoeff() >= 0.95 * kTrials - four);
    CHECK(covered.maxCoeff() <= std::min(kTrials - 0.5, 0.95 * kTrials + four));
  });
}

}  // namespace
}  // namespace idbench
