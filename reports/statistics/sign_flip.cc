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

}  // namespace

SignFlipResult SignFlipTest(std::span<const double> changes, const SignFlipOptions& options) {
  CheckLevelAndFamily(options);
  std::vector<double> moved;
  double total = 0;
  double size = 0;
  for (const double change : changes) {
    if (change == 0) continue;
    moved.push_back(change);
    total += change;
    size += std::abs(change);
  }
  if (moved.empty()) return {};
  // Sums of the same numbers in another order differ by rounding and are ties all the same.
  const double threshold = std::abs(total) - 1e-12 * size;
  const SignedSums sums(moved);
  if (moved.size() <= kMostEnumerated) {
    const std::uint64_t patterns = std::uint64_t{1} << moved.size();
    std::size_t reached = 0;
    for (std::uint64_t pattern = 0; pattern < patterns; ++pattern) {
      if (std::abs(sums.Sum([pattern] { return pattern; })) >= threshold) ++reached;
    }
    return {static_cast<double>(reached) / static_cast<double>(patterns), 0};
  }
  std::mt19937_64 engine(options.seed);
  const std::size_t most = MostDraws(options);
  std::size_t reached = 0;
  std::size_t draws = 0;
  for (std::size_t goal = kFirstDraws;; goal = std::min(2 * goal, most)) {
    for (; draws < goal; ++draws) {
      if (std::abs(sums.Sum(engine)) >= threshold) ++reached;
    }
    if (draws == most || Decided(reached, draws, options)) break;
  }
  return {static_cast<double>(1 + reached) / static_cast<double>(1 + draws), draws};
}

double LeastSignFlipP(std::size_t n, const SignFlipOptions& options) {
  CheckLevelAndFamily(options);
  if (n == 0) return 1;
  if (n <= kMostEnumerated) return std::exp2(1.0 - static_cast<double>(n));
  return 1.0 / static_cast<double>(1 + MostDraws(options));
}

double McNemarP(std::size_t only_a, std::size_t only_b) {
  if (only_a + only_b == 0) return 1;
  const Binomial coin(static_cast<double>(only_a + only_b), 0.5);
  return std::min(1.0, 2 * boost::math::cdf(coin, static_cast<double>(std::min(only_a, only_b))));
}

}  // namespace idbench
