#include "sim/sensors/drift.h"

#include <cmath>
#include <stdexcept>
#include <utility>

namespace idbench {

Drift::Drift(Eigen::VectorXd std, double time_s)
    : std_(std::move(std)), time_s_(time_s), drift_(Eigen::VectorXd::Zero(std_.size())) {
  if (!std_.allFinite() || (std_.array() < 0.0).any()) {
    throw std::invalid_argument("Drift: a standard deviation must be finite and at least 0");
  }
  if (!(time_s > 0.0)) throw std::invalid_argument("Drift: the correlation time must be above 0");
}

void Drift::Reset(const SensorKey& key) {
  stream_ = RandomStream(key.seed, key.trial, key.name + "/drift");
  begun_ = false;
}

bool Drift::Apply(double t, std::uint64_t index, Eigen::VectorXd& sample) {
  const double h = begun_ ? t - last_s_ : 0.0;
  const double a = begun_ ? std::exp(-h / time_s_) : 0.0;
  // √(1 − a²), without the loss of digits where h is far below T
  const double fresh = begun_ ? std::sqrt(-std::expm1(-2.0 * h / time_s_)) : 1.0;
  begun_ = true;
  last_s_ = t;
  for (Eigen::Index j = 0; j < sample.size(); ++j) {
    if (std_(j) == 0.0) continue;
    drift_(j) =
        a * drift_(j) + fresh * std_(j) * stream_.Normal(static_cast<std::uint64_t>(j), index);
    sample(j) += drift_(j);
  }
  return true;
}

}  // namespace idbench
