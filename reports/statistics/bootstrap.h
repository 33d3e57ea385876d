#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <vector>

#include "reports/statistics/interval.h"

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
/// Fewest for which the 95 % interval of a mean covers lognormal values with σ = 1.5 (as skewed as
/// errors become) in 90 % of all samples: it does so in 85 % with 10 members, 88 % with 30, 89 %
/// with 60, 90 % with 100 (benchmark IntervalCoverage). Below, an interval is marked as
/// approximate, by the number alone: a sample that misses its long tail does not look skewed.
inline constexpr std::size_t kFewestForSkewed = 100;
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

/// Resamples of trials that share roll-outs, drawn once for all metrics of these trials.
///
/// Trials on one roll-out are not independent. So the bootstrap draws R of the R roll-outs with
/// replacement, each with all its trials (Davison & Hinkley, Bootstrap Methods and their
/// Application, 1997, section 3.8: of the two-stage schemes this has the variance that is nearer to
/// the truth). With one roll-out it resamples trials, conditional on that roll-out; with as many
/// roll-outs as trials it is the plain bootstrap. "Unit" means what is resampled. Failures (values
/// that are not finite) do not count; a unit of failures alone is drawn, and adds nothing.
class Resampling {
 public:
  /// @param rollouts  the roll-out of each trial, as any number.
  /// @throws std::invalid_argument if there is no trial or no draw. O(draws · R) time and bytes,
  ///         but O(N) above kMostForBootstrap units.
  explicit Resampling(std::span<const std::uint32_t> rollouts,
                      const BootstrapOptions& options = {});

  const std::vector<std::uint32_t>& rollouts() const { return rollouts_; }

  /// Returns the interval of the mean of the finite values at `level`, in (0, 1).
  ///
  /// Studentised bootstrap, [x̄ − t₊·s, x̄ − t₋·s], with t± the (1 ± level)/2 quantiles of
  ///
  ///     t* = (x̄* − x̄)/max(s*, s/5),  s² = R/(R − 1)·Σ_u (S_u − n_u·x̄)²/n²
  ///
  /// over resamples *, S_u the sum over the n_u finite values of unit u (Davison & Hinkley, section
  /// 5.2.1). Resamples without the tail of a small sample have next to no spread; the lower limit
  /// of s* keeps them from deciding how long the interval is. Its price in coverage is at most
  /// 0.005 (lognormal values, n = 10). Above kMostForBootstrap units it is x̄ ± z·s.
  ///
  /// Nothing if fewer than kFewestForInterval units have a finite value, or if a sum could
  /// overflow. Approximate below kFewestForSkewed.
  /// @throws std::invalid_argument for another number of values.
  std::optional<ConfidenceInterval> MeanInterval(std::span<const double> values,
                                                 double level) const;

  /// Returns the interval of the mean of finite values in [0, 1], each a success or failure (0/1)
  /// or a fraction of several: Wilson's interval with an effective number of trials.
  ///
  /// With independent values 0/1 that number is n. Values that are fractions spread less than 0/1
  /// of the same mean, and units of several trials spread more: the number is EffectiveTrials() of
  /// s², at least the number R of units (a mean of R numbers in [0, 1] never varies more than that
  /// of R values 0/1), and at most that of the values if all are 0/1, else R² (R units do not show
  /// what happens in fewer than one of R). Because s² is itself an estimate, with R − 1 degrees of
  /// freedom, the number takes the factor (z/t)² (Korn & Graubard, Survey Methodology 24, 1998). It
  /// is R if all values are 0 or all are 1: nobody knows then how they would vary.
  ///
  /// Nothing where MeanInterval() states nothing, or if a value lies outside [0, 1].
  /// @throws std::invalid_argument for another number of values.
  std::optional<ConfidenceInterval> ProportionInterval(std::span<const double> values,
                                                       double level) const;

 private:
  /// Sums over one unit.
  struct Unit {
    double sum = 0;  ///< Sum of x − x̄ in units of the estimate's `scale`.
    double count = 0;
  };

  /// The mean, centre + residual, of the finite values, and what it is made of.
  struct Estimate {
    std::vector<Unit> units;  ///< All of them; some may have no finite value.
    double centre = 0;
    double residual = 0;
    double scale = 0;          ///< Largest sum of x − x̄ over a unit; 0 if all are equal.
    double n = 0;              ///< Number of finite values.
    double counted_units = 0;  ///< Number of units with a finite value.
    double spread = 0;         ///< Σ_u sum².

    /// Returns s in units of `scale`.
    double StandardError() const;
    ConfidenceInterval At(double lower, double upper) const;
  };

  /// Sums over the units of each resample: S their sums, n their counts, and how many count.
  struct DrawnSums {
    explicit DrawnSums(std::size_t draws)
        : S(draws), SS(draws), n(draws), Sn(draws), nn(draws), units(draws) {}

    std::vector<double> S, SS, n, Sn, nn, units;
  };

  /// Returns nothing where an interval makes no sense, see MeanInterval().
  std::optional<Estimate> EstimateOf(std::span<const double> values) const;
  void Draw(const BootstrapOptions& options);
  void CheckSize(std::span<const double> values) const;
  void SumUp(std::span<const double> values, Estimate& estimate) const;
  DrawnSums SumResamples(const std::vector<Unit>& units) const;
  std::vector<double> StudentisedMeans(const Estimate& estimate) const;

  std::vector<std::uint32_t> rollouts_;
  /// For each trial the number of its roll-out, or its own number, from 0.
  std::vector<std::uint32_t> unit_;
  std::size_t n_units_ = 0;
  std::size_t draws_;
  /// How often each resample contains a unit: draws_ numbers per unit; empty without bootstrap.
  std::vector<std::uint8_t> counts_;
};

}  // namespace idbench
