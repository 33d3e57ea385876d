#pragma once

#include <vector>

#include "reports/charts/chart.h"
#include "reports/run/run_folder.h"

namespace idbench {

/// Makes the chart `friction` from `series/friction.jsonl`: friction torque τ(v) of one joint
/// [N·m, N] over its velocity [rad/s, m/s], a line per estimator, with a band of ± 2σ where it is
/// stated, and dashed the true one; with choices of joint, cell and trial.
///
/// Returns nothing if the run has no such file.
/// @throws ConfigError if the file is damaged, with line and reason.
std::vector<Chart> MakeFrictionChart(const RunFolder& folder);

}  // namespace idbench
