#include "sim/sensors/quantisation.h"

#include <cmath>
#include <stdexcept>
#include <utility>

namespace idbench {

Quantisation::Quantisation(Eigen::VectorXd step) : step_(std::move(step)) {
  if (!step_.allFinite() || (step_.array() < 0.0).any()) {
    throw std::invalid_argument("Quantisation: a step must be finite and at least 0");
  }
}

bool Quantisation::Apply(double, std::uint64_t, Eigen::VectorXd& sample) {
  for (Eigen::Index j = 0; j < sample.size(); ++j) {
    if (step_(j) == 0.0) continue;
    sample(j) = step_(j) * std::round(sample(j) / step_(j));
  }
  return true;
}

}  // namespace idbench
