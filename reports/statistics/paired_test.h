#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

/// For tests of paired samples.
namespace idbench {

/// The value of an estimate that failed.
inline constexpr double kFailedValue = std::numeric_limits<double>::quiet_NaN();

/// A standard normal draw by Box-Muller: the same bits with every standard library.
inline double NormalDraw(std::mt19937_64& engine) {
  const double u = (static_cast<double>(engine() >> 11) + 0.5) * 0x1p-53;
  const double v = static_cast<double>(engine() >> 11) * 0x1p-53;
  return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
}

/// Roll-outs 0 … n − 1: each of n pairs has one of its own.
inline std::vector<std::uint32_t> OwnRollouts(std::size_t n) {
  std::vector<std::uint32_t> rollouts(n);
  for (std::size_t i = 0; i < n; ++i) rollouts[i] = static_cast<std::uint32_t>(i);
  return rollouts;
}

}  // namespace idbench
