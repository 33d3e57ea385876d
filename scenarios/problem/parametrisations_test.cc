#include "scenarios/problem/parametrisations.h"

#include <doctest/doctest.h>

#include <stdexcept>

#include "estimators/interface/problem.h"
#include "scenarios/problem/problem_builder.h"

namespace idbench {
namespace {

/// Options of unknowns of that kind, with a prior that states how far it may be off.
ProblemOptions OptionsOf(const ParametrisationKind& kind) {
  ProblemOptions options;
  options.parametrisation.type = kind.name;
  options.prior.emplace();
  options.prior->relative_std = 0.1;
  if (kind.truth == TrueValues::kOfPayload) {
    options.parametrisation.payload = {"", {0.0, 0.0, 0.1}, {0.0, 4.0}, {0.0, 0.2}, 0.5};
  }
  if (kind.truth == TrueValues::kOfState) options.equations = {{Equation::kPosition, ""}};
  return options;
}

/// A robot whose unknowns can be of that kind.
Robot RobotFor(const ParametrisationKind& kind) {
  return LoadRobot(kind.supplies.Has(Capability::kLagrangian) ? "leg2" : "puma560");
}

TEST_CASE("A kind makes what it supplies, and what a method may ask of the problem") {
  using enum Capability;
  for (const ParametrisationKind& kind : ParametrisationKinds()) {
    CAPTURE(kind.name);
    const Problem problem = BuildProblem(RobotFor(kind), OptionsOf(kind), "test");
    const Parametrisation& parameters = problem.parameters;
    const Supplies supplies = SuppliedBy(problem);
    CHECK(parameters.type() == kind.name);
    CHECK(supplies.Has(kLagrangian) == kind.supplies.Has(kLagrangian));
    // Where the state is unknown, π is known: methods that read it get it.
    const bool of_state = kind.truth == TrueValues::kOfState;
    CHECK(supplies.Has(kStandardUnknowns) == (kind.supplies.Has(kStandardUnknowns) || of_state));
    CHECK(of_state == kind.supplies.Has(kStateUnknowns));
    // No entry of π follows the state, or the β of a Lagrangian.
    const bool moves_pi = !parameters.Jacobian(parameters.prior->mean).isZero(0.0);
    CHECK(moves_pi == kind.supplies.Has(kStandardUnknowns));
    // Unknowns that describe single links do not share what they predict with others.
    CHECK(kind.supplies.Has(kSingleLinks) ==
          (!parameters.representative && parameters.lagrangian() == nullptr));
    CHECK(supplies.Has(kPrior));
    CHECK(supplies.Has(kPriorCovariance));
  }
}

TEST_CASE("π is affine in the unknowns where a problem says so, and nowhere else") {
  for (const ParametrisationKind& kind : ParametrisationKinds()) {
    CAPTURE(kind.name);
    const Problem problem = BuildProblem(RobotFor(kind), OptionsOf(kind), "test");
    const Eigen::VectorXd& mean = problem.parameters.prior->mean;
    const Eigen::VectorXd other = 1.5 * mean.array() + 0.1;
    const bool affine = problem.parameters.Jacobian(other) == problem.parameters.Jacobian(mean);
    CHECK(affine == SuppliedBy(problem).Has(Capability::kAffine));
  }
}

TEST_CASE("What needs no prior can be made without") {
  for (const ParametrisationKind& kind : ParametrisationKinds()) {
    if (kind.needs.Has(Capability::kPrior)) continue;
    CAPTURE(kind.name);
    ProblemOptions options = OptionsOf(kind);
    options.prior.reset();
    const Problem problem = BuildProblem(RobotFor(kind), options, "test");
    CHECK(!problem.parameters.prior);
    CHECK(!SuppliedBy(problem).Has(Capability::kPrior));
  }
}

TEST_CASE("Kinds are found by their names, each its own") {
  for (const ParametrisationKind& kind : ParametrisationKinds()) {
    CHECK(&KindNamed(kind.name) == &kind);
  }
  CHECK_THROWS_WITH_AS(KindNamed("bases"), "there is no parametrisation 'bases'",
                       std::invalid_argument);
}

TEST_CASE("A kind tells in its own words what it lacks, if it has some") {
  using enum Capability;
  const std::vector<Lack> own = KindNamed("base").Supplied().Unmet({kSingleLinks});
  REQUIRE(own.size() == 1);
  CHECK(own[0].absent == "base parameters say nothing of single links");
  const std::vector<Lack> common = KindNamed("standard").Supplied().Unmet({kLagrangian});
  REQUIRE(common.size() == 1);
  CHECK(common[0].needed == "needs the parametrisation \"planar_lagrangian\"");
  CHECK(KindNamed("standard").Supplied().Unmet({kSingleLinks, kAmounts}).empty());
}

TEST_CASE("Factors of the prior's mean are all 1 where none are given") {
  PriorOptions prior;
  CHECK(UnknownScale(prior, 2) == Eigen::Vector2d::Ones());
  prior.unknown_scale = {1.3, 0.7};
  CHECK(UnknownScale(prior, 2) == Eigen::Vector2d(1.3, 0.7));
}

}  // namespace
}  // namespace idbench
