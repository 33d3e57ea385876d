#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "bench/gate/record_source.h"
#include "reports/gate/gate_options.h"

namespace idbench {

/// How often a gate answered what, where nothing had changed.
struct Calibration {
  std::size_t subjects = 0;  ///< Metrics of cells and estimators.
  std::size_t gates = 0;
  std::size_t alarms = 0;        ///< Gates with the verdict regression.
  std::size_t inconclusive = 0;  ///< Gates with the verdict inconclusive.
  double alpha = 0.05;

  /// Returns true if no gate decided, so that there could be no alarm.
  bool decided_nothing() const { return inconclusive == gates; }
  /// Returns P(X ≥ alarms), X ~ B(gates, α): how likely so many alarms are if the gate keeps what
  /// it promises.
  double p() const;
  /// Returns true if so many alarms are too improbable, p ≤ 0.01.
  bool failed() const { return p() <= 0.01; }
};

/// Gates `gates` runs of the same program in which nothing but the sensors' noise differs from the
/// baseline: `noise_seed` is another one for each, in the first stage and in the reserve. Robots,
/// priors and motions are those of the baseline. So what a gate takes for noise is held against
/// what noise does: dependence that its tests do not know of shows as alarms. All gates share the
/// baseline's own noise, so that their alarms come in company; p takes them as independent.
/// @param records  makes the records of all trials; a changed source has to fail.
/// @throws UsageError for a recording, which has no noise to be drawn.
/// @throws ConfigError if a folder is damaged, or the runs are incomparable.
Calibration CalibrateGate(const std::filesystem::path& run, const std::filesystem::path& baseline,
                          std::size_t gates, const RecordSource& records,
                          const GateChoices& choices = {});

/// Returns the rates with their 95 % intervals, and what follows.
std::string RenderCalibration(const Calibration& calibration);

}  // namespace idbench
