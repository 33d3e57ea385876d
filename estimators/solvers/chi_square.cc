#include "estimators/solvers/chi_square.h"

#include <fmt/format.h>

#include <boost/math/distributions/chi_squared.hpp>
#include <string>

namespace idbench {

double ChiSquareLimit(double degrees_of_freedom) {
  return boost::math::quantile(boost::math::chi_squared(degrees_of_freedom), 0.975);
}

void JudgeSumOfSquares(double S, double degrees_of_freedom, bool reject, Estimate& estimate) {
  const double limit = ChiSquareLimit(degrees_of_freedom);
  estimate.diagnostics["chi_square"] = S;
  estimate.diagnostics["degrees_of_freedom"] = degrees_of_freedom;
  estimate.diagnostics["chi_square_limit"] = limit;
  if (S <= limit) return;
  const std::string reason = fmt::format(
      "the sum of squares is too large: a wrong minimum, a declared σ that is too small, or an "
      "effect that the model lacks; it is {:.4g}, above {:.4g}, the 97.5 % quantile of its {:g} "
      "degrees of freedom",
      S, limit, degrees_of_freedom);
  if (reject) throw EstimationFailure(Outcome::kNotConverged, reason);
  estimate.notes["health"] = reason;
}

}  // namespace idbench
