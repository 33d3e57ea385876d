#include "reports/statistics/unpaired.h"

#include <doctest/doctest.h>

#include <vector>

namespace idbench {
namespace {

TEST_CASE("Welch's test has the numbers of its definition") {
  // s_a² = 20/3, s_b² = 1, s² = 5/3 + 1/3 = 2, t = 3/√2, 4/((25/9)/3 + (1/9)/2) = 4.0755 degrees.
  const std::vector<double> a = {2, 4, 6, 8}, b = {1, 2, 3};
  const UnpairedChange change = DescribeUnpaired(a, b);
  CHECK(change.mean == -3.0);
  REQUIRE(change.p);
  // Student's density, integrated by Simpson's rule in Python.
  CHECK(*change.p == doctest::Approx(0.0999128643).epsilon(1e-6));
  CHECK(0.5 * (change.ci95->lower + change.ci95->upper) == doctest::Approx(-3.0));
  CHECK(change.ci95->upper == doctest::Approx(0.8979754511).epsilon(1e-6));
  // Exchanged, the change has the other sign and the same p.
  CHECK(DescribeUnpaired(b, a).mean == 3.0);
  CHECK(*DescribeUnpaired(b, a).p == doctest::Approx(*change.p));
}

TEST_CASE("A single value, or no spread at all, is not tested") {
  const std::vector<double> one = {2.0}, two = {1.0, 2.0}, same = {1.0, 1.0};
  CHECK_FALSE(DescribeUnpaired(one, two).p);
  CHECK_FALSE(DescribeUnpaired(two, one).ci95);
  CHECK_FALSE(DescribeUnpaired(same, same).p);
  CHECK(DescribeUnpaired(one, two).mean == -0.5);
}

TEST_CASE("The least p of samples that are rearranged counts the arrangements") {
  CHECK(LeastRearrangedP(1, 1) == 1.0);
  CHECK(LeastRearrangedP(3, 3) == doctest::Approx(2.0 / 20));
  CHECK(LeastRearrangedP(4, 4) == doctest::Approx(2.0 / 70));
  CHECK(LeastRearrangedP(2, 5) == doctest::Approx(1.0 / 21));
  CHECK(LeastRearrangedP(5, 2) == LeastRearrangedP(2, 5));
  CHECK(LeastRearrangedP(0, 5) == 1.0);
  CHECK(LeastRearrangedP(1000, 1000) < 1e-300);
}

}  // namespace
}  // namespace idbench
