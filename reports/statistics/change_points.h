#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <vector>

namespace idbench {

/// Probability of finding any change in a series of normal noise with kNoiseCorrelation.
inline constexpr double kChangeAlarmRate = 0.01;
/// Correlation of one value's noise with that of the next, for which the rate holds. Timings are
/// correlated from night to night, because what disturbs them lasts: neighbours, temperature, the
/// machine's updates.
inline constexpr double kNoiseCorrelation = 0.6;

/// Where a series changes, and how likely noise alone would seem to change as much.
struct SeriesChanges {
  std::vector<std::size_t> places;  ///< Indices of the first value after each change, in order.
  double p = 1;                     ///< At most kChangeAlarmRate if there is any.
};

/// Finds where the mean of a series changes.
///
/// The model is pieces of constant mean with normal noise of one unknown variance. Of all
/// segmentations into at most kMostPieces pieces of at least three values, the search returns the
/// one with the least
///
///     n log(RSS_k / n) + c_n k
///
/// with k changes, RSS_k the least sum of squares about the pieces' means, found by dynamic
/// programming (Auger & Lawrence, Bull. Math. Biol. 51, 1989), and a penalty for each change as in
/// Yao's criterion (Stat. Prob. Lett. 6, 1988). The penalty c_n is not asymptotic: it is the (1 −
/// kChangeAlarmRate) quantile of L = maxₖ n log(RSS₀/RSS_k)/k over 10,000 simulated series of n
/// values of autoregressive normal noise, xᵢ = φxᵢ₋₁ + √(1 − φ²)·eᵢ with φ = kNoiseCorrelation. It
/// depends on n alone. The probability p of L is that of these series; beyond c_n it falls as an
/// exponential with their mean excess. Noise with less correlation alarms less often than is
/// stated, noise with more of it more often (benchmark ChangeAlarms). An estimate of φ from the
/// series itself would mix up noise and change: with 20 values it finds fewer changes at the same
/// rate. A piece has at least three values: one or two deviating runs are outliers, not changes,
/// and a change is detected from its third run on.
///
/// Differences below a millionth of the values' size count as rounding, not as changes; without
/// other noise every larger step is a change.
class ChangePoints {
 public:
  static constexpr std::size_t kMostPieces = 8;
  /// Fewest values among which a change can be detected.
  static constexpr std::size_t kFewestValues = 6;

  /// @param series  finite values. O(kMostPieces n²), and 10,000 times that for the first series of
  /// a
  ///                length.
  SeriesChanges Find(std::span<const double> series);

 private:
  /// Simulated values of L for series of n values, ascending.
  const std::vector<double>& Simulated(std::size_t n);

  std::map<std::size_t, std::vector<double>> simulated_;  ///< By n.
};

}  // namespace idbench
