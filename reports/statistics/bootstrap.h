#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <vector>

namespace idbench {

/// Seed of every bootstrap. It is the same for all metrics, so that samples of equal structure are
/// resampled jointly, and a report that is made again has the same bits.
inline constexpr std::uint64_t kBootstrapSeed = 1;

struct BootstrapOptions {
  std::size_t draws = 2000;  ///< Number of resamples, at least 1.
  std::uint64_t seed = kBootstrapSeed;
};

/// Fewest independent members of a sample for which an interval is stated.
inline constexpr std::size_t kFewestForInterval = 10;
/// Above this number of members, intervals are those of the normal distribution: a bootstrap would
/// be costly and change nothing.
inline constexpr std::size_t kMostForBootstrap = 10'000;

/// Uniform indices from a Mersenne twister. Uses only what the standard prescribes bit for bit
/// (std::uniform_int_distribution differs between standard libraries).
class IndexStream {
 public:
  explicit IndexStream(std::uint64_t seed) : engine_(seed) {}

  /// Returns a uniform number in {0, …, bound − 1}, without bias (Lemire, ACM TOMACS 29(1), 2019).
  /// Below(1) consumes no random number.
  /// @param bound  at least 1.
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

/// Resamples of trials that share roll-outs, drawn once for all metrics of these trials.
///
/// Trials on one roll-out are not independent. So the bootstrap has two stages: it draws R of the R
/// roll-outs with replacement, and then from each its number of trials, with replacement (Davison &
/// Hinkley, Bootstrap Methods and their Application, 1997, section 3.8). With one roll-out this
/// resamples trials, conditional on that roll-out; with as many roll-outs as trials it is the plain
/// bootstrap. Each resample leaves out the failures (values that are not finite) that it draws.
class Resampling {
 public:
  /// @param rollouts  the roll-out of each trial, as any number.
  /// @throws std::invalid_argument if there is no trial or no draw. O(draws · N) time and bytes,
  ///         but O(N) above kMostForBootstrap trials.
  explicit Resampling(std::span<const std::uint32_t> rollouts,
                      const BootstrapOptions& options = {});

  const std::vector<std::uint32_t>& rollouts() const { return rollouts_; }

  /// Returns the mean of each resample that contains a finite value.
  /// @param values  one per trial.
  /// @throws std::invalid_argument for another number of values, or above kMostForBootstrap trials.
  std::vector<double> Means(std::span<const double> values) const;

  /// Returns the interval of the mean of the finite values at `level`, in (0, 1).
  ///
  /// BCa, bias-corrected and accelerated, with the acceleration from a jackknife over roll-outs
  /// (Efron, JASA 82, 1987; Davison & Hinkley, section 5.3.2). Above kMostForBootstrap trials x̄ ±
  /// z·s, with s from the spread of roll-out means. Nothing if fewer than kFewestForInterval
  /// roll-outs (trials, if all share one) have a finite value, or if a resample could overflow.
  ///
  /// Its coverage falls short for small samples of skewed distributions: `idbench_benchmarks
  /// --benchmark_filter=IntervalCoverage` measures by how much.
  /// @throws std::invalid_argument for another number of values.
  std::optional<ConfidenceInterval> MeanInterval(std::span<const double> values,
                                                 double level) const;

  /// Returns the upper limit of the mean of the finite values that holds with probability p, by
  /// Student's t on the spread of roll-out means. Nothing where MeanInterval() states nothing.
  /// @throws std::invalid_argument for another number of values.
  std::optional<double> UpperLimit(std::span<const double> values, double p) const;

 private:
  /// Sums over one roll-out, or over one trial if all share one roll-out.
  struct Unit {
    double sum = 0;  ///< Sum of x − centre.
    double count = 0;
  };

  /// Influence of the roll-outs on the mean, centre + residual, of the finite values.
  struct Influence {
    double centre = 0;
    double residual = 0;
    double n = 0;       ///< Number of finite values.
    double units = 0;   ///< Number of roll-outs, or trials, with a finite value.
    double spread = 0;  ///< Sum over units of the squared sums of x − x̄.
    double acceleration = 0;

    /// Returns √(R/(R − 1)·spread)/n.
    double StandardError() const;
  };

  /// Returns nothing where an interval makes no sense, see MeanInterval().
  std::optional<Influence> InfluenceOf(std::span<const double> values) const;
  void Draw(const BootstrapOptions& options);
  void CheckSize(std::span<const double> values) const;
  std::vector<Unit> UnitsOf(std::span<const double> values, double centre) const;
  std::vector<double> CentredMeans(std::span<const double> values, double centre) const;

  std::vector<std::uint32_t> rollouts_;
  /// For each trial the number of its roll-out, or its own number, from 0.
  std::vector<std::uint32_t> unit_;
  std::size_t n_units_ = 0;
  std::size_t draws_;
  /// How often each resample contains a trial: draws_ numbers per trial; empty without bootstrap.
  std::vector<std::uint8_t> counts_;
};

/// Returns the means of resamples, see Resampling.
std::vector<double> BootstrapMeans(std::span<const double> values,
                                   std::span<const std::uint32_t> rollouts,
                                   const BootstrapOptions& options = {});

/// Returns the percentile interval: the (1 − level)/2 and (1 + level)/2 quantiles of
/// the replicates.
/// @throws std::invalid_argument if there are no replicates or level is not in (0, 1).
ConfidenceInterval PercentileInterval(std::vector<double> replicates, double level);

/// Returns the BCa interval: quantiles Φ(z₀ + (z₀ + z)/(1 − a(z₀ + z))) of the replicates, with
/// z = Φ⁻¹((1 ± level)/2) and z₀ = Φ⁻¹ of the fraction of the replicates below the estimate
/// (ties count half).
/// @throws std::invalid_argument if there are no replicates or level is not in (0, 1).
ConfidenceInterval BcaInterval(std::vector<double> replicates, double estimate, double acceleration,
                               double level);

/// Returns Wilson's interval of a probability, from `successes` in `n` independent trials; neither
/// needs to be an integer (effective sizes). Source: Wilson, JASA 22, 1927.
/// @throws std::invalid_argument unless 0 ≤ successes ≤ n, n > 0 and level is in (0, 1).
ConfidenceInterval WilsonInterval(double successes, double n, double level);

}  // namespace idbench
