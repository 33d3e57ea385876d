#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <string>

#include "scenarios/options/draw.h"
#include "scenarios/options/fields.h"
#include "sim/sensors/sensor_effect.h"

namespace idbench {

/// Error of the matrix with which a force/torque sensor's readings are calibrated.
struct CalibrationErrorOptions {
  double relative_std = 0.0;
  double off_diagonal_factor = 0.35;
  double force_unit_n = 20.0;
  double moment_unit_nm = 2.0;
  Draw draw = Draw::kTrial;

  bool operator==(const CalibrationErrorOptions&) const = default;
};
FieldTable Visit(CalibrationErrorOptions& options);

/// Reading w ← (1 + E)·w of a wrench w: force, then moment, with
///
///   E_ij = σ·k_ij·(unit_i/unit_j)·z_ij,  k_ij = 1 on the diagonal, else the off-diagonal factor,
///
/// and z_ij the unit draw of (seed, trial, "sensors/<channel>/calibration", row i, column j). It
/// belongs to the sensor: all experiments of a trial have the same E, and with draw "cell" all
/// trials have that of trial −1.
class CalibrationError : public SensorEffect {
 public:
  /// @param channel  its name.
  /// @throws std::invalid_argument if σ or the factor is negative, or a unit is not above 0.
  CalibrationError(const CalibrationErrorOptions& options, std::string channel);

  void Reset(const SensorKey& key) override;
  bool Apply(double t, std::uint64_t index, Eigen::VectorXd& sample) override;

  /// Returns E of the last Reset(); 0 before it.
  const Eigen::Matrix<double, 6, 6>& error() const { return E_; }

 private:
  CalibrationErrorOptions options_;
  std::string channel_;
  Eigen::Matrix<double, 6, 6> E_ = Eigen::Matrix<double, 6, 6>::Zero();
  Eigen::Vector<double, 6> wrench_ = Eigen::Vector<double, 6>::Zero();
};

}  // namespace idbench
