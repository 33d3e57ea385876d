#include "estimators/solvers/chi_square.h"

#include <doctest/doctest.h>

namespace idbench {
namespace {

TEST_CASE("The limit of a sum of squares is that of printed tables") {
  CHECK(ChiSquareLimit(10.0) == doctest::Approx(20.483).epsilon(2.5e-5));  // as printed
  CHECK(ChiSquareLimit(100.0) == doctest::Approx(129.561).epsilon(4e-6));
}

TEST_CASE("A sum of squares above its limit is noted, or refused; below it is but kept") {
  Estimate estimate;
  JudgeSumOfSquares(120.0, 100.0, true, estimate);
  CHECK(estimate.notes.empty());
  CHECK(estimate.diagnostics.at("chi_square") == 120.0);
  CHECK(estimate.diagnostics.at("degrees_of_freedom") == 100.0);
  CHECK(estimate.diagnostics.at("chi_square_limit") == ChiSquareLimit(100.0));
  const char* const reason =
      "the sum of squares is too large: a wrong minimum, a declared σ that is too small, or an "
      "effect that the model lacks; it is 140, above 129.6, the 97.5 % quantile of its 100 degrees "
      "of freedom";
  JudgeSumOfSquares(140.0, 100.0, false, estimate);
  CHECK(estimate.notes.at("health") == reason);
  CHECK_THROWS_WITH_AS(JudgeSumOfSquares(140.0, 100.0, true, estimate), reason, EstimationFailure);
}

}  // namespace
}  // namespace idbench
