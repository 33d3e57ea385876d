#include "reports/statistics/stage.h"

#include <algorithm>
#include <boost/math/distributions/non_central_t.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "reports/statistics/normal_law.h"

namespace idbench {
namespace {

/// Units from which on Student's law is the normal one.
constexpr std::size_t kNormalUnits = 200;

double NormalPower(double level, double shift) {
  const boost::math::normal_distribution<> normal;
  return boost::math::cdf(normal, shift - NormalQuantile(1 - level));
}

}  // namespace

double Stage::Power(double margin, double spread) const {
  if (units < std::max<std::size_t>(2, FewestUnits(level)) || margin <= 0) return 0;
  if (spread <= 0) return 1;
  const double shift = margin * std::sqrt(static_cast<double>(units)) / spread;
  if (units > kNormalUnits) return NormalPower(level, shift);
  const auto freedom = static_cast<double>(units - 1);
  const double limit = boost::math::quantile(boost::math::students_t(freedom), 1 - level);
  // Far beyond the limit the series of the non-central law is slow, and its value is 1.
  if (shift > limit + 8 && freedom >= 4) return 1;
  return boost::math::cdf(
      boost::math::complement(boost::math::non_central_t(freedom, shift), limit));
}

std::size_t FewestUnits(double level) {
  return static_cast<std::size_t>(std::ceil(-std::log2(level) - 1e-12));
}

std::size_t UnitsForPower(double level, double power, double margin, double spread) {
  std::size_t enough = std::max<std::size_t>(2, FewestUnits(level));
  while (Stage{enough, level}.Power(margin, spread) < power) enough *= 2;
  std::size_t few = enough / 2;  // power grows with units: bisection
  while (enough - few > 1) {
    const std::size_t middle = few + (enough - few) / 2;
    (Stage{middle, level}.Power(margin, spread) < power ? few : enough) = middle;
  }
  return enough;
}

}  // namespace idbench
