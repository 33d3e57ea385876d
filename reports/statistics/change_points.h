#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <vector>

namespace idbench {

/// Probability of finding any change in a series of independent normal noise.
inline constexpr double kChangeAlarmRate = 0.01;

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
/// kChangeAlarmRate) quantile of maxₖ n log(RSS₀/RSS_k)/k over 10,000 simulated series of n normal
/// values. It depends on n alone, so that the stated rate of false alarms holds for every n. Noise
/// with heavy tails alarms more often in long series (Student's t with 3 degrees of freedom: 1 % at
/// n = 24, 8 % at n = 100). A piece has at least three values: one or two deviating runs are
/// outliers, not changes, and a change is detected from its third run on.
///
/// Differences below a millionth of the values' size count as rounding, not as changes; without
/// other noise every larger step is a change.
class ChangePoints {
 public:
  static constexpr std::size_t kMostPieces = 8;
  /// Fewest values among which a change can be detected.
  static constexpr std::size_t kFewestValues = 6;

  /// Returns the indices of the first value after each change, in order.
  /// @param series  finite values. O(kMostPieces n²), and 10,000 times that for the first
  ///         series of a length.
  std::vector<std::size_t> Find(std::span<const double> series);

 private:
  double Penalty(std::size_t n);

  std::map<std::size_t, double> penalties_;  ///< By n.
};

}  // namespace idbench
