#include "sim/sensors/bias_shift.h"

#include <stdexcept>
#include <string>
#include <utility>

#include "robots/random/random_stream.h"

namespace idbench {

BiasShift::BiasShift(Eigen::VectorXd std, ShiftDraw draw)
    : std_(std::move(std)), draw_(draw), shift_(Eigen::VectorXd::Zero(std_.size())) {
  if (!std_.allFinite() || (std_.array() < 0.0).any()) {
    throw std::invalid_argument("BiasShift: a standard deviation must be finite and at least 0");
  }
}

void BiasShift::Reset(const SensorKey& key) {
  std::string of = key.OfRun();  // "<experiment>/<channel>"
  if (draw_ == ShiftDraw::kTrial) of.erase(0, of.find('/') + 1);
  const RandomStream stream(key.seed, key.trial, of + "/bias_shift");
  for (Eigen::Index j = 0; j < std_.size(); ++j) {
    shift_[j] = std_[j] * stream.Normal(static_cast<std::uint64_t>(j), 0);
  }
}

bool BiasShift::Apply(double, std::uint64_t, Eigen::VectorXd& sample) {
  sample += shift_;
  return true;
}

}  // namespace idbench
