#pragma once

#include <cstddef>

namespace idbench {

/// Outcomes of trials that both sides made.
struct PairedOutcomes {
  std::size_t only_a = 0;  ///< Trials in which only side a failed.
  std::size_t only_b = 0;  ///< Trials in which only side b failed.
  std::size_t trials = 0;
};

/// One-sided p of a test of an increase of a rate.
struct PairedRateTails {
  double upper = 1;  ///< Of the hypothesis that the rate rose by at most the stated increase.
  double lower = 1;  ///< Of the hypothesis that it rose by at least as much.
};

/// Tests by how much a rate of failures rose from side a to side b of paired trials.
///
/// With n trials, x_b failures of b alone and x_a of a alone, the statistic is Tango's score
///   z = (x_b − x_a − n δ)/√(n (2 q̃ + δ (1 − δ))),
/// q̃ the likeliest rate of failures of a alone if the increase is δ. p is the probability of a
/// score at least as great (small), the greatest over the unknown rate q: exact and unconditional
/// for at most 2,000 trials, with q on a grid of 200 rates; by the normal law above.
/// Source: Tango, Statistics in Medicine 17(8), 1998; the greatest over a nuisance rate: Suissa &
/// Shuster, JRSS A 148(4), 1985. For δ = 0 McNemar's test is the conditional one, see McNemarP().
///
/// @param increase  δ, in [0, 1].
/// @throws std::invalid_argument for counts above the number of trials, or another increase.
PairedRateTails PairedRateTest(const PairedOutcomes& outcomes, double increase);

}  // namespace idbench
