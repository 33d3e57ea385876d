#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

namespace idbench {

/// Seed of every bootstrap. It is the same for all metrics, so that samples of equal structure are
/// resampled jointly, and a report that is made again has the same bits.
inline constexpr std::uint64_t kBootstrapSeed = 1;

struct BootstrapOptions {
  std::size_t draws = 1000;  ///< Resamples, at least 1.
  std::uint64_t seed = kBootstrapSeed;
};

/// Uniform indices from a Mersenne twister. Only what the standard prescribes bit for bit is used
/// (std::uniform_int_distribution differs between standard libraries).
class IndexStream {
 public:
  explicit IndexStream(std::uint64_t seed) : engine_(seed) {}

  /// Uniform in {0, …, bound − 1}, without bias (Lemire, ACM TOMACS 29(1), 2019). Below(1) draws
  /// nothing. @param bound  at least 1.
  std::uint32_t Below(std::uint32_t bound);

 private:
  std::mt19937_64 engine_;
};

/// Lower and upper end of an interval.
struct ConfidenceInterval {
  double lower = 0;
  double upper = 0;

  bool operator==(const ConfidenceInterval&) const = default;
};

/// Means of `options.draws` resamples of a sample whose members share roll-outs.
///
/// Trials on one roll-out are not independent. So R of the R roll-outs are drawn with replacement
/// first, and then from each its number of values, with replacement (two-stage bootstrap; Davison &
/// Hinkley, Bootstrap Methods and their Application, 1997, section 3.8). With one roll-out this
/// resamples trials, conditional on that roll-out; with as many as values it is the plain
/// bootstrap.
///
/// @param values    finite, at least one.
/// @param rollouts  the roll-out of each value, as any number.
/// @throws std::invalid_argument if the sizes differ, there is no value or no draw.
/// O(draws · N).
std::vector<double> BootstrapMeans(std::span<const double> values,
                                   std::span<const std::uint32_t> rollouts,
                                   const BootstrapOptions& options = {});

/// Percentile interval: the (1 − level)/2 and (1 + level)/2 quantiles of the replicates.
///
/// Its coverage falls short for small samples: at a level of 0.95 and n = 10 it covers the mean of
/// a normal distribution in 0.92 of all cases, of χ²₁ in 0.84, of lognormal(1.5) in 0.70.
/// @throws std::invalid_argument if there are no replicates or level is not in (0, 1).
ConfidenceInterval PercentileInterval(std::vector<double> replicates, double level);

}  // namespace idbench
