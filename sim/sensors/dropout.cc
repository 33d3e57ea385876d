#include "sim/sensors/dropout.h"

#include <stdexcept>

namespace idbench {

Dropout::Dropout(double fraction, Kind kind) : fraction_(fraction), kind_(kind) {
  if (!(fraction >= 0.0 && fraction <= 1.0)) {
    throw std::invalid_argument("Dropout: the fraction must be in 0 … 1");
  }
}

void Dropout::Reset(const SensorKey& key) {
  stream_ = RandomStream(key.seed, key.trial, key.name + "/dropout");
  last_.resize(0);
}

bool Dropout::Apply(double, std::uint64_t index, Eigen::VectorXd& sample) {
  const bool lost = last_.size() > 0 && stream_.Uniform(0, index) < fraction_;
  if (!lost) {
    last_ = sample;
    return true;
  }
  sample = last_;
  return kind_ == Kind::kHold;
}

}  // namespace idbench
