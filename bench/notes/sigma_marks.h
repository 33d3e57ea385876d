#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bench/trial/data_source.h"
#include "estimators/interface/problem.h"
#include "sim/sensors/sensors.h"

namespace idbench {

/// Returns a sentence on errors of measured channels that are no noise: of angles off their axis,
/// biases, their shifts between experiments, drift, errors of calibration, lost readings. No true σ
/// counts them. "" if there are none.
/// @param sensors      resolved.
/// @param with_offset  channels whose bias is part of what is estimated.
std::string SensorErrorMark(const SensorOptions& sensors,
                            const std::vector<std::string_view>& with_offset);

/// Returns a sentence for each channel whose σ estimators get: whether the true one is declared,
/// and what the processing makes of it, see ChannelNoise.
/// @param source  of simulated data.
std::vector<std::string> SigmaMarks(const Problem& problem, const DataSource& source);

}  // namespace idbench
