#include "reports/statistics/paired.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

#include "reports/statistics/paired_test.h"

namespace idbench {
namespace {

using Values = std::vector<double>;
using Rollouts = std::vector<std::uint32_t>;

TEST_CASE("Changes of positive values are log-ratios, positive where b is worse") {
  const Pairs lower = MakePairs(Values{1, 2, 4}, Values{2, 2, 2}, OwnRollouts(3));
  CHECK(lower.ratios);
  CHECK_FALSE(lower.identical);
  CHECK(lower.change[0] == std::log(2.0));
  CHECK(lower.change[1] == 0);
  CHECK(lower.change[2] == std::log(0.5));
  const Pairs higher = MakePairs(Values{1, 2, 4}, Values{2, 2, 2}, OwnRollouts(3), Better::kHigher);
  CHECK(higher.change[0] == -lower.change[0]);
}

TEST_CASE("A value that is not positive makes all changes differences over the pooled scale") {
  const Pairs pairs = MakePairs(Values{0, 1, -1}, Values{2, 1, 1}, OwnRollouts(3));
  CHECK_FALSE(pairs.ratios);
  // The mean of |a| and |b| is (0 + 2 + 1 + 1 + 1 + 1)/6 = 1.
  CHECK(pairs.change == Values{2, 0, 2});
  const Pairs zeros = MakePairs(Values{0, 0}, Values{0, 0}, OwnRollouts(2));
  CHECK(zeros.identical);
  CHECK(zeros.change == Values{0, 0});
}

TEST_CASE("A failure loses by the worst pair, at least by a factor of 2, and two failures tie") {
  const Pairs pairs = MakePairs(Values{1, kFailedValue, 1, kFailedValue},
                                Values{8, 1, kFailedValue, kFailedValue}, OwnRollouts(4));
  CHECK(pairs.change[1] == -std::log(8.0));
  CHECK(pairs.change[2] == std::log(8.0));
  CHECK(pairs.change[3] == 0);
  CHECK(pairs.FailureChange() == Values{0, -1, 1, 0});
  const Pairs close = MakePairs(Values{1, 1}, Values{1, kFailedValue}, OwnRollouts(2));
  CHECK(close.change[1] == std::log(2.0));
  CHECK_FALSE(close.identical);
  CHECK(MakePairs(Values{1, kFailedValue}, Values{1, kFailedValue}, OwnRollouts(2)).identical);
}

TEST_CASE("Exchanging the sides turns the sign of each change, failures and differences too") {
  for (const double third : {4.0, 0.0, kFailedValue}) {
    const Values a = {1, 2, third, kFailedValue};
    const Values b = {3, 1, 2, 1};
    const Pairs there = MakePairs(a, b, OwnRollouts(4));
    const Pairs back = MakePairs(b, a, OwnRollouts(4));
    for (std::size_t i = 0; i < 4; ++i) CHECK(there.change[i] == doctest::Approx(-back.change[i]));
  }
}

TEST_CASE("The longer side is cut, and roll-outs must suffice") {
  CHECK(MakePairs(Values{1, 2, 3}, Values{1, 2}, OwnRollouts(3)).size() == 2);
  CHECK_THROWS_WITH_AS(MakePairs(Values{1, 2}, Values{1, 2}, OwnRollouts(1)),
                       "MakePairs: got 2 pairs and 1 roll-outs", std::invalid_argument);
}

TEST_CASE("The probability of improvement counts wins and half the ties") {
  const Pairs pairs = MakePairs(Values{2, 2, 2, 2}, Values{1, 2, 3, 1}, OwnRollouts(4));
  CHECK(ProbabilityOfImprovement(pairs) == 0.625);
  CHECK_FALSE(ProbabilityOfImprovement(Pairs{}));
}

TEST_CASE("Units are the roll-outs that trials share, or the trials") {
  CHECK(Units(Rollouts{4, 4, 9, 9}).size() == 2);
  CHECK(Units(Rollouts{4, 4, 9, 9}).shared());
  CHECK(Units(Rollouts{4, 4, 9, 9}).Sums(Values{1, 2, 3, 4}) == Values{3, 7});
  CHECK(Units(Rollouts{5, 5, 5}).size() == 3);  // conditional on one motion
  CHECK_FALSE(Units(Rollouts{5, 5, 5}).shared());
  CHECK(Units(OwnRollouts(6)).size() == 6);
  CHECK_FALSE(Units(OwnRollouts(6)).shared());
}

TEST_CASE("Mean change and its error are those of a sample of trials: sd/√n and Student's t") {
  const Values change = {0.1, -0.2, 0.3, 0.0, 0.4, 0.1, -0.1, 0.2, 0.0, 0.2};
  const MeanChange described = DescribeChange(change, Units(OwnRollouts(10)));
  CHECK(described.mean == doctest::Approx(0.1));
  // Σ(d − 0.1)² = 0.3, so s = √(0.3/9), and t₀.₉₇₅(9) = 2.262157 (tables).
  const double error = std::sqrt(0.3 / 9 / 10);
  CHECK(described.standard_error.value() == doctest::Approx(error));
  CHECK(described.ci95.value().upper == doctest::Approx(0.1 + 2.262157 * error));
}

TEST_CASE("Trials that are copies of each other tell as little as one of them") {
  const Values once = {0.1, -0.2, 0.3, 0.05};
  Values thrice;
  Rollouts rollouts;
  for (std::uint32_t r = 0; r < once.size(); ++r) {
    for (int k = 0; k < 3; ++k) {
      thrice.push_back(once[r]);
      rollouts.push_back(r);
    }
  }
  const MeanChange single = DescribeChange(once, Units(OwnRollouts(4)));
  const MeanChange copies = DescribeChange(thrice, Units(rollouts));
  CHECK(copies.n == 4);
  CHECK(copies.mean == doctest::Approx(single.mean));
  CHECK(copies.standard_error.value() == doctest::Approx(single.standard_error.value()));
  CHECK_FALSE(copies.ci95);  // below ten units
  CHECK_FALSE(DescribeChange(Values{0.1}, Units(OwnRollouts(1))).standard_error);
}

}  // namespace
}  // namespace idbench
