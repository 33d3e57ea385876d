#include "estimators/active/frequency_line.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "estimators/active/chain_plant_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

TEST_CASE("The frequency of a swing is that of its zeros, also where noise crosses zero often") {
  Eigen::VectorXd theta(5000);
  for (Eigen::Index k = 0; k < theta.size(); ++k) {
    const double t = 0.01 * static_cast<double>(k);
    theta[k] = 0.2 * std::sin(1.3 * t + 0.4);
  }
  CHECK(SwingFrequency(theta, 0.01) == doctest::Approx(1.3).epsilon(1e-7));
  for (Eigen::Index k = 0; k < theta.size(); ++k) theta[k] += k % 2 == 0 ? 0.01 : -0.01;
  CHECK(SwingFrequency(theta, 0.01) == doctest::Approx(1.3).epsilon(2e-3));
  // Of a robot that is stuck nothing but noise is read.
  const RandomStream noise(1, 0, "noise");
  for (Eigen::Index k = 0; k < theta.size(); ++k) {
    theta[k] = 1e-3 * noise.Normal(0, static_cast<std::uint64_t>(k));
  }
  CHECK(SwingFrequency(theta, 0.01) == 0.0);
  CHECK(SwingFrequency(Eigen::VectorXd::LinSpaced(100, -1.0, 1.0), 0.01) == 0.0);
}

TEST_CASE("Two swings of one rod without friction tell its gravity and inertia") {
  RodsProblem of(1, 1.2);
  MeteredPlant plant(std::make_unique<ChainPlant>(of.lagrangian(), of.truth), 1e5);
  const Estimate estimate = FrequencyLine().Run(of.problem, plant);
  REQUIRE(estimate.ok());
  CHECK(of.ErrorOf(estimate.x) < 1e-4);
  CHECK(estimate.x[0] == doctest::Approx(of.truth[0]).epsilon(1e-3));
  CHECK(estimate.plant_use->experiments == 2);
  CHECK(estimate.plant_use->falls == 0);
}

TEST_CASE("Great swings are made those of small ones") {
  RodsProblem of(1, 1.2);
  FrequencyLine method;
  std::vector<Issue> issues;
  ReadFields(method.Fields(), Json{{"push_rad_s", 2.0}, {"limit_rad", 3.0}}, "", issues);
  MeteredPlant plant(std::make_unique<ChainPlant>(of.lagrangian(), of.truth), 1e5);
  const Estimate estimate = method.Run(of.problem, plant);
  REQUIRE(estimate.ok());
  CHECK(of.ErrorOf(estimate.x) < 1e-3);
}

TEST_CASE("Levels so near that errors decide the line are refused") {
  const auto refused = [](const char* levels) {
    FrequencyLine method;
    std::vector<Issue> issues;
    ReadFields(method.Fields(), Json{{"levels", Json::parse(levels)}}, "", issues);
    return issues.empty() ? "" : issues[0].what;
  };
  CHECK(refused("[1, 1.1, 1.05]").empty());
  CHECK(refused("[1.2, 1.201]").starts_with("differ by 0.083 %"));
  CHECK(refused("[1.2]") == "holds fewer than two levels");
}

TEST_CASE("A line is of one joint, and of swings that do not fall") {
  RodsProblem two(2, 1.2);
  MeteredPlant plant(std::make_unique<ChainPlant>(two.lagrangian(), two.truth), 1e5);
  const Estimate refused = FrequencyLine().Run(two.problem, plant);
  CHECK(refused.outcome == Outcome::kRefused);
  CHECK(FrequencyLine().WhyRefused(two.problem) == refused.reason);
  CHECK(refused.reason == "takes one joint, and the robot has 2");
  RodsProblem one(1, 0.8);
  MeteredPlant falling(std::make_unique<ChainPlant>(one.lagrangian(), one.truth), 1e5);
  const Estimate fell = FrequencyLine().Run(one.problem, falling);
  CHECK(fell.outcome == Outcome::kNotConverged);
  CHECK(fell.reason == "under 1 times the guessed gravity the robot fell");
}

}  // namespace
}  // namespace idbench
