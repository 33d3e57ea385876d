#include "estimators/walkers/mle.h"

#include <doctest/doctest.h>

#include <cmath>

#include "estimators/interface/estimate_test.h"
#include "estimators/synthetic_walker_test.h"
#include "estimators/walkers/wls_fcd.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

SyntheticWalker BipedOf(double q1_rad) {
  SyntheticWalker walker = SyntheticWalker::Biped();
  walker.noise.q1_rad = q1_rad;
  return walker;
}

TEST_CASE("Where the angle is noisy, maximum likelihood beats least squares many times over") {
  const SyntheticWalker biped = BipedOf(1e-2);
  double likelihood = 0.0, squares = 0.0;
  for (int trial = 0; trial < 20; ++trial) {
    const std::vector<Dataset> datasets = {biped.Record("a", 1.0, trial)};
    const Estimate mle = RunWith<Mle>(biped.problem, datasets, {{"half_power", 0.1}});
    const Estimate wls =
        RunWith<WlsFcd>(biped.problem, datasets, {{"half_power", 0.1}, {"n_cd", 7}});
    REQUIRE((mle.ok() && wls.ok()));
    likelihood += (mle.x - biped.beta).cwiseQuotient(biped.beta).squaredNorm();
    squares += (wls.x - biped.beta).cwiseQuotient(biped.beta).squaredNorm();
  }
  CHECK(likelihood < 0.2 * squares);
}

TEST_CASE("S has its degrees of freedom for its mean, or a bit less, and its limit is told") {
  const SyntheticWalker biped = BipedOf(1e-3);
  double sum = 0.0;
  for (int trial = 0; trial < 30; ++trial) {
    const Estimate estimate =
        RunWith<Mle>(biped.problem, {biped.Record("a", 1.0, trial)}, {{"half_power", 0.25}});
    REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
    CHECK(estimate.diagnostics.at("degrees_of_freedom") == 187.0);
    CHECK(estimate.diagnostics.at("chi_square_limit") == doctest::Approx(226.8).epsilon(1e-3));
    CHECK(estimate.diagnostics.at("epsilon_n2m2") == doctest::Approx(1.0).epsilon(1e-12));
    sum += estimate.diagnostics.at("chi_square");
  }
  // χ²₁₈₇ has the standard deviation 19.3, a mean of 30 a thirtieth's root of it; the
  // pseudo-variance takes 8 to 24 away (163-179 of 187 in the study).
  CHECK(sum / 30.0 < 187.0 + 4.0);
  CHECK(sum / 30.0 > 187.0 - 30.0);
}

TEST_CASE("An S that is too large is noted, or refused where that is asked for") {
  SyntheticWalker biped = BipedOf(1e-3);
  const std::vector<Dataset> loud = {biped.Record("a", 3.0)};  // thrice the declared noise
  const Estimate noted = RunWith<Mle>(biped.problem, loud, {{"half_power", 0.25}});
  REQUIRE_MESSAGE(noted.ok(), noted.reason);
  CHECK(noted.diagnostics.at("chi_square") > 1000.0);
  const std::string note = noted.notes.at("health");
  CHECK(
      note.starts_with("the sum of squares is too large: a wrong minimum, a declared σ that is too "
                       "small, or an effect that the model lacks; it is 1"));
  CHECK(note.ends_with(", above 226.8, the 97.5 % quantile of its 187 degrees of freedom"));
  const Estimate refused =
      RunWith<Mle>(biped.problem, loud, {{"half_power", 0.25}, {"reject_unhealthy", true}});
  CHECK(refused.outcome == Outcome::kNotConverged);
  CHECK(refused.reason == note);
  const Estimate fine = RunWith<Mle>(biped.problem, {biped.Record("a")}, {{"half_power", 0.25}});
  CHECK(!fine.notes.contains("health"));
}

TEST_CASE("Of two starts the lower minimum counts") {
  const SyntheticWalker biped = BipedOf(0.0316227766);
  int filtered_lost = 0;
  for (int trial = 0; trial < 40; ++trial) {
    const std::vector<Dataset> datasets = {biped.Record("a", 1.0, trial)};
    const auto run = [&](const Json& starts) {
      return RunWith<Mle>(biped.problem, datasets, {{"half_power", 0.1}, {"starts", starts}});
    };
    const Estimate both = run({"filtered", "polynomial"});
    const Estimate filtered = run({"filtered"}), polynomial = run({"polynomial"});
    if (!both.ok() || !filtered.ok() || !polynomial.ok()) continue;
    const auto S = [](const Estimate& estimate) { return estimate.diagnostics.at("chi_square"); };
    CHECK(S(both) == std::min(S(filtered), S(polynomial)));
    const Estimate& best = S(filtered) <= S(polynomial) ? filtered : polynomial;
    CHECK(both.x == best.x);
    CHECK(both.notes.at("start") == best.notes.at("start"));
    filtered_lost += S(filtered) > S(polynomial) + 100.0 ? 1 : 0;
  }
  CHECK(filtered_lost >= 1);  // what the second start is for
}

TEST_CASE("Iterations that run out are a failure by name") {
  const SyntheticWalker biped = BipedOf(1e-2);
  const Estimate estimate = RunWith<Mle>(biped.problem, {biped.Record("a")},
                                         {{"half_power", 0.1}, {"max_iterations", 2}});
  CHECK(estimate.outcome == Outcome::kNotConverged);
  CHECK(estimate.reason.starts_with("no minimum was reached in 2 iterations from the start '"));
}

TEST_CASE("Derivatives of the quartic through five samples miss less of exact signals") {
  const SyntheticWalker biped = BipedOf(1e-5);
  const std::vector<Dataset> exact = {biped.Record("a", 0.0)};
  const auto missed = [&](const char* differences) {
    const Estimate estimate = RunWith<Mle>(biped.problem, exact, {{"differences", differences}});
    REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
    return LargestRelativeError(estimate.x, biped.beta);
  };
  CHECK(missed("five_point") < 0.1 * missed("twice"));
}

TEST_CASE("A distance to the ground tells the angle as well as the angle itself does") {
  const SyntheticWalker biped = SyntheticWalker::Biped();
  const Estimate estimate = RunWith<Mle>(
      biped.problem, {biped.Record("a")},
      {{"absolute_angle", "distance"}, {"half_power", 0.25}, {"differences", "five_point"}});
  REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
  CHECK(!estimate.notes.contains("health"));
  CHECK(((estimate.x - biped.beta).array().abs() < 4.0 * estimate.sigma()->array()).all());
}

TEST_CASE("An IMU serves: as printed, and better by a likelihood in the angle alone") {
  const SyntheticWalker leg = SyntheticWalker::Leg();
  double printed = 0.0, in_angle = 0.0;
  for (int trial = 0; trial < 5; ++trial) {
    const std::vector<Dataset> datasets = {leg.Record("a", 1.0, trial)};
    const auto error = [&](const char* source) {
      const Estimate estimate = RunWith<Mle>(
          leg.problem, datasets,
          {{"absolute_angle", source}, {"half_power", 0.12}, {"starts", {"filtered"}}});
      REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
      // All but friction, of which the kinks are lost between samples.
      return (estimate.x - leg.beta).cwiseQuotient(leg.beta).head(5).squaredNorm();
    };
    printed += error("imu_as_printed");
    in_angle += error("imu");
  }
  CHECK(printed < 5 * 0.01);
  CHECK(in_angle < 0.3 * printed);
}

TEST_CASE("No start is a mistake in the options") {
  MleOptions options;
  std::vector<Issue> issues;
  ReadFields(Visit(options), {{"starts", Json::array()}}, "/estimators/mle", issues);
  REQUIRE(issues.size() == 1);
  CHECK(issues[0].where == "/estimators/mle/starts");
  CHECK(issues[0].what == "is empty");
}

}  // namespace
}  // namespace idbench
