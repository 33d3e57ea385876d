#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "estimators/conformance_test.h"

/// Laws about what methods need, and what they refuse.
namespace idbench {
namespace {

TEST_CASE("What the structure hides is no failure of any method") {
  const Synthetic robot = Declared("planar2", "standard");
  const std::vector<Dataset> datasets = NoisyPair(robot);
  ForEveryMethod([&](const Claims& claims, const EstimatorEntry& entry) {
    const Estimate estimate = RunFresh(entry, robot.problem, datasets);
    REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
    // Who takes no covariance of the prior knows nothing of the links; the prior alone is itself.
    const bool knows = claims.states_posterior || claims.body_prior || claims.keeps_bodies;
    CHECK(estimate.knows_hidden == (knows || !claims.reads_data));
    CHECK(estimate.combinations.has_value() == claims.needs_full_rank);
    if (estimate.combinations) CHECK(estimate.combinations->B.rows() == 10);
  });
}

TEST_CASE("What the data cannot tell apart is refused by name, unless a prior helps out") {
  const Synthetic robot = Declared("planar2", "standard");
  std::vector<Dataset> datasets = NoisyPair(robot);
  for (Dataset& dataset : datasets) {
    for (const std::string_view channel : {kJointVelocity, kJointAcceleration}) {
      dataset =
          WithChannel(dataset, channel, [](Eigen::MatrixXd& samples) { samples.col(1).setZero(); });
    }
  }
  ForEveryMethod([&](const Claims& claims, const EstimatorEntry& entry) {
    const Estimate estimate = RunFresh(entry, robot.problem, datasets);
    if (!claims.needs_full_rank) {
      CHECK_MESSAGE(estimate.ok(), estimate.reason);
      return;
    }
    CHECK(estimate.outcome == Outcome::kRankDeficient);
    CHECK(estimate.reason ==
          "the data determine 8 of 10 directions; not determined, alone or among each other: "
          "joint2.fv, joint2.fc; use a richer motion, or a method that takes a prior");
    CHECK(RunFresh(entry, Declared("planar2").problem, datasets).reason == estimate.reason);
  });
}

TEST_CASE("A number that is not finite is refused, and where it stands is told") {
  const Dataset good = Declared("planar2").Record("a", 100);
  for (const std::string_view channel :
       {kJointPosition, kJointVelocity, kJointAcceleration, kJointTorque}) {
    for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
      const std::vector<Dataset> datasets = {
          Declared("planar2").Record("b", 100),
          WithChannel(good, channel, [bad](Eigen::MatrixXd& samples) { samples(71, 1) = bad; })};
      ForEveryMethod(
          [&](const Claims& claims, const EstimatorEntry& entry) {
            const Estimate estimate = RunFresh(entry, Planar2(claims).problem, datasets);
            CHECK(estimate.outcome == Outcome::kRefused);
            CHECK(estimate.reason == "a: the channel '" + std::string(channel) + "' is " +
                                         (std::isnan(bad) ? "nan" : "inf") +
                                         " at sample 72, column 2");
          },
          &ReadsData);
    }
  }
}

TEST_CASE("A channel that is missing is an unmet need before a run, and a refusal in it") {
  const Synthetic robot = Declared("planar2");
  const Dataset good = robot.Record("a", 100);
  for (const std::string_view channel :
       {kJointPosition, kJointVelocity, kJointAcceleration, kJointTorque}) {
    const std::vector<Dataset> datasets = {WithoutChannel(good, channel)};
    std::vector<std::string> available;
    for (const Channel& left : datasets[0].channels()) available.push_back(left.name);
    ForEveryMethod(
        [&](const Claims& claims, const EstimatorEntry& entry) {
          const Problem& problem = Planar2(claims).problem;
          CHECK(UnmetNeeds(entry.make()->needs(), problem, available) ==
                std::vector{"needs the channel '" + std::string(channel) + "'"});
          const Estimate estimate = RunFresh(entry, problem, datasets);
          CHECK(estimate.outcome == Outcome::kRefused);
          CHECK(estimate.reason.starts_with("dataset 'a' lacks " + std::string(channel)));
        },
        &ReadsData);
  }
}

TEST_CASE("Needs are stated: a prior by those that use one, nothing by those that read no data") {
  ForEveryMethod([&](const Claims& claims, const EstimatorEntry& entry) {
    Synthetic robot = Planar2(claims);
    robot.problem.parameters.prior.reset();
    const bool needed = claims.uses_prior && claims.needs_prior;
    CHECK(entry.make()->needs().problem.Has(Capability::kPrior) == needed);
    const Estimate estimate = RunFresh(entry, robot.problem, NoisyPair(robot));
    CHECK(estimate.outcome == (needed ? Outcome::kRefused : Outcome::kOk));
    if (claims.reads_data) return;
    CHECK(RunFresh(entry, Declared("planar2").problem, {}).ok());
  });
}

TEST_CASE("Fewer equations than unknowns are refused, unless the prior's covariance fills in") {
  ForEveryMethod(
      [&](const Claims& claims, const EstimatorEntry& entry) {
        const Synthetic& robot = Planar2(claims);
        const Estimate estimate = RunFresh(entry, robot.problem, {robot.Record("a", 4)});
        CHECK(estimate.ok() == claims.states_posterior);
        if (claims.states_posterior) return;
        CHECK(estimate.outcome == Outcome::kRefused);
        CHECK(estimate.reason == "4 samples of 2 equations are fewer than " +
                                     std::to_string(robot.problem.parameters.size()) + " unknowns");
      },
      &ReadsData);
}

TEST_CASE("No recording for identification, or one without samples, is refused") {
  const Synthetic robot = Declared("planar2");
  const std::vector<Dataset> validation = {robot.Record("a", 400, {}, 0, Role::kValidation)};
  const std::vector<Dataset> empty = {robot.Record("a", 0)};
  ForEveryMethod(
      [&](const Claims& claims, const EstimatorEntry& entry) {
        const Problem& problem = Planar2(claims).problem;
        const Estimate none = RunFresh(entry, problem, validation);
        CHECK(none.outcome == Outcome::kRefused);
        CHECK(none.reason == "there is no dataset of role identification");
        const Estimate nothing = RunFresh(entry, problem, empty);
        CHECK(nothing.outcome == Outcome::kRefused);
        CHECK(nothing.reason == "there are no samples");
      },
      &ReadsData);
}

}  // namespace
}  // namespace idbench
