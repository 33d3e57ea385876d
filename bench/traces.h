#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "bench/cell_context.h"

namespace idbench {

/// What charts show of one trial beside its statistics, as JSON lines with six digits.
struct TrialTraces {
  /// `series/tracks.jsonl`, the unknowns over recorded time, one line per estimator:
  ///
  ///     {"cell": 0, "trial": 0, "estimator": "ekf", "t_s": […], "x": [[all unknowns], …],
  ///      "sigma": [[…], …], "x_true": […]}
  ///
  /// Online methods at evenly spread instants, others at the scenario's checkpoints, both at the
  /// end. Instants at which the estimate failed are left out; `sigma` stands where every estimate
  /// states a covariance, `x_true` where the truth is known: a list for each instant where it
  /// changes with time.
  std::string tracks;
  /// `series/residuals.jsonl`, τ − τ̂ [N·m, N] at the measured state, τ as measured, of the final
  /// estimate, every few samples; one line per estimator and experiment:
  ///
  ///     {"cell": 0, "trial": 0, "estimator": "ols", "experiment": "validation",
  ///      "channel": "joint_torque", "t_s": […], "rows": ["joint1", …], "residual": [[joint1], …],
  ///      "units": {"rail": "N"}}
  ///
  /// `units` holds the rows that are not in N·m, and is absent if there are none.
  std::string residuals;
};

/// Runs all estimators once more on the data of one trial, CellContext::Run(trial).
TrialTraces TraceTrial(const CellContext& context, std::size_t cell, std::int64_t trial,
                       const TrialData& data);

}  // namespace idbench
