#pragma once

namespace idbench {

/// Half width of a 95 % interval in σ: NormalQuantile(0.975).
inline constexpr double kNormal95 = 1.959963984540054;

/// σ of a normal law over its median of |r − median|, 1/Φ⁻¹(0.75), as robust statistics round it.
inline constexpr double kSigmaPerMedian = 1.4826;

/// Returns Φ⁻¹(p), the quantile of the standard normal law.
/// @param p  in (0, 1).
/// @throws std::domain_error for another p, std::overflow_error for 0 and 1.
double NormalQuantile(double p);

}  // namespace idbench
