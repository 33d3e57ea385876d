#include "reports/statistics/sign_flip.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>
#include <vector>

#include "reports/statistics/paired_test.h"

namespace idbench {
namespace {

std::vector<double> Normals(std::size_t n, std::mt19937_64& engine, double mean = 0) {
  std::vector<double> values(n);
  for (double& value : values) value = mean + NormalDraw(engine);
  return values;
}

/// p by the definition: every pattern, summed one by one.
double Enumerated(const std::vector<double>& changes) {
  double observed = 0;
  for (const double change : changes) observed += change;
  std::size_t reached = 0;
  const std::size_t patterns = std::size_t{1} << changes.size();
  for (std::size_t pattern = 0; pattern < patterns; ++pattern) {
    double sum = 0;
    for (std::size_t i = 0; i < changes.size(); ++i) {
      sum += (pattern >> i & 1) != 0 ? -changes[i] : changes[i];
    }
    if (std::abs(sum) >= std::abs(observed) - 1e-9) ++reached;
  }
  return static_cast<double>(reached) / static_cast<double>(patterns);
}

TEST_CASE("Few changes give the exact p: one side alone 2^(1 − n), and any by enumeration") {
  // All of one sign: only the pattern itself and its opposite reach the sum.
  CHECK(SignFlipTest(std::vector<double>{1, 2, 3, 4, 5}).p == std::exp2(-4.0));
  CHECK(SignFlipTest(std::vector<double>{-0.1, -0.1}).p == 0.5);
  CHECK(SignFlipTest(std::vector<double>{3, -3}).p == 1);
  std::mt19937_64 engine(7);
  for (std::size_t n = 1; n <= 12; ++n) {
    const std::vector<double> changes = Normals(n, engine, 0.5);
    const SignFlipResult result = SignFlipTest(changes);
    CHECK(result.draws == 0);
    CHECK(result.p == Enumerated(changes));
  }
}

TEST_CASE("Ones of either sign give the exact binomial test, which is McNemar's") {
  for (int lost = 0; lost <= 9; ++lost) {
    std::vector<double> changes(9, -1.0);
    std::fill(changes.begin(), changes.begin() + lost, 1.0);
    CHECK(SignFlipTest(changes).p == doctest::Approx(McNemarP(9 - static_cast<std::size_t>(lost),
                                                              static_cast<std::size_t>(lost))));
  }
}

TEST_CASE("McNemar's test doubles the binomial tail: 10 against 2 is 158/4096") {
  CHECK(McNemarP(10, 2) == doctest::Approx(158.0 / 4096));  // 2 (1 + 12 + 66)/2¹²
  CHECK(McNemarP(2, 10) == McNemarP(10, 2));
  CHECK(McNemarP(0, 0) == 1);
  CHECK(McNemarP(5, 5) == 1);
  CHECK(McNemarP(0, 6) == doctest::Approx(2.0 / 64));
}

TEST_CASE("Drawn patterns agree with all patterns of the same changes") {
  std::mt19937_64 engine(3);
  for (int k = 0; k < 5; ++k) {
    const std::vector<double> changes = Normals(14, engine, 0.45);
    const double exact = Enumerated(changes);
    const SignFlipResult drawn = SignFlipTest(changes);
    REQUIRE(drawn.draws > 0);
    // Four standard errors of a share among that many draws.
    const double error = 4 * std::sqrt(exact * (1 - exact) / static_cast<double>(drawn.draws));
    CHECK(std::abs(drawn.p - exact) <= error + 1.0 / static_cast<double>(drawn.draws));
  }
}

TEST_CASE("Draws are added while the decision is open, and not beyond") {
  std::mt19937_64 engine(5);
  const std::vector<double> none = {1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1};
  CHECK(SignFlipTest(none).draws == 200);
  const std::vector<double> clear = Normals(100, engine, 1.0);
  const SignFlipResult one = SignFlipTest(clear);
  CHECK(one.p == 1.0 / static_cast<double>(1 + one.draws));
  // A family of 400 asks for p ≤ 0.000125, which 200 draws cannot say.
  const SignFlipResult many = SignFlipTest(clear, {.family = 400});
  CHECK(many.draws > one.draws);
  CHECK(400 * many.p < 0.05);
}

TEST_CASE("Zeros have no say, and the order of the changes has none") {
  std::mt19937_64 engine(11);
  std::vector<double> changes = Normals(10, engine, 0.3);
  const double p = SignFlipTest(changes).p;
  std::ranges::reverse(changes);
  changes.insert(changes.begin() + 4, 30, 0.0);
  CHECK(SignFlipTest(changes).p == p);
  CHECK(SignFlipTest(std::vector<double>{0, 0}).p == 1);
  CHECK(SignFlipTest(std::vector<double>{}).p == 1);
}

TEST_CASE("The error rate is at most α where each change is as likely as its opposite") {
  std::mt19937_64 engine(13);
  constexpr int kSamples = 2000;
  int rejected = 0;
  for (int k = 0; k < kSamples; ++k) {
    std::vector<double> changes = Normals(20, engine);
    for (double& change : changes) change *= change * change;  // far from normal, symmetric
    rejected += SignFlipTest(changes).p <= 0.05;
  }
  // 2,000 tests at 0.05: 100 ± 9.7; three standard deviations either way.
  CHECK(rejected >= 71);
  CHECK(rejected <= 129);
}

TEST_CASE("The least p is what a test of that size can give") {
  CHECK(LeastSignFlipP(0) == 1);
  CHECK(LeastSignFlipP(6) == std::exp2(-5.0));
  CHECK(LeastSignFlipP(100) == 1.0 / 10001);
  CHECK(LeastSignFlipP(100, {.level = 0.05, .family = 400}) == 1.0 / 800001);
  CHECK(LeastSignFlipTail(0) == 1);
  CHECK(LeastSignFlipTail(6) == std::exp2(-6.0));
  CHECK(LeastSignFlipTail(100) == 1.0 / 10001);
}

TEST_CASE("Each tail has its own p: all changes above zero are one pattern of 2^n") {
  const SignFlipTails above = SignFlipTailTests(std::vector<double>{1, 2, 3, 4, 5});
  CHECK(above.upper == std::exp2(-5.0));
  CHECK(above.lower == 1);
  const SignFlipTails below = SignFlipTailTests(std::vector<double>{-1, -2, -3, -4, -5});
  CHECK(below.upper == 1);
  CHECK(below.lower == std::exp2(-5.0));
  CHECK(SignFlipTailTests(std::vector<double>{0, 0}).upper == 1);
  // Patterns that reach the observed sum stand in both tails, the others in one.
  const std::vector<double> changes = {3, -1, 2, 0.5};
  const SignFlipTails tails = SignFlipTailTests(changes);
  CHECK(tails.upper + tails.lower == doctest::Approx(1 + 1.0 / 16));
  CHECK(SignFlipTest(changes).p == doctest::Approx(2 * tails.upper));
}

TEST_CASE("The rate of wrong rejections of a tail is at most α, also drawn at a low level") {
  std::mt19937_64 engine(17);
  constexpr int kSamples = 2000;
  int above = 0;
  int below = 0;
  for (int k = 0; k < kSamples; ++k) {
    const SignFlipTails tails = SignFlipTailTests(Normals(20, engine), {.family = 4});
    above += tails.upper <= 0.05 / 4;
    below += tails.lower <= 0.05 / 4;
  }
  // 2,000 tests at 0.0125: 25 ± 5.0; four standard deviations either way.
  CHECK(above >= 5);
  CHECK(above <= 45);
  CHECK(below >= 5);
  CHECK(below <= 45);
}

TEST_CASE("Signed ranks are those of Wilcoxon's test, with midranks and without zeros") {
  CHECK(SignedRanks(std::vector<double>{0.3, -0.1, 0, -0.3, 7}) ==
        std::vector<double>{2.5, -1, 0, -2.5, 4});
  CHECK(SignedRanks(std::vector<double>{}).empty());
  // n = 5, W⁻ = 1: two of 32 patterns have a sum of negative ranks of at most 1.
  const std::vector<double> changes = {-0.1, 2, 3, 400, 5};
  CHECK(SignFlipTailTests(SignedRanks(changes)).upper == 2.0 / 32);
}

TEST_CASE("A level or a family that is none is refused") {
  CHECK_THROWS_WITH_AS(
      SignFlipTest(std::vector<double>{1.0}, {.level = 1.0}),
      "SignFlipTest: got level 1 and a family of 1; accepted are a level in (0, 1) and at least "
      "one test",
      std::invalid_argument);
  CHECK_THROWS_AS(LeastSignFlipP(3, {.family = 0}), std::invalid_argument);
}

}  // namespace
}  // namespace idbench
