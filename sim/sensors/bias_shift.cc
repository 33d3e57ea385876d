#include "sim/sensors/bias_shift.h"

#include <stdexcept>
#include <utility>

#include "robots/random/random_stream.h"

namespace idbench {

BiasShift::BiasShift(Eigen::VectorXd std)
    : std_(std::move(std)), shift_(Eigen::VectorXd::Zero(std_.size())) {
  if (!std_.allFinite() || (std_.array() < 0.0).any()) {
    throw std::invalid_argument("BiasShift: a standard deviation must be finite and at least 0");
  }
}

void BiasShift::Reset(const SensorKey& key) {
  const RandomStream stream(key.seed, key.trial, key.OfRun() + "/bias_shift");
  for (Eigen::Index j = 0; j < std_.size(); ++j) {
    shift_[j] = std_[j] * stream.Normal(static_cast<std::uint64_t>(j), 0);
  }
}

bool BiasShift::Apply(double, std::uint64_t, Eigen::VectorXd& sample) {
  sample += shift_;
  return true;
}

}  // namespace idbench
