#pragma once

namespace idbench {

/// Lower and upper end of an interval.
struct ConfidenceInterval {
  double lower = 0;
  double upper = 0;
  bool approximate = false;  ///< Skewed values may be covered far less often than it says.

  bool operator==(const ConfidenceInterval&) const = default;
};

/// Returns Wilson's interval of a probability, from `successes` in `n` independent trials; neither
/// needs to be an integer (effective sizes). Source: Wilson, JASA 22, 1927.
/// @throws std::invalid_argument unless 0 ≤ successes ≤ n, n > 0 and level is in (0, 1).
ConfidenceInterval WilsonInterval(double successes, double n, double level);

/// Returns the number of independent trials of which a proportion p would have this variance,
/// p(1 − p)/variance, but at least `least` and at most `most`. It is `least` where the values do
/// not tell: for p = 0 and p = 1. Source: Kish, Survey Sampling, 1965, section 8.2 (design effect).
double EffectiveTrials(double p, double variance, double least, double most);

}  // namespace idbench
