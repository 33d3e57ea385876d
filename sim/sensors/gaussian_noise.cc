#include "sim/sensors/gaussian_noise.h"

#include <stdexcept>
#include <utility>

namespace idbench {

GaussianNoise::GaussianNoise(Eigen::VectorXd std) : std_(std::move(std)) {
  if (!std_.allFinite() || (std_.array() < 0.0).any()) {
    throw std::invalid_argument(
        "GaussianNoise: a standard deviation must be finite and at least 0");
  }
}

void GaussianNoise::Reset(const SensorKey& key) {
  stream_ = RandomStream(key.seed, key.trial, key.name + "/gaussian");
}

bool GaussianNoise::Apply(double, std::uint64_t index, Eigen::VectorXd& sample) {
  for (Eigen::Index j = 0; j < sample.size(); ++j) {
    if (std_(j) == 0.0) continue;
    sample(j) += std_(j) * stream_.Normal(static_cast<std::uint64_t>(j), index);
  }
  return true;
}

}  // namespace idbench
