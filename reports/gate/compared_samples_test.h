#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "reports/gate/compare.h"

/// Samples to compare, for tests.
namespace idbench {

/// Returns those of an estimator on both sides, a roll-out each.
inline MatchedSamples Samples(std::vector<double> a, std::vector<double> b) {
  MatchedSamples samples;
  samples.a_label = samples.b_label = "ols";
  for (std::uint32_t i = 0; i < a.size(); ++i) samples.a.rollouts.push_back(i);
  samples.b.rollouts = samples.a.rollouts;
  samples.a.overall = std::move(a);
  samples.b.overall = std::move(b);
  return samples;
}

inline const std::vector<double> kOnes(12, 1.0);
inline const RunMetric kRatio = {"m", "1", {}};

inline std::vector<double> Twelve(double value) { return std::vector<double>(12, value); }

}  // namespace idbench
