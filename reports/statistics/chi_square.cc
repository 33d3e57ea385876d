#include "reports/statistics/chi_square.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>
#include <stdexcept>

namespace idbench {
namespace {

/// ln C(N, n)
double LogBinomial(double N, double n) {
  return std::lgamma(N + 1) - std::lgamma(n + 1) - std::lgamma(N - n + 1);
}

}  // namespace

void ChiSquareSum::Add(double term, double degrees_of_term) {
  sum += term;
  degrees += degrees_of_term;
  ++terms;
}

double ProbabilityOfAtMost(const ChiSquareSum& sum) {
  const bool finite = std::isfinite(sum.sum) && std::isfinite(sum.degrees);
  if (sum.terms == 0 || !finite || sum.sum < 0 || sum.degrees <= 0) {
    throw std::invalid_argument(
        fmt::format("ProbabilityOfAtMost: got {} terms with the sum {} and {} degrees of freedom; "
                    "accepted are at least one term, a finite sum ≥ 0 and finite degrees > 0",
                    sum.terms, sum.sum, sum.degrees));
  }
  const double p = boost::math::cdf(boost::math::chi_squared(sum.degrees), sum.sum);
  if (sum.missing == 0) return p;
  const auto n = static_cast<double>(sum.terms);
  const double choices = LogBinomial(n + static_cast<double>(sum.missing), n);
  return std::exp(std::min(0.0, choices + std::log(p)));
}

}  // namespace idbench
