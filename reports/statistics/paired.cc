#include "reports/statistics/paired.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <map>
#include <stdexcept>

#include "reports/statistics/statistics.h"

namespace idbench {
namespace {

/// Half the sum of |a| and |b| over the pairs in which neither failed, per pair.
double PooledScale(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!std::isfinite(a[i]) || !std::isfinite(b[i])) continue;
    sum += (std::abs(a[i]) + std::abs(b[i])) / 2;
    ++count;
  }
  return count == 0 || sum == 0 ? 1.0 : sum / static_cast<double>(count);
}

bool IsNotPositive(double value) { return std::isfinite(value) && value <= 0; }

}  // namespace

Pairs MakePairs(std::span<const double> a, std::span<const double> b,
                std::span<const std::uint32_t> rollouts, Better better, bool interval_scale) {
  const std::size_t n = std::min(a.size(), b.size());
  if (rollouts.size() < n) {
    throw std::invalid_argument(
        fmt::format("MakePairs: got {} pairs and {} roll-outs", n, rollouts.size()));
  }
  a = a.first(n);
  b = b.first(n);
  Pairs pairs;
  pairs.rollouts.assign(rollouts.begin(), rollouts.begin() + static_cast<std::ptrdiff_t>(n));
  pairs.ratios = !interval_scale && std::ranges::none_of(a, &IsNotPositive) &&
                 std::ranges::none_of(b, &IsNotPositive);
  const double scale = interval_scale ? 1.0 : PooledScale(a, b);
  const double sign = better == Better::kLower ? 1.0 : -1.0;
  double greatest = std::log(2.0);
  for (std::size_t i = 0; i < n; ++i) {
    const bool a_failed = !std::isfinite(a[i]);
    const bool b_failed = !std::isfinite(b[i]);
    pairs.a_failed.push_back(a_failed);
    pairs.b_failed.push_back(b_failed);
    double d = 0;
    if (!a_failed && !b_failed) {
      d = sign * (pairs.ratios ? std::log(b[i] / a[i]) : (b[i] - a[i]) / scale);
      if (a[i] != b[i]) pairs.identical = false;
    } else if (a_failed != b_failed) {
      pairs.identical = false;
    }
    greatest = std::max(greatest, std::abs(d));
    pairs.change.push_back(d);
  }
  const std::vector<double> failures = pairs.FailureChange();
  for (std::size_t i = 0; i < n; ++i) {
    if (failures[i] != 0) pairs.change[i] = failures[i] * greatest;
  }
  return pairs;
}

std::vector<double> Pairs::FailureChange() const {
  std::vector<double> difference(a_failed.size());
  for (std::size_t i = 0; i < difference.size(); ++i) {
    difference[i] = static_cast<double>(b_failed[i]) - static_cast<double>(a_failed[i]);
  }
  return difference;
}

Pairs EverySecond(const Pairs& pairs, std::size_t first) {
  Pairs part;
  part.ratios = pairs.ratios;
  part.identical = pairs.identical;
  for (std::size_t i = first; i < pairs.size(); i += 2) {
    part.change.push_back(pairs.change[i]);
    part.rollouts.push_back(pairs.rollouts[i]);
    part.a_failed.push_back(pairs.a_failed[i]);
    part.b_failed.push_back(pairs.b_failed[i]);
  }
  return part;
}

std::optional<double> ProbabilityOfImprovement(const Pairs& pairs) {
  if (pairs.size() == 0) return std::nullopt;
  const auto wins = std::ranges::count_if(pairs.change, [](double d) { return d < 0; });
  const auto ties = std::ranges::count(pairs.change, 0.0);
  return (static_cast<double>(wins) + 0.5 * static_cast<double>(ties)) /
         static_cast<double>(pairs.size());
}

Units::Units(std::span<const std::uint32_t> rollouts) {
  std::map<std::uint32_t, std::size_t> numbers;
  for (const std::uint32_t rollout : rollouts) {
    unit_.push_back(numbers.emplace(rollout, numbers.size()).first->second);
  }
  shared_ = numbers.size() > 1 && numbers.size() < rollouts.size();
  size_ = numbers.size();
  if (numbers.size() != 1) return;
  size_ = rollouts.size();
  for (std::size_t i = 0; i < size_; ++i) unit_[i] = i;
}

std::vector<double> Units::Sums(std::span<const double> values) const {
  std::vector<double> sums(size_, 0.0);
  for (std::size_t i = 0; i < values.size(); ++i) sums[unit_.at(i)] += values[i];
  return sums;
}

MeanChange DescribeChange(std::span<const double> change, const Units& units) {
  MeanChange described;
  described.n = units.size();
  if (change.empty()) return described;
  const auto trials = static_cast<double>(change.size());
  const auto n = static_cast<double>(units.size());
  std::vector<double> sums = units.Sums(change);
  for (const double sum : sums) described.mean += sum / trials;
  if (units.size() < 2) return described;
  std::vector<double> centred(change.begin(), change.end());
  for (double& d : centred) d -= described.mean;
  double squares = 0;
  for (const double sum : units.Sums(centred)) squares += sum * sum;
  const double error = std::sqrt(n / (n - 1) * squares) / trials;
  described.standard_error = error;
  if (units.size() >= kFewestForInterval) {
    const double t = boost::math::quantile(boost::math::students_t(n - 1), 0.975);
    described.ci95 = {described.mean - t * error, described.mean + t * error};
  }
  return described;
}

double RelativeChange(double d, bool ratios) { return ratios ? std::expm1(d) : d; }

}  // namespace idbench
