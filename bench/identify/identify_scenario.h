#pragma once

#include <string>
#include <vector>

#include "bench/identify/preparation.h"
#include "scenarios/options/json_fwd.h"

namespace idbench {

/// Label of the estimate that is exported.
inline constexpr const char* kExported = "consistent_wls";
/// Label of the estimator by whose error the preparation is chosen.
inline constexpr const char* kChooser = "wls";
/// Metric of that error, by joint.
/// Part of the fitted time, its last one, on which preparations are compared.
inline constexpr double kTuningPart = 2.0 / 7.0;
inline constexpr const char* kChoosingMetric = "joint_torque_rmse_nm";

/// Returns the scenario that identifies a robot from a lab's logs.
///
/// Experiments, of each recording: `identification`, `tuning` and, without logs of its own for it,
/// `validation`, one after another in time (0-50-70-100 %; with such logs 0-71-100 %); further ones
/// have a number behind the label. What was chosen on the tuning time is fitted on it too, so that
/// its role is identification, unless `choosing`.
/// @param choosing  for choosing a preparation: validation data are left out, the tuning time keeps
///                  its role, and there is one estimator.
Json IdentifyScenario(const LabLogs& logs, const MotionFacts& facts, const Preparation& preparation,
                      bool choosing);

/// Labels of the experiments of one kind, "tuning", "tuning_2", …: one for each of `count`
/// recordings.
std::vector<std::string> LabelsOf(const std::string& kind, std::size_t count);

}  // namespace idbench
