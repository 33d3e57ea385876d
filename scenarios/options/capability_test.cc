#include "scenarios/options/capability.h"

#include <doctest/doctest.h>

namespace idbench {
namespace {

using enum Capability;

std::vector<std::string> Sentences(const std::vector<Lack>& lacks) {
  std::vector<std::string> sentences;
  for (const Lack& lack : lacks) sentences.push_back(lack.Sentence());
  return sentences;
}

TEST_CASE("A set of capabilities has its members and no other") {
  constexpr Capabilities kSome = {kTruth, kStepByStep};
  CHECK(kSome.Has(kTruth));
  CHECK(kSome.Has(kStepByStep));
  CHECK(!kSome.Has(kPrior));
  CHECK((kSome | Capabilities{kPrior}).Has(kPrior));
  CHECK(kSome.HasAllOf({kTruth}));
  CHECK(kSome.HasAllOf({}));
  CHECK(!kSome.HasAllOf({kTruth, kPrior}));
}

TEST_CASE("Needs that are met are told by nobody, others in the order of capabilities") {
  Supplies supplies;
  supplies.Add({kTruth});
  CHECK(supplies.Unmet({}).empty());
  CHECK(supplies.Unmet({kTruth}).empty());
  const std::vector<Lack> unmet = supplies.Unmet({kPriorCovariance, kTruth, kPrior});
  CHECK(Sentences(unmet) ==
        std::vector<std::string>{"needs a prior: declare /problem/prior",
                                 "needs to know how far the prior may be off: declare "
                                 "/problem/prior/std, relative_std or std_of_bounds"});
  CHECK(unmet[0].absent == "no prior");
}

TEST_CASE("Who does not supply something words it, more than once if need be") {
  Supplies supplies;
  supplies.Lacks(kRowSigma, {.needed = "needs σ of a"})
      .Lacks(kRowSigma, {.needed = "needs σ of b", .cure = "declare it"})
      .Lacks(kRowSigma, {.needed = "needs σ of a"});
  CHECK(Sentences(supplies.Unmet({kRowSigma})) ==
        std::vector<std::string>{"needs σ of a", "needs σ of b: declare it"});
  supplies.Add({kRowSigma});
  CHECK(supplies.Unmet({kRowSigma}).empty());
  CHECK(Supplies().AddIf(true, kPrior).Has(kPrior));
  CHECK(Supplies().AddIf(false, kPrior).Unmet({kPrior}).size() == 1);
}

TEST_CASE("Each capability has words, in the order in which they are told") {
  Capabilities all;
  std::vector<std::string> needed;
  for (int k = 0; k <= static_cast<int>(kStepByStep); ++k) {
    const auto capability = static_cast<Capability>(k);
    all = all | Capabilities{capability};
    REQUIRE(Supplies().Unmet({capability}).size() == 1);
    const Lack words = Supplies().Unmet({capability}).front();
    CHECK(!words.absent.empty());
    needed.push_back(words.Sentence());
  }
  CHECK(Sentences(Supplies().Unmet(all)) == needed);
}

}  // namespace
}  // namespace idbench
