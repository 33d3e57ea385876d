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
  std::size_t draws = 2000;  ///< Resamples, at least 1.
  std::uint64_t seed = kBootstrapSeed;
};

/// Fewest independent members of a sample for which an interval is stated.
inline constexpr std::size_t kFewestForInterval = 10;
/// With more members than this, intervals are those of the normal distribution: a bootstrap would
/// cost much and change nothing.
inline constexpr std::size_t kMostForBootstrap = 10'000;

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

/// Resamples of trials that share roll-outs, drawn once for all metrics of these trials.
///
/// Trials on one roll-out are not independent. So R of the R roll-outs are drawn with replacement
/// first, and then from each its number of trials, with replacement (two-stage bootstrap; Davison &
/// Hinkley, Bootstrap Methods and their Application, 1997, section 3.8). With one roll-out this
/// resamples trials, conditional on that roll-out; with as many as trials it is the plain
/// bootstrap. What failed (is not finite) is left out of each resample that draws it.
class Resampling {
 public:
  /// @param rollouts  the roll-out of each trial, as any number.
  /// @throws std::invalid_argument if there is no trial or no draw. O(draws · N) time and bytes,
  /// but
  ///         O(N) above kMostForBootstrap trials.
  explicit Resampling(std::span<const std::uint32_t> rollouts,
                      const BootstrapOptions& options = {});

  const std::vector<std::uint32_t>& rollouts() const { return rollouts_; }

  /// The mean of each resample in which anything is finite.
  /// @param values  one per trial. @throws std::invalid_argument for another number of them.
  std::vector<double> Means(std::span<const double> values) const;

  /// Interval of the mean of the finite values at `level`, in (0, 1).
  ///
  /// BCa, bias-corrected and accelerated, the acceleration by a jackknife over roll-outs (Efron,
  /// JASA 82, 1987; Davison & Hinkley, section 5.3.2); x̄ ± z·s with s from the spread of roll-out
  /// means above kMostForBootstrap trials. Nothing where fewer than kFewestForInterval roll-outs
  /// (trials, if all are on one) have a finite value, or where a resample could overflow.
  ///
  /// Its coverage falls short for small samples of skewed distributions: `idbench_benchmarks
  /// --benchmark_filter=IntervalCoverage` tells how far.
  /// @throws std::invalid_argument likewise.
  std::optional<ConfidenceInterval> MeanInterval(std::span<const double> values,
                                                 double level) const;

  /// Upper limit of the mean of the finite values that holds with probability p, by Student's t on
  /// the spread of roll-out means. Nothing where MeanInterval() states nothing.
  /// @throws std::invalid_argument for another number of values.
  std::optional<double> UpperLimit(std::span<const double> values, double p) const;

 private:
  /// Sums over one roll-out, or over one trial where all are on the same.
  struct Unit {
    double sum = 0;  ///< Of x − centre.
    double count = 0;
  };

  /// What the roll-outs do to the mean, centre + residual, of the finite values.
  struct Influence {
    double centre = 0;
    double residual = 0;
    double n = 0;       ///< Finite values.
    double units = 0;   ///< Roll-outs, or trials, that have any.
    double spread = 0;  ///< Σ over units of the squared sums of x − x̄.
    double acceleration = 0;

    /// √(R/(R − 1)·spread)/n
    double StandardError() const;
  };

  /// Nothing where an interval makes no sense, see MeanInterval().
  std::optional<Influence> InfluenceOf(std::span<const double> values) const;
  void Draw(const BootstrapOptions& options);
  void CheckSize(std::span<const double> values) const;
  std::vector<Unit> UnitsOf(std::span<const double> values, double centre) const;
  std::vector<double> CentredMeans(std::span<const double> values, double centre) const;

  std::vector<std::uint32_t> rollouts_;
  std::vector<std::uint32_t> unit_;  ///< Of each trial: its roll-out's, or its own number, from 0.
  std::size_t n_units_ = 0;
  std::size_t draws_;
  /// How often each resample has a trial: draws_ numbers for each trial; none without bootstrap.
  std::vector<std::uint8_t> counts_;
};

/// Means of resamples, see Resampling.
std::vector<double> BootstrapMeans(std::span<const double> values,
                                   std::span<const std::uint32_t> rollouts,
                                   const BootstrapOptions& options = {});

/// Percentile interval: the (1 − level)/2 and (1 + level)/2 quantiles of the replicates.
/// @throws std::invalid_argument if there are no replicates or level is not in (0, 1).
ConfidenceInterval PercentileInterval(std::vector<double> replicates, double level);

/// BCa interval: quantiles Φ(z₀ + (z₀ + z)/(1 − a(z₀ + z))) of the replicates, z = Φ⁻¹((1 ±
/// level)/2) and z₀ = Φ⁻¹ of the part of the replicates that is below the estimate (ties count
/// half).
/// @throws std::invalid_argument likewise.
ConfidenceInterval BcaInterval(std::vector<double> replicates, double estimate, double acceleration,
                               double level);

/// Wilson's interval of a probability, from `successes` in `n` independent trials; neither need be
/// an integer (effective sizes). Source: Wilson, JASA 22, 1927.
/// @throws std::invalid_argument unless 0 ≤ successes ≤ n, n > 0 and level is in (0, 1).
ConfidenceInterval WilsonInterval(double successes, double n, double level);

}  // namespace idbench
