#include "reports/statistics/bootstrap.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cassert>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <stdexcept>

#include "reports/statistics/quantile.h"

namespace idbench {
namespace {

double Phi(double z) { return boost::math::cdf(boost::math::normal(), z); }
double InversePhi(double p) { return boost::math::quantile(boost::math::normal(), p); }

void CheckReplicates(const char* function, std::span<const double> replicates, double level) {
  if (!replicates.empty() && level > 0 && level < 1) return;
  throw std::invalid_argument(
      fmt::format("{}: got {} replicates and level {}; accepted are at least one replicate and a "
                  "level in (0, 1)",
                  function, replicates.size(), level));
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
  if (rollouts.size() <= kMostForBootstrap) Draw(options);
  if (n_units_ == 1) {
    std::iota(unit_.begin(), unit_.end(), 0U);
    n_units_ = unit_.size();
  }
}

void Resampling::Draw(const BootstrapOptions& options) {
  // Trials sorted by roll-out; those of roll-out r lie in [starts[r], starts[r + 1]).
  std::vector<std::size_t> order(unit_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return unit_[i]; });
  std::vector<std::uint32_t> starts(n_units_ + 1, 0);
  for (const std::uint32_t unit : unit_) ++starts[unit + 1];
  std::partial_sum(starts.begin(), starts.end(), starts.begin());

  counts_.assign(unit_.size() * draws_, 0);
  IndexStream stream(options.seed);
  for (std::size_t draw = 0; draw < draws_; ++draw) {
    for (std::size_t i = 0; i < n_units_; ++i) {
      const std::uint32_t unit = stream.Below(static_cast<std::uint32_t>(n_units_));
      const std::uint32_t size = starts[unit + 1] - starts[unit];
      for (std::uint32_t k = 0; k < size; ++k) {
        std::uint8_t& count = counts_[order[starts[unit] + stream.Below(size)] * draws_ + draw];
        // No sample of ten and more draws one of its members 255 times; smaller ones have no
        // interval.
        if (count < std::numeric_limits<std::uint8_t>::max()) ++count;
      }
    }
  }
}

void Resampling::CheckSize(std::span<const double> values) const {
  if (values.size() == unit_.size()) return;
  throw std::invalid_argument(
      fmt::format("Resampling: got {} values for {} trials; accepted is one per trial",
                  values.size(), unit_.size()));
}

std::vector<double> Resampling::CentredMeans(std::span<const double> values, double centre) const {
  std::vector<double> sums(draws_, 0.0);
  std::vector<double> sizes(draws_, 0.0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) continue;
    const double deviation = values[i] - centre;
    const std::uint8_t* counts = &counts_[i * draws_];
    for (std::size_t d = 0; d < draws_; ++d) {
      sums[d] += counts[d] * deviation;
      sizes[d] += counts[d];
    }
  }
  std::vector<double> means;
  means.reserve(draws_);
  for (std::size_t d = 0; d < draws_; ++d) {
    if (sizes[d] > 0) means.push_back(sums[d] / sizes[d]);
  }
  return means;
}

std::vector<Resampling::Unit> Resampling::UnitsOf(std::span<const double> values,
                                                  double centre) const {
  std::vector<Unit> units(n_units_);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) continue;
    units[unit_[i]].sum += values[i] - centre;
    units[unit_[i]].count += 1;
  }
  std::erase_if(units, [](const Unit& unit) { return unit.count == 0; });
  return units;
}

std::vector<double> Resampling::Means(std::span<const double> values) const {
  CheckSize(values);
  if (counts_.empty()) {
    throw std::invalid_argument(
        fmt::format("Resampling: got {} trials; resamples are drawn of at most {}", unit_.size(),
                    kMostForBootstrap));
  }
  const auto finite = std::ranges::find_if(values, [](double x) { return std::isfinite(x); });
  if (finite == values.end()) return {};
  std::vector<double> means = CentredMeans(values, *finite);
  for (double& mean : means) mean += *finite;
  return means;
}

double Resampling::Influence::StandardError() const {
  return std::sqrt(units / (units - 1) * spread) / n;
}

std::optional<Resampling::Influence> Resampling::InfluenceOf(std::span<const double> values) const {
  CheckSize(values);
  Influence influence;
  double sum = 0;
  double least = std::numeric_limits<double>::infinity();
  double largest = -least;
  for (const double x : values) {
    if (!std::isfinite(x)) continue;
    influence.n += 1;
    sum += x;
    least = std::min(least, x);
    largest = std::max(largest, x);
  }
  const double n = influence.n;
  // No resample may overflow: the worst repeats the extreme value n times.
  if (n == 0 || !std::isfinite(2 * n * std::max(-least, largest))) return std::nullopt;
  influence.centre = least == largest ? least : sum / n;
  const std::vector<Unit> units = UnitsOf(values, influence.centre);
  if (units.size() < kFewestForInterval) return std::nullopt;
  influence.units = static_cast<double>(units.size());
  // Takes away the rounding of the first sum.
  for (const Unit& unit : units) influence.residual += unit.sum / n;

  double squares = 0;
  double cubes = 0;
  for (const Unit& unit : units) {
    const double own = unit.sum - unit.count * influence.residual;
    const double change = own / (n - unit.count);  // of the mean, without this unit
    squares += change * change;
    cubes += change * change * change;
    influence.spread += own * own;
  }
  if (!std::isfinite(influence.spread)) return std::nullopt;
  const double acceleration = cubes / (6 * squares * std::sqrt(squares));
  if (std::isfinite(acceleration)) influence.acceleration = acceleration;
  return influence;
}

std::optional<ConfidenceInterval> Resampling::MeanInterval(std::span<const double> values,
                                                           double level) const {
  const std::optional<Influence> influence = InfluenceOf(values);
  if (!influence) return std::nullopt;
  const double centre = influence->centre;
  const double residual = influence->residual;
  if (counts_.empty()) {
    const double half = InversePhi((1 + level) / 2) * influence->StandardError();
    return ConfidenceInterval{centre + (residual - half), centre + (residual + half)};
  }
  const ConfidenceInterval interval =
      BcaInterval(CentredMeans(values, centre), residual, influence->acceleration, level);
  return ConfidenceInterval{centre + interval.lower, centre + interval.upper};
}

std::optional<double> Resampling::UpperLimit(std::span<const double> values, double p) const {
  const std::optional<Influence> influence = InfluenceOf(values);
  if (!influence) return std::nullopt;
  const double t = boost::math::quantile(boost::math::students_t(influence->units - 1), p);
  return influence->centre + (influence->residual + t * influence->StandardError());
}

std::vector<double> BootstrapMeans(std::span<const double> values,
                                   std::span<const std::uint32_t> rollouts,
                                   const BootstrapOptions& options) {
  return Resampling(rollouts, options).Means(values);
}

ConfidenceInterval PercentileInterval(std::vector<double> replicates, double level) {
  CheckReplicates("PercentileInterval", replicates, level);
  std::ranges::sort(replicates);
  return {SortedQuantile(replicates, (1 - level) / 2).value(),
          SortedQuantile(replicates, (1 + level) / 2).value()};
}

ConfidenceInterval BcaInterval(std::vector<double> replicates, double estimate, double acceleration,
                               double level) {
  CheckReplicates("BcaInterval", replicates, level);
  std::ranges::sort(replicates);
  const auto size = static_cast<double>(replicates.size());
  // Rounding must not decide what is a tie.
  const double tolerance = 1e-9 * (replicates.back() - replicates.front());
  const auto first = std::ranges::lower_bound(replicates, estimate - tolerance);
  const auto last = std::ranges::upper_bound(replicates, estimate + tolerance);
  const double below =
      0.5 * static_cast<double>((first - replicates.begin()) + (last - replicates.begin()));
  // All replicates on one side would be an infinite correction.
  const double z0 = InversePhi(std::clamp(below / size, 0.5 / size, 1 - 0.5 / size));
  const auto end = [&](double p) {
    const double z = z0 + InversePhi(p);
    const double stretch = 1 - acceleration * z;
    if (stretch <= 0) return z > 0 ? replicates.back() : replicates.front();
    return SortedQuantile(replicates, Phi(z0 + z / stretch)).value();
  };
  return {end((1 - level) / 2), end((1 + level) / 2)};
}

ConfidenceInterval WilsonInterval(double successes, double n, double level) {
  if (!(n > 0 && successes >= 0 && successes <= n && level > 0 && level < 1)) {
    throw std::invalid_argument(
        fmt::format("WilsonInterval: got {} of {} and level {}; accepted are 0 ≤ successes ≤ n, "
                    "n > 0 and a level in (0, 1)",
                    successes, n, level));
  }
  const double z = InversePhi((1 + level) / 2);
  const double p = successes / n;
  const double scale = 1 / (1 + z * z / n);
  const double centre = scale * (p + z * z / (2 * n));
  const double half = scale * z * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  return {successes == 0 ? 0.0 : centre - half, successes == n ? 1.0 : centre + half};
}

}  // namespace idbench
