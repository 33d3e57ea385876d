#pragma once

namespace idbench {

/// Quintic smooth step and its derivatives at one instant.
struct QuinticStep {
  double s = 0.0;    ///< From 0 to 1.
  double ds = 0.0;   ///< ṡ [1/s]
  double dds = 0.0;  ///< s̈ [1/s²]
};

/// Returns s(u) = 10u³ − 15u⁴ + 6u⁵ with u = t/duration and its derivatives: 0 for t ≤ 0, 1 for
/// t ≥ duration, twice continuously differentiable. Its greatest ṡ is 15/8/duration, its greatest
/// |s̈| 10/√3/duration².
QuinticStep EvaluateQuinticStep(double t, double duration);

/// Greatest ṡ·duration and |s̈|·duration².
inline constexpr double kQuinticPeakSpeed = 1.875;
inline constexpr double kQuinticPeakAcceleration = 5.773502691896258;

}  // namespace idbench
