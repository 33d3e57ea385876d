#include "reports/statistics/stage.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <vector>

#include "reports/statistics/paired_test.h"
#include "reports/statistics/sign_flip.h"

namespace idbench {
namespace {

TEST_CASE("A sign-flip test can reject from the first n with 2^−n at most its level") {
  CHECK(FewestUnits(0.05) == 5);  // 1/32
  CHECK(FewestUnits(0.05 / 20) == 9);
  CHECK(FewestUnits(0.5) == 1);
  CHECK(FewestUnits(0.25) == 2);
}

TEST_CASE("Power is that of Student's t: tables for n = 20 and a normal law for many") {
  // One-sided t test at 5 %, n = 20, a shift of half a standard deviation: 0.6951 (Cohen 1988,
  // table 2.3.2 by interpolation; exact value of the non-central law).
  CHECK(Stage{20, 0.05}.Power(0.5, 1) == doctest::Approx(0.695).epsilon(0.002));
  // Many units: Φ(shift − 1.645), with a shift of 1.645 + 0.8416.
  CHECK(Stage{400, 0.05}.Power((1.644854 + 0.841621) / 20, 1) ==
        doctest::Approx(0.8).epsilon(1e-4));
  CHECK(Stage{200, 0.05}.Power((1.644854 + 0.841621) / std::sqrt(200.0), 1) ==
        doctest::Approx(0.8).epsilon(0.01));
  CHECK(Stage{4, 0.05}.Power(100, 1) == 0);  // 2⁻⁴ > 0.05
  CHECK(Stage{40, 0.05}.Power(0, 1) == 0);
  CHECK(Stage{40, 0.05}.Power(0.1, 0) == 1);
  CHECK(Stage{40, 0.05}.Power(1000, 1) == 1);
}

TEST_CASE("The power of the sign-flip test itself is the one that is stated") {
  std::mt19937_64 engine(3);
  constexpr int kSamples = 1000;
  int rejected = 0;
  for (int k = 0; k < kSamples; ++k) {
    std::vector<double> changes(25);
    for (double& change : changes) change = 0.5 + NormalDraw(engine);
    rejected += SignFlipTailTests(changes).upper <= 0.05;
  }
  const double stated = Stage{25, 0.05}.Power(0.5, 1);
  // Three standard errors of a share of a thousand, 0.04.
  CHECK(std::abs(rejected / 1000.0 - stated) < 0.04);
}

TEST_CASE("Units for a power are the fewest: (z + z)² (spread/margin)² for many") {
  // (1.644854 + 1.281552)² · 10² = 856.4
  CHECK(UnitsForPower(0.05, 0.9, 0.1, 1) == 857);
  for (const double margin : {0.3, 1.0, 10.0}) {
    const std::size_t n = UnitsForPower(0.05, 0.9, margin, 1);
    CHECK(Stage{n, 0.05}.Power(margin, 1) >= 0.9);
    if (n > 5) CHECK(Stage{n - 1, 0.05}.Power(margin, 1) < 0.9);
  }
  CHECK(UnitsForPower(0.05 / 100, 0.9, 0.01, 0) == 11);  // as few as can reject
}

}  // namespace
}  // namespace idbench
