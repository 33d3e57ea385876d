#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <vector>

namespace idbench {

/// Probability that a series of independent normal noise is found to have any change at all.
inline constexpr double kChangeAlarmRate = 0.01;

/// Finds where the mean of a series changes.
///
/// The series is taken for pieces of constant mean with normal noise of one unknown variance. Of
/// all segmentations into at most kMostPieces pieces of at least three values, the one with the
/// least
///
///     n log(RSS_k / n) + c_n k
///
/// is taken: k changes, RSS_k the least sum of squares about the pieces' means, found by dynamic
/// programming (Auger & Lawrence, Bull. Math. Biol. 51, 1989), and a penalty for each change as in
/// Yao's criterion (Stat. Prob. Lett. 6, 1988). The penalty c_n is not asymptotic: it is the
/// (1 − kChangeAlarmRate) quantile of maxₖ n log(RSS₀/RSS_k)/k over 10,000 simulated series of n
/// normal values, which depends on n alone, so that the rate of false alarms is what is stated for
/// every n. Noise with heavy tails alarms more often in long series (Student's t with 3 degrees of
/// freedom: 1 % at n = 24, 8 % at n = 100). A piece has three values at least: one or two runs that
/// are off are outliers, not changes, and a change is told from the third run on.
///
/// Differences below a part in a million of the values' size are rounding, not changes; without any
/// other noise every larger step is a change.
class ChangePoints {
 public:
  static constexpr std::size_t kMostPieces = 8;
  /// Fewest values among which a change can be told.
  static constexpr std::size_t kFewestValues = 6;

  /// Indices of the first value after each change, in order. @param series  finite values.
  /// O(kMostPieces n²), and 10,000 times that at the first series of a length.
  std::vector<std::size_t> Find(std::span<const double> series);

 private:
  double Penalty(std::size_t n);

  std::map<std::size_t, double> penalties_;  ///< By n.
};

}  // namespace idbench
