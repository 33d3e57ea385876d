#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "reports/bootstrap.h"

namespace idbench {

/// Which values of a metric are the better ones.
enum class Better { kLower, kHigher };

/// Two sides a and b of one metric, trial by trial on common random numbers.
///
/// The change of a pair is d = ln(b/a), with its sign turned where higher values are the better
/// ones: d > 0 always says that b is worse. If some value is not positive, there are no ratios:
/// then d = (b − a)/s for all pairs, s the mean of |a| and |b| over all of them (the same for a and
/// b exchanged).
///
/// In a pair a failure loses and two tie (d = 0). It loses by the greatest |d| of the pairs without
/// a failure, and at least by ln 2: as bad as the worst, and as an error twice as large. This
/// depends on |d| alone, so that the sign-flip test stays exact.
struct Pairs {
  std::vector<double> change;           ///< d of each trial.
  std::vector<std::uint32_t> rollouts;  ///< Its roll-out.
  std::vector<bool> a_failed;
  std::vector<bool> b_failed;
  bool ratios = true;     ///< d = ±ln(b/a), else a difference over the pooled scale.
  bool identical = true;  ///< Every pair has the same value bit for bit, or failed twice.

  std::size_t size() const { return change.size(); }
  /// +1 where b alone failed, −1 where a alone did, else 0; one for each trial.
  std::vector<double> FailureChange() const;
};

/// @param a, b      one value per trial; one that is not finite is a failure. The longer one is
/// cut.
/// @param rollouts  the roll-out of each trial of a.
/// @throws std::invalid_argument if there are fewer roll-outs than pairs.
Pairs MakePairs(std::span<const double> a, std::span<const double> b,
                std::span<const std::uint32_t> rollouts, Better better = Better::kLower);

/// Every second trial of `pairs`, from `first` on.
Pairs EverySecond(const Pairs& pairs, std::size_t first);

/// P(b better than a) = (wins + ½ ties)/n over paired trials; nothing without a trial.
std::optional<double> ProbabilityOfImprovement(const Pairs& pairs);

/// The independent units of a sample: trials, or the roll-outs that trials share. With one roll-out
/// for all, what is said of the trials holds for that motion alone.
class Units {
 public:
  explicit Units(std::span<const std::uint32_t> rollouts);

  std::size_t size() const { return size_; }
  /// True if there are several roll-outs, and some with several trials.
  bool shared() const { return shared_; }
  std::size_t of(std::size_t trial) const { return unit_[trial]; }
  /// The sum over the trials of each unit.
  std::vector<double> Sums(std::span<const double> values) const;

 private:
  std::vector<std::size_t> unit_;
  std::size_t size_ = 0;
  bool shared_ = false;
};

/// The mean change of a sample of pairs, and how well it is known.
struct MeanChange {
  double mean = 0;    ///< d̄ over trials.
  std::size_t n = 0;  ///< Independent units.
  /// Standard error of d̄, from the spread of the units' sums S_u of n_u trials around their
  /// expectation: √(n/(n − 1) Σ (S_u − n_u d̄)²)/N; from two units on.
  std::optional<double> standard_error;
  /// Student's 95 % interval d̄ ± t₀.₉₇₅(n − 1) · standard error; from ten units on.
  std::optional<ConfidenceInterval> ci95;
};
MeanChange DescribeChange(std::span<const double> change, const Units& units);

/// The change as a relative one: exp(d) − 1 of log-ratios, d itself of differences.
double RelativeChange(double d, bool ratios);

/// The least |change| that a two-sided test at `level` finds in four of five cases:
/// (z_{1 − level/2} + z_{0.8}) · standard error.
double DetectableChange(double standard_error, double level);

/// Units that would do to detect `change` at `level`, and for the test to be able to reject at all:
/// max(⌈n (DetectableChange/change)²⌉, least n with 2^(1 − n) ≤ level).
/// @param change  above 0. @param n  units that gave the standard error.
std::size_t UnitsNeeded(double standard_error, std::size_t n, double level, double change);

}  // namespace idbench
