#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "reports/statistics/paired.h"
#include "reports/statistics/sign_flip.h"

namespace idbench {

/// Change of one member of a gate from baseline to run, and the tests of it against a tolerance.
class MemberChange {
 public:
  /// @param failures   the change of the failure rate, else that of the metric.
  /// @param tolerance  relative change of the metric, or increase of the rate.
  MemberChange(const Pairs& pairs, bool failures, double tolerance);

  const MeanChange& mean() const { return mean_; }
  /// Returns the effect: the mean change as a relative one, or that of the rate.
  double effect() const { return Relative(mean_.mean); }
  /// Returns a change d as a relative change of the metric, or as it is for a rate.
  double Relative(double d) const { return RelativeChange(d, ratios_); }
  /// Returns a relative change of the metric, or of a rate, as d.
  double ChangeOf(double relative) const;
  /// Returns the tolerance as d.
  double limit() const { return limit_; }
  /// Returns the standard deviation of a unit's change; nothing for fewer than two units.
  std::optional<double> spread() const;
  /// Returns true if no trial differs.
  bool unmoved() const;
  bool shares_rollouts() const { return shared_; }
  /// Returns the fraction of trials in which one side alone failed.
  double discordant() const;

  /// One-sided p of the hypotheses that the change is at most the tolerance (`upper`) and that it
  /// is at least the tolerance (`lower`). By sign flips of the units' d − δ; of failures of trials
  /// that are independent by PairedRateTest().
  SignFlipTails AgainstTolerance(const SignFlipOptions& options) const;
  /// One-sided p of the hypothesis that the run is better by at most the tolerance.
  double OfGain(const SignFlipOptions& options) const;
  /// Returns true if AgainstTolerance() could give `upper` ≤ level/family at all.
  bool CanAlarm(const SignFlipOptions& options) const;

 private:
  std::vector<double> SumsLess(double centre) const;

  std::vector<double> sums_;    ///< Change of each independent unit.
  std::vector<double> trials_;  ///< Of each unit.
  MeanChange mean_;
  double limit_ = 0;
  bool ratios_ = false;
  bool exact_rates_ = false;  ///< Failures of independent trials.
  bool shared_ = false;
  std::size_t only_a_ = 0;
  std::size_t only_b_ = 0;
  std::size_t pairs_ = 0;
};

}  // namespace idbench
