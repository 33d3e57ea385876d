#include "estimators/chi_square.h"

#include <fmt/format.h>

#include <cmath>

namespace idbench {
namespace {

/// 97.5 % of a normal number lie below.
constexpr double kNormal975 = 1.959963984540054;

}  // namespace

double ChiSquareQuantile(double degrees_of_freedom, double normal) {
  const double spread = 2.0 / (9.0 * degrees_of_freedom);
  return degrees_of_freedom * std::pow(1.0 - spread + normal * std::sqrt(spread), 3);
}

double ChiSquareLimit(double degrees_of_freedom) {
  return ChiSquareQuantile(degrees_of_freedom, kNormal975);
}

void JudgeSumOfSquares(double S, double degrees_of_freedom, bool reject, Estimate& estimate) {
  const double limit = ChiSquareLimit(degrees_of_freedom);
  estimate.diagnostics["chi_square"] = S;
  estimate.diagnostics["degrees_of_freedom"] = degrees_of_freedom;
  estimate.diagnostics["chi_square_limit"] = limit;
  if (S <= limit) return;
  const std::string reason = fmt::format(
      "the sum of squares {:.4g} is above {:.4g}, the 97.5 % quantile of its {:g} degrees of "
      "freedom: a wrong minimum, a declared σ that is too small, or an effect that the model lacks",
      S, limit, degrees_of_freedom);
  if (reject) throw EstimationFailure(Outcome::kNotConverged, reason);
  estimate.notes["health"] = reason;
}

}  // namespace idbench
