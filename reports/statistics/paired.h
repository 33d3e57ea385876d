#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "reports/statistics/better.h"
#include "reports/statistics/bootstrap.h"

namespace idbench {

/// Two sides a and b of one metric, trial by trial on common random numbers.
///
/// The change of a pair is d = ln(b/a), with its sign reversed if higher values are better: d > 0
/// always means that b is worse. If some value is not positive, there are no ratios: then d = (b
/// − a)/s for all pairs, with s the mean of |a| and |b| over all of them (unchanged if a and b
/// are exchanged). Of values on an interval scale, which have no ratios, d = b − a.
///
/// Within a pair a failure loses, and two failures tie (d = 0). A failure loses by the greatest |d|
/// of the pairs without a failure, and by at least ln 2: as bad as the worst, and as an error twice
/// as large, or the logarithm of one. This depends on |d| alone, so that the sign-flip test stays
/// exact.
struct Pairs {
  std::vector<double> change;           ///< d of each trial.
  std::vector<std::uint32_t> rollouts;  ///< Roll-out of each trial.
  std::vector<bool> a_failed;
  std::vector<bool> b_failed;
  bool ratios = true;     ///< d = ±ln(b/a), else a difference over the pooled scale.
  bool identical = true;  ///< Every pair has the same value bit for bit, or failed twice.

  std::size_t size() const { return change.size(); }
  /// Returns +1 if only b failed, −1 if only a failed, else 0; one per trial.
  std::vector<double> FailureChange() const;
};

/// Pairs the trials of two sides.
/// @param a, b      one value per trial; a value that is not finite is a failure. The
///         longer side is cut.
/// @param rollouts  the roll-out of each trial of a.
/// @param interval_scale  d = b − a.
/// @throws std::invalid_argument if there are fewer roll-outs than pairs.
Pairs MakePairs(std::span<const double> a, std::span<const double> b,
                std::span<const std::uint32_t> rollouts, Better better = Better::kLower,
                bool interval_scale = false);

/// Returns every second trial of `pairs`, from `first` on.
Pairs EverySecond(const Pairs& pairs, std::size_t first);

/// Returns P(b better than a) = (wins + ½ ties)/n over paired trials; nothing without a trial.
std::optional<double> ProbabilityOfImprovement(const Pairs& pairs);

/// Independent units of a sample: trials, or the roll-outs that trials share. If all share one
/// roll-out, conclusions hold for that motion only.
class Units {
 public:
  explicit Units(std::span<const std::uint32_t> rollouts);

  std::size_t size() const { return size_; }
  /// Returns true if there are several roll-outs, and some have several trials.
  bool shared() const { return shared_; }
  std::size_t of(std::size_t trial) const { return unit_[trial]; }
  /// Returns the sum over the trials of each unit.
  std::vector<double> Sums(std::span<const double> values) const;

 private:
  std::vector<std::size_t> unit_;
  std::size_t size_ = 0;
  bool shared_ = false;
};

/// Mean change of a sample of pairs, and its uncertainty.
struct MeanChange {
  double mean = 0;    ///< d̄ over trials.
  std::size_t n = 0;  ///< Number of independent units.
  /// Standard error of d̄, from the spread of the units' sums S_u of n_u trials around their
  /// expectation: √(n/(n − 1) Σ (S_u − n_u d̄)²)/N; for at least two units.
  std::optional<double> standard_error;
  /// Student's 95 % interval d̄ ± t₀.₉₇₅(n − 1) · standard error; for at least ten units.
  std::optional<ConfidenceInterval> ci95;
};
MeanChange DescribeChange(std::span<const double> change, const Units& units);

/// Returns the relative change: exp(d) − 1 for log-ratios, d itself for differences, which is one
/// of the values themselves on an interval scale.
double RelativeChange(double d, bool ratios);

}  // namespace idbench
