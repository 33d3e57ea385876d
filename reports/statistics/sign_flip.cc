#include "reports/statistics/sign_flip.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <random>
#include <stdexcept>
#include <vector>

namespace idbench {
namespace {

using Binomial = boost::math::binomial_distribution<>;

constexpr std::size_t kMostEnumerated = 12;
constexpr std::size_t kFirstDraws = 200;
/// Of a bound in one look at the draws; there are fewer than 20 looks, of two bounds each.
constexpr double kErrorOfALook = 2e-5;

void CheckLevelAndFamily(const SignFlipOptions& options) {
  if (options.level > 0 && options.level < 1 && options.family > 0) return;
  throw std::invalid_argument(
      fmt::format("SignFlipTest: got level {} and a family of {}; accepted are a level in (0, 1) "
                  "and at least one test",
                  options.level, options.family));
}

std::size_t MostDraws(const SignFlipOptions& options) {
  const double wanted = 100.0 * static_cast<double>(options.family) / options.level;
  return static_cast<std::size_t>(std::clamp(wanted, 1e4, 1e7));
}

/// Sums of all sign patterns: for every eight changes a table of their 256 sums, bit set: minus.
class SignedSums {
 public:
  explicit SignedSums(const std::vector<double>& changes) {
    for (std::size_t first = 0; first < changes.size(); first += 8) {
      std::array<double, 256>& sums = tables_.emplace_back();
      const std::size_t size = std::min<std::size_t>(8, changes.size() - first);
      for (std::size_t pattern = 0; pattern < sums.size(); ++pattern) {
        double sum = 0;
        for (std::size_t i = 0; i < size; ++i) {
          sum += (pattern >> i & 1) != 0 ? -changes[first + i] : changes[first + i];
        }
        sums[pattern] = sum;
      }
    }
  }

  /// @param next  called for 64 bits whenever these are used up.
  template <class Bits>
  double Sum(Bits&& next) const {
    double sum = 0;
    std::uint64_t bits = 0;
    for (std::size_t t = 0; t < tables_.size(); ++t) {
      if (t % 8 == 0) bits = next();
      sum += tables_[t][bits & 255];
      bits >>= 8;
    }
    return sum;
  }

 private:
  std::vector<std::array<double, 256>> tables_;
};

/// True if the draws decide whether p > α or p ≤ α/m.
bool Decided(std::size_t reached, std::size_t draws, const SignFlipOptions& options) {
  const auto n = static_cast<double>(draws);
  const auto k = static_cast<double>(reached);
  const double least = options.level / static_cast<double>(options.family);
  return Binomial::find_lower_bound_on_p(n, k, kErrorOfALook) > options.level ||
         Binomial::find_upper_bound_on_p(n, k, kErrorOfALook) < least;
}

/// The changes that a test is about.
struct Moved {
  std::vector<double> changes;  ///< Those that are not zero.
  double total = 0;
  /// Sums of the same numbers in another order differ by rounding and are ties all the same.
  double rounding = 0;
};

Moved MovedOf(std::span<const double> changes) {
  Moved moved;
  for (const double change : changes) {
    if (change == 0) continue;
    moved.changes.push_back(change);
    moved.total += change;
    moved.rounding += 1e-12 * std::abs(change);
  }
  return moved;
}

/// How many sign patterns have a property, among all of them or among draws.
template <std::size_t kProperties>
struct PatternCounts {
  std::array<std::size_t, kProperties> counts{};
  std::size_t patterns = 0;
  bool drawn = false;

  /// A drawn pattern counts the observed one too, so that p is never 0.
  double P(std::size_t property) const {
    const std::size_t own = drawn ? 1 : 0;
    return static_cast<double>(own + counts[property]) / static_cast<double>(own + patterns);
  }
};

/// Counts the sign patterns whose sum has each property.
/// @param has  called with a sum; returns one bool for each property.
template <std::size_t kProperties, class Has>
PatternCounts<kProperties> CountPatterns(const Moved& moved, const SignFlipOptions& options,
                                         const Has& has) {
  PatternCounts<kProperties> result;
  const auto count = [&](double sum) {
    const std::array<bool, kProperties> properties = has(sum);
    for (std::size_t i = 0; i < kProperties; ++i) result.counts[i] += properties[i];
    ++result.patterns;
  };
  const SignedSums sums(moved.changes);
  if (moved.changes.size() <= kMostEnumerated) {
    const std::uint64_t patterns = std::uint64_t{1} << moved.changes.size();
    for (std::uint64_t pattern = 0; pattern < patterns; ++pattern) {
      count(sums.Sum([pattern] { return pattern; }));
    }
    return result;
  }
  result.drawn = true;
  std::mt19937_64 engine(options.seed);
  const std::size_t most = MostDraws(options);
  for (std::size_t goal = kFirstDraws;; goal = std::min(2 * goal, most)) {
    while (result.patterns < goal) count(sums.Sum(engine));
    const bool decided = std::ranges::all_of(result.counts, [&](std::size_t reached) {
      return Decided(reached, result.patterns, options);
    });
    if (result.patterns == most || decided) return result;
  }
}

}  // namespace

SignFlipResult SignFlipTest(std::span<const double> changes, const SignFlipOptions& options) {
  CheckLevelAndFamily(options);
  const Moved moved = MovedOf(changes);
  if (moved.changes.empty()) return {};
  const double threshold = std::abs(moved.total) - moved.rounding;
  const auto counted = CountPatterns<1>(
      moved, options, [&](double sum) { return std::array{std::abs(sum) >= threshold}; });
  return {counted.P(0), counted.drawn ? counted.patterns : 0};
}

SignFlipTails SignFlipTailTests(std::span<const double> changes, const SignFlipOptions& options) {
  CheckLevelAndFamily(options);
  const Moved moved = MovedOf(changes);
  if (moved.changes.empty()) return {};
  const auto counted = CountPatterns<2>(moved, options, [&](double sum) {
    return std::array{sum >= moved.total - moved.rounding, sum <= moved.total + moved.rounding};
  });
  return {counted.P(0), counted.P(1), counted.drawn ? counted.patterns : 0};
}

double LeastSignFlipP(std::size_t n, const SignFlipOptions& options) {
  CheckLevelAndFamily(options);
  if (n == 0) return 1;
  if (n <= kMostEnumerated) return std::exp2(1.0 - static_cast<double>(n));
  return 1.0 / static_cast<double>(1 + MostDraws(options));
}

double LeastSignFlipTail(std::size_t n, const SignFlipOptions& options) {
  CheckLevelAndFamily(options);
  if (n <= kMostEnumerated) return std::exp2(-static_cast<double>(n));
  return 1.0 / static_cast<double>(1 + MostDraws(options));
}

std::vector<double> SignedRanks(std::span<const double> changes) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (changes[i] != 0) order.push_back(i);
  }
  const auto size = [&](std::size_t i) { return std::abs(changes[i]); };
  std::ranges::sort(order, {}, size);
  std::vector<double> ranks(changes.size(), 0.0);
  for (std::size_t first = 0; first < order.size();) {
    std::size_t end = first;
    while (end < order.size() && size(order[end]) == size(order[first])) ++end;
    const double rank = static_cast<double>(first + 1 + end) / 2;
    for (; first < end; ++first) ranks[order[first]] = std::copysign(rank, changes[order[first]]);
  }
  return ranks;
}

double McNemarP(std::size_t only_a, std::size_t only_b) {
  if (only_a + only_b == 0) return 1;
  const Binomial coin(static_cast<double>(only_a + only_b), 0.5);
  return std::min(1.0, 2 * boost::math::cdf(coin, static_cast<double>(std::min(only_a, only_b))));
}

}  // namespace idbench
