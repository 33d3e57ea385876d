#pragma once

#include <cstddef>

namespace idbench {

/// A stage of a gate: a one-sided test of the mean of `units` independent changes at `level`.
struct Stage {
  std::size_t units = 0;
  double level = 0.05;

  /// Returns the probability that the test rejects if the mean lies `margin` beyond the limit: that
  /// of Student's t with n − 1 degrees of freedom and a non-centrality of margin·√n/spread. A
  /// sign-flip test has nearly the same; one that cannot reject at all has 0.
  /// @param spread  standard deviation of a unit's change; 0: each unit shows the margin.
  double Power(double margin, double spread) const;
};

/// Returns the fewest units with which a sign-flip test can reject at `level`: 2^−n ≤ level.
std::size_t FewestUnits(double level);

/// Returns the fewest units with which a stage at `level` has `power` for that margin.
/// @param margin  above 0.
std::size_t UnitsForPower(double level, double power, double margin, double spread);

}  // namespace idbench
