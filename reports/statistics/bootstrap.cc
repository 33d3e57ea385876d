#include "reports/statistics/bootstrap.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cassert>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <stdexcept>

#include "reports/statistics/normal_law.h"
#include "reports/statistics/quantile.h"

namespace idbench {
namespace {

/// Part of the sample's standard error that a resample's has at least.
constexpr double kLeastSpread = 0.2;

double InverseStudent(double p, double degrees) {
  return boost::math::quantile(boost::math::students_t(degrees), p);
}

/// Numbers from 0 in the order of first appearance.
std::vector<std::uint32_t> Renumber(std::span<const std::uint32_t> labels) {
  std::map<std::uint32_t, std::uint32_t> numbers;
  std::vector<std::uint32_t> renumbered;
  renumbered.reserve(labels.size());
  for (const std::uint32_t label : labels) {
    renumbered.push_back(
        numbers.emplace(label, static_cast<std::uint32_t>(numbers.size())).first->second);
  }
  return renumbered;
}

}  // namespace

std::uint32_t IndexStream::Below(std::uint32_t bound) {
  assert(bound > 0);
  if (bound == 1) return 0;
  // The upper word of draw · bound is uniform once the draws that make it uneven are rejected:
  // those whose lower word is below 2³² mod bound.
  std::uint64_t product = (engine_() >> 32) * bound;
  if (static_cast<std::uint32_t>(product) < bound) {
    const std::uint32_t uneven = (0U - bound) % bound;
    while (static_cast<std::uint32_t>(product) < uneven) product = (engine_() >> 32) * bound;
  }
  return static_cast<std::uint32_t>(product >> 32);
}

Resampling::Resampling(std::span<const std::uint32_t> rollouts, const BootstrapOptions& options)
    : rollouts_(rollouts.begin(), rollouts.end()), draws_(options.draws) {
  if (rollouts.empty() || options.draws == 0) {
    throw std::invalid_argument(
        fmt::format("Resampling: got {} trials and {} draws; accepted are at least one of each",
                    rollouts.size(), options.draws));
  }
  unit_ = Renumber(rollouts);
  n_units_ = std::ranges::max(unit_) + std::size_t{1};
  if (n_units_ == 1) {
    std::iota(unit_.begin(), unit_.end(), 0U);
    n_units_ = unit_.size();
  }
  if (n_units_ <= kMostForBootstrap) Draw(options);
}

void Resampling::Draw(const BootstrapOptions& options) {
  counts_.assign(n_units_ * draws_, 0);
  IndexStream stream(options.seed);
  for (std::size_t draw = 0; draw < draws_; ++draw) {
    for (std::size_t i = 0; i < n_units_; ++i) {
      const std::uint32_t unit = stream.Below(static_cast<std::uint32_t>(n_units_));
      std::uint8_t& count = counts_[unit * draws_ + draw];
      // No sample of ten and more draws one of its members 255 times; smaller ones have no
      // interval.
      if (count < std::numeric_limits<std::uint8_t>::max()) ++count;
    }
  }
}

void Resampling::CheckSize(std::span<const double> values) const {
  if (values.size() == unit_.size()) return;
  throw std::invalid_argument(
      fmt::format("Resampling: got {} values for {} trials; accepted is one per trial",
                  values.size(), unit_.size()));
}

double Resampling::Estimate::StandardError() const {
  return std::sqrt(counted_units / (counted_units - 1) * spread) / n;
}

ConfidenceInterval Resampling::Estimate::At(double lower, double upper) const {
  return {centre + (residual + scale * lower), centre + (residual + scale * upper),
          counted_units < static_cast<double>(kFewestForSkewed)};
}

void Resampling::SumUp(std::span<const double> values, Estimate& estimate) const {
  std::vector<Unit>& units = estimate.units;
  units.resize(n_units_);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) continue;
    units[unit_[i]].sum += values[i] - estimate.centre;
    units[unit_[i]].count += 1;
  }
  // Takes away the rounding of the first sum.
  for (const Unit& unit : units) {
    estimate.residual += unit.sum / estimate.n;
    estimate.counted_units += unit.count > 0 ? 1 : 0;
  }
  for (Unit& unit : units) {
    unit.sum -= unit.count * estimate.residual;
    estimate.scale = std::max(estimate.scale, std::abs(unit.sum));
  }
  if (estimate.scale == 0) return;
  for (Unit& unit : units) {
    unit.sum /= estimate.scale;
    estimate.spread += unit.sum * unit.sum;
  }
}

std::optional<Resampling::Estimate> Resampling::EstimateOf(std::span<const double> values) const {
  CheckSize(values);
  Estimate estimate;
  double sum = 0;
  double least = std::numeric_limits<double>::infinity();
  double largest = -least;
  for (const double x : values) {
    if (!std::isfinite(x)) continue;
    estimate.n += 1;
    sum += x;
    least = std::min(least, x);
    largest = std::max(largest, x);
  }
  const double n = estimate.n;
  if (n == 0 || !std::isfinite(2 * n * std::max(-least, largest))) return std::nullopt;
  estimate.centre = least == largest ? least : sum / n;
  SumUp(values, estimate);
  if (estimate.counted_units < static_cast<double>(kFewestForInterval)) return std::nullopt;
  return estimate;
}

Resampling::DrawnSums Resampling::SumResamples(const std::vector<Unit>& units) const {
  DrawnSums sums(draws_);
  const double size = units.front().count;
  const bool alike = std::ranges::all_of(units, [&](const Unit& u) { return u.count == size; });
  const std::uint8_t* next = counts_.data();
  for (const auto& [sum, count] : units) {
    const std::uint8_t* const counts = next;
    next += draws_;
    const auto add = [this, counts](std::vector<double>& to, double x) {
      for (std::size_t d = 0; d < draws_; ++d) to[d] += counts[d] * x;
    };
    add(sums.S, sum);
    add(sums.SS, sum * sum);
    if (alike || count == 0) continue;
    add(sums.n, count);
    add(sums.Sn, sum * count);
    add(sums.nn, count * count);
    add(sums.units, 1);
  }
  if (!alike) return sums;
  const auto number = static_cast<double>(units.size());
  sums.n.assign(draws_, number * size);
  std::ranges::transform(sums.S, sums.Sn.begin(), [&](double S) { return S * size; });
  sums.nn.assign(draws_, number * size * size);
  sums.units.assign(draws_, number);
  return sums;
}

std::vector<double> Resampling::StudentisedMeans(const Estimate& estimate) const {
  const auto [S, SS, n, Sn, nn, units] = SumResamples(estimate.units);
  const double least = kLeastSpread * estimate.StandardError();
  std::vector<double> studentised;
  studentised.reserve(draws_);
  for (std::size_t d = 0; d < draws_; ++d) {
    if (n[d] == 0) continue;
    const double change = S[d] / n[d];
    // Σ (S − n·change)²
    const double spread = SS[d] + change * (change * nn[d] - 2 * Sn[d]);
    const double variance = units[d] > 1 ? units[d] / (units[d] - 1) * spread / (n[d] * n[d]) : 0;
    studentised.push_back(change / std::max(least, std::sqrt(std::max(0.0, variance))));
  }
  return studentised;
}

std::optional<ConfidenceInterval> Resampling::MeanInterval(std::span<const double> values,
                                                           double level) const {
  const std::optional<Estimate> estimate = EstimateOf(values);
  if (!estimate) return std::nullopt;
  if (estimate->scale == 0) return estimate->At(0, 0);
  const double s = estimate->StandardError();
  if (counts_.empty()) {
    const double z = NormalQuantile((1 + level) / 2);
    return estimate->At(-z * s, z * s);
  }
  std::vector<double> studentised = StudentisedMeans(*estimate);
  std::ranges::sort(studentised);
  return estimate->At(-SortedQuantile(studentised, (1 + level) / 2).value() * s,
                      -SortedQuantile(studentised, (1 - level) / 2).value() * s);
}

std::optional<ConfidenceInterval> Resampling::ProportionInterval(std::span<const double> values,
                                                                 double level) const {
  const std::optional<Estimate> estimate = EstimateOf(values);
  if (!estimate) return std::nullopt;
  bool single = true;  // Each value is one success or one failure.
  for (const double x : values) {
    if (!std::isfinite(x)) continue;
    if (x < 0 || x > 1) return std::nullopt;
    single = single && (x == 0 || x == 1);
  }
  const double p = std::clamp(estimate->centre + estimate->residual, 0.0, 1.0);
  const double units = estimate->counted_units;
  const double s = estimate->scale * estimate->StandardError();
  const double factor =
      InverseStudent((1 + level) / 2, units - 1) / NormalQuantile((1 + level) / 2);
  const double n =
      EffectiveTrials(p, factor * factor * s * s, units, single ? estimate->n : units * units);
  return WilsonInterval(p * n, n, level);
}

}  // namespace idbench
