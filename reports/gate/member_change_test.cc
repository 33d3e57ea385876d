#include "reports/gate/member_change.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "reports/statistics/paired_test.h"

namespace idbench {
namespace {

using Values = std::vector<double>;

Pairs PairsOf(const Values& b, std::vector<std::uint32_t> rollouts = {}) {
  if (rollouts.empty()) rollouts = OwnRollouts(b.size());
  return MakePairs(Values(b.size(), 1.0), b, rollouts);
}

TEST_CASE("Ratios are tested on a log scale against ln(1 + tolerance), differences as they are") {
  const MemberChange ratios(PairsOf({1.05, 1.04, 1.06, 1.05, 1.05, 1.05}), false, 0.02);
  CHECK(ratios.limit() == std::log1p(0.02));
  CHECK(ratios.effect() == doctest::Approx(0.05).epsilon(0.01));
  CHECK(ratios.Relative(ratios.ChangeOf(0.3)) == doctest::Approx(0.3));
  const MemberChange zero(PairsOf({0, 1.1}), false, 0.02);
  CHECK(zero.limit() == 0.02);
}

TEST_CASE("A change beyond the tolerance and one below it are told by opposite tails") {
  const SignFlipOptions options;
  const MemberChange worse(PairsOf({1.05, 1.04, 1.06, 1.05, 1.05, 1.05}), false, 0.02);
  CHECK(worse.AgainstTolerance(options).upper == std::exp2(-6.0));
  CHECK(worse.AgainstTolerance(options).lower == 1);
  CHECK(worse.OfGain(options) == 1);
  const MemberChange within(PairsOf({1.01, 1.0, 1.015, 1.01, 1.005, 1.01}), false, 0.02);
  CHECK(within.AgainstTolerance(options).upper == 1);
  CHECK(within.AgainstTolerance(options).lower == std::exp2(-6.0));
  CHECK(within.OfGain(options) == 1);
  const MemberChange better(PairsOf({0.9, 0.91, 0.92, 0.9, 0.9, 0.9}), false, 0.02);
  CHECK(better.OfGain(options) == std::exp2(-6.0));
}

TEST_CASE("Roll-outs that trials share are the units, each against its own number of trials") {
  // Changes of exactly the tolerance: nothing is left of any unit, whatever its size.
  const Values b(6, 1.02);
  const MemberChange change(PairsOf(b, {0, 0, 0, 1, 1, 2}), false, 0.02);
  CHECK(change.shares_rollouts());
  CHECK(change.mean().n == 3);
  CHECK(change.AgainstTolerance({}).upper == doctest::Approx(1));
  CHECK_FALSE(change.CanAlarm({}));  // 2⁻³
}

TEST_CASE("Failures of independent trials are tested exactly, discordant pairs alone count") {
  Values b(149, 1.0);
  const MemberChange none(PairsOf(b), true, 0.02);
  CHECK(none.unmoved());
  CHECK(none.AgainstTolerance({}).lower == doctest::Approx(std::pow(0.98, 149)));
  for (std::size_t i = 0; i < 15; ++i) b[i] = kFailedValue;
  const MemberChange some(PairsOf(b), true, 0.02);
  CHECK(some.effect() == doctest::Approx(15.0 / 149));
  CHECK(some.discordant() == doctest::Approx(15.0 / 149));
  CHECK(some.AgainstTolerance({}).upper < 0.001);
  CHECK(some.OfGain({}) > 0.5);
  CHECK(some.CanAlarm({}));
  CHECK_FALSE(MemberChange(PairsOf({1, kFailedValue, 1}), true, 0.02).CanAlarm({}));
}

TEST_CASE("The spread is that of a unit, and needs two") {
  const MemberChange change(PairsOf({1.1, 0.9, 1.1, 0.9}), false, 0.02);
  // sd of ±ln-changes with n − 1 = 3.
  const double mean = (2 * std::log(1.1) + 2 * std::log(0.9)) / 4;
  const double squares =
      2 * std::pow(std::log(1.1) - mean, 2) + 2 * std::pow(std::log(0.9) - mean, 2);
  CHECK(change.spread().value() == doctest::Approx(std::sqrt(squares / 3)));
  CHECK_FALSE(MemberChange(PairsOf({1.1}), false, 0.02).spread());
}

}  // namespace
}  // namespace idbench
