#include "bench/run/six_digits.h"

#include <cmath>

namespace idbench {

double SixDigits(double value) {
  if (value == 0.0 || !std::isfinite(value)) return value;
  const double scale = std::pow(10.0, 5 - std::floor(std::log10(std::abs(value))));
  const double rounded = std::round(value * scale) / scale;
  return std::isfinite(rounded) ? rounded : value;
}

std::vector<double> SixDigits(const Eigen::Ref<const Eigen::VectorXd>& values) {
  std::vector<double> rounded;
  for (const double value : values) rounded.push_back(SixDigits(value));
  return rounded;
}

}  // namespace idbench
