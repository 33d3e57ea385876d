#pragma once

#include <string_view>

namespace idbench {

/// Units of options whose effect changes with the sample rate.
inline constexpr const char* kSamples = "samples";
inline constexpr const char* kStepsASample = "steps a sample";
inline constexpr const char* kOfHalfTheRate = "half the rate";
inline constexpr const char* kASample = "1/sample";

/// Whether an option of that unit changes its effect with the sample rate.
inline bool IsPerSample(std::string_view unit) {
  return unit == kSamples || unit == kStepsASample || unit == kOfHalfTheRate || unit == kASample;
}

}  // namespace idbench
