#pragma once

#include <Eigen/Core>
#include <cstdint>

#include "robots/random/random_stream.h"
#include "sim/sensors/sensor_effect.h"

namespace idbench {

/// Slow error, x ← x + d_j(t): a stationary Ornstein-Uhlenbeck process of standard deviation σ_j
/// and correlation time T,
///
///   d ← a·d + √(1 − a²)·σ_j·z,  a = e^(−h/T),  E[d(t)·d(t + s)] = σ_j²·e^(−|s|/T),
///
/// with h the time since the last sample and z the unit draw of (seed, trial, "<name>/drift", joint
/// j, sample index); the first sample has d = σ_j·z. Each experiment has its own. So has what is
/// fed back, as with noise: a controller's readings have other instants than those of the data.
/// Source: Uhlenbeck & Ornstein, "On the theory of the Brownian motion", Phys. Rev. 36, 1930.
class Drift : public SensorEffect {
 public:
  /// @param std     σ, one per joint, in the channel's unit.
  /// @param time_s  T [s].
  /// @throws std::invalid_argument if a σ is negative or not finite, or T is not above 0.
  Drift(Eigen::VectorXd std, double time_s);

  void Reset(const SensorKey& key) override;
  bool Apply(double t, std::uint64_t index, Eigen::VectorXd& sample) override;

 private:
  Eigen::VectorXd std_;
  double time_s_;
  RandomStream stream_{0, 0, ""};
  Eigen::VectorXd drift_;  ///< d
  double last_s_ = 0.0;
  bool begun_ = false;
};

}  // namespace idbench
