#include "sim/sensors/delay.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace idbench {
namespace {

constexpr double kSameSampleTime =
    1e-9;  // [s]: a delay of whole periods gives samples, bit for bit

}  // namespace

Delay::Delay(double delay_s) : delay_s_(delay_s) {
  if (!(delay_s >= 0.0) || !std::isfinite(delay_s)) {
    throw std::invalid_argument("Delay: it must be finite and at least 0");
  }
}

bool Delay::Apply(double t, std::uint64_t, Eigen::VectorXd& sample) {
  past_.push_back({t, sample});
  const double then = t - delay_s_;
  while (past_.size() > 1 && past_[1].t <= then + kSameSampleTime) past_.pop_front();
  const Sample& before = past_.front();
  sample = before.value;
  if (past_.size() == 1 || then <= before.t + kSameSampleTime) return true;
  const Sample& after = past_[1];
  sample += (then - before.t) / (after.t - before.t) * (after.value - before.value);
  return true;
}

}  // namespace idbench
