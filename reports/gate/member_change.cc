#include "reports/gate/member_change.h"

#include <algorithm>
#include <cmath>

#include "reports/statistics/paired_rates.h"
#include "reports/statistics/stage.h"

namespace idbench {

MemberChange::MemberChange(const Pairs& pairs, bool failures, double tolerance)
    : ratios_(!failures && pairs.ratios), pairs_(pairs.size()) {
  const Units units(pairs.rollouts);
  const std::vector<double> failed = pairs.FailureChange();
  const std::vector<double>& change = failures ? failed : pairs.change;
  sums_ = units.Sums(change);
  trials_ = units.Sums(std::vector<double>(pairs.size(), 1.0));
  mean_ = DescribeChange(change, units);
  limit_ = ChangeOf(tolerance);
  exact_rates_ = failures && units.size() == pairs.size();
  shared_ = units.shared();
  only_a_ = static_cast<std::size_t>(std::ranges::count(failed, -1.0));
  only_b_ = static_cast<std::size_t>(std::ranges::count(failed, 1.0));
}

double MemberChange::ChangeOf(double relative) const {
  return ratios_ ? std::log1p(relative) : relative;
}

std::optional<double> MemberChange::spread() const {
  if (!mean_.standard_error) return std::nullopt;
  return *mean_.standard_error * std::sqrt(static_cast<double>(mean_.n));
}

bool MemberChange::unmoved() const {
  return std::ranges::all_of(sums_, [](double sum) { return sum == 0; });
}

double MemberChange::discordant() const {
  return pairs_ == 0 ? 0 : static_cast<double>(only_a_ + only_b_) / static_cast<double>(pairs_);
}

std::vector<double> MemberChange::SumsLess(double centre) const {
  std::vector<double> sums = sums_;
  for (std::size_t u = 0; u < sums.size(); ++u) {
    const double expected = trials_[u] * centre;
    const double rounding = 1e-12 * (std::abs(sums[u]) + std::abs(expected));
    sums[u] -= expected;
    if (std::abs(sums[u]) <= rounding) sums[u] = 0;  // just as much: no sign to be flipped
  }
  return sums;
}

SignFlipTails MemberChange::AgainstTolerance(const SignFlipOptions& options) const {
  if (!exact_rates_) return SignFlipTailTests(SumsLess(limit_), options);
  const PairedRateTails tails =
      PairedRateTest({.only_a = only_a_, .only_b = only_b_, .trials = pairs_}, limit_);
  return {.upper = tails.upper, .lower = tails.lower};
}

double MemberChange::OfGain(const SignFlipOptions& options) const {
  if (!exact_rates_) return SignFlipTailTests(SumsLess(-limit_), options).lower;
  return PairedRateTest({.only_a = only_b_, .only_b = only_a_, .trials = pairs_}, limit_).upper;
}

bool MemberChange::CanAlarm(const SignFlipOptions& options) const {
  const double level = options.level / static_cast<double>(options.family);
  if (exact_rates_) {
    return PairedRateTest({.only_b = pairs_, .trials = pairs_}, limit_).upper <= level;
  }
  return sums_.size() >= FewestUnits(level);
}

}  // namespace idbench
