#include "reports/statistics/change_points.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "reports/statistics/quantile.h"

namespace idbench {
namespace {

constexpr std::size_t kShortestPiece = 3;
constexpr std::size_t kSimulations = 10'000;
constexpr std::uint64_t kSeed = 1;
constexpr double kRounding = 1e-6;
constexpr double kNever = std::numeric_limits<double>::infinity();

/// The best segmentations of a series, one for each number of pieces.
class Segmentations {
 public:
  explicit Segmentations(std::span<const double> series) : n_(series.size()) {
    // Sums of values that are centred: Σ(x − x̄)² of a piece by differences loses nothing that way.
    double mean = 0;
    for (const double x : series) mean += x / static_cast<double>(n_);
    sums_.assign(n_ + 1, 0);
    squares_.assign(n_ + 1, 0);
    for (std::size_t i = 0; i < n_; ++i) {
      const double x = series[i] - mean;
      sums_[i + 1] = sums_[i] + x;
      squares_[i + 1] = squares_[i] + x * x;
    }
    const std::size_t most = std::min(ChangePoints::kMostPieces, n_ / kShortestPiece);
    for (std::size_t pieces = 1; pieces <= most; ++pieces) AddPiece();
  }

  /// Least sum of squares with k changes, for k = 0, 1, …
  std::size_t size() const { return least_.size(); }
  double rss(std::size_t changes) const { return least_[changes][n_]; }

  /// Where they are.
  std::vector<std::size_t> Changes(std::size_t changes) const {
    std::vector<std::size_t> places;
    std::size_t end = n_;
    for (std::size_t k = changes; k > 0; --k) {
      end = last_[k][end];
      places.push_back(end);
    }
    std::ranges::reverse(places);
    return places;
  }

 private:
  /// Σ(x − x̄)² of [begin, end).
  double SquaresOf(std::size_t begin, std::size_t end) const {
    const double sum = sums_[end] - sums_[begin];
    return std::max(0.0,
                    squares_[end] - squares_[begin] - sum * sum / static_cast<double>(end - begin));
  }

  /// Goes on from the best segmentations of every beginning to those with one piece more.
  void AddPiece() {
    std::vector<double> least(n_ + 1, kNever);
    std::vector<std::size_t> last(n_ + 1, 0);
    for (std::size_t end = kShortestPiece; end <= n_; ++end) {
      if (least_.empty()) {
        least[end] = SquaresOf(0, end);
        continue;
      }
      for (std::size_t begin = kShortestPiece; begin + kShortestPiece <= end; ++begin) {
        const double total = least_.back()[begin] + SquaresOf(begin, end);
        if (total < least[end]) {
          least[end] = total;
          last[end] = begin;
        }
      }
    }
    least_.push_back(std::move(least));
    last_.push_back(std::move(last));
  }

  std::size_t n_;
  std::vector<double> sums_, squares_;
  std::vector<std::vector<double>> least_;      ///< [changes][end]
  std::vector<std::vector<std::size_t>> last_;  ///< Where the last piece begins.
};

/// maxₖ n log(RSS₀/RSS_k)/k, with a sum of squares `rounding` added to each.
double LikelihoodRatio(const Segmentations& segmentations, std::size_t n, double rounding = 0) {
  double largest = 0;
  for (std::size_t k = 1; k < segmentations.size(); ++k) {
    const double ratio = (segmentations.rss(0) + rounding) / (segmentations.rss(k) + rounding);
    largest = std::max(largest, static_cast<double>(n) * std::log(ratio) / static_cast<double>(k));
  }
  return largest;
}

/// The probability of a value of at least x among those that were simulated, ascending; beyond
/// `limit`, their (1 − kChangeAlarmRate) quantile, that of an exponential tail.
double ProbabilityOf(double x, double limit, std::span<const double> simulated) {
  const auto from = [&](double least) { return std::ranges::lower_bound(simulated, least); };
  if (x <= limit) {
    return static_cast<double>(simulated.end() - from(x)) / static_cast<double>(simulated.size());
  }
  double excess = 0;
  for (auto above = from(limit); above != simulated.end(); ++above) excess += *above - limit;
  excess /= static_cast<double>(simulated.end() - from(limit));
  return kChangeAlarmRate * std::exp((limit - x) / excess);
}

/// Normal values by the polar method (Marsaglia & Bray, 1964): std::normal_distribution differs
/// between standard libraries.
class NormalStream {
 public:
  explicit NormalStream(std::uint64_t seed) : engine_(seed) {}

  double Next() {
    double u = 0;
    double square = 0;
    while (square == 0 || square >= 1) {
      u = Uniform();
      const double v = Uniform();
      square = u * u + v * v;
    }
    return u * std::sqrt(-2 * std::log(square) / square);
  }

 private:
  /// In [−1, 1).
  double Uniform() { return static_cast<double>(engine_() >> 11) * 0x1p-52 - 1; }

  std::mt19937_64 engine_;
};

}  // namespace

const std::vector<double>& ChangePoints::Simulated(std::size_t n) {
  const auto [place, is_new] = simulated_.try_emplace(n);
  if (!is_new) return place->second;
  NormalStream stream(kSeed);
  place->second.resize(kSimulations);
  const double fresh = std::sqrt(1 - kNoiseCorrelation * kNoiseCorrelation);
  std::vector<double> series(n);
  for (double& statistic : place->second) {
    series[0] = stream.Next();
    for (std::size_t i = 1; i < n; ++i) {
      series[i] = kNoiseCorrelation * series[i - 1] + fresh * stream.Next();
    }
    statistic = LikelihoodRatio(Segmentations(series), n);
  }
  std::ranges::sort(place->second);
  return place->second;
}

SeriesChanges ChangePoints::Find(std::span<const double> series) {
  if (series.size() < kFewestValues) return {};
  const auto n = static_cast<double>(series.size());
  double size = 0;
  for (const double x : series) size = std::max(size, std::abs(x));
  if (size == 0) return {};
  const double rounding = n * (kRounding * size) * (kRounding * size);
  const Segmentations segmentations(series);
  const std::vector<double>& simulated = Simulated(series.size());
  const double penalty = SortedQuantile(simulated, 1 - kChangeAlarmRate).value();
  std::size_t best = 0;
  double least = kNever;
  for (std::size_t k = 0; k < segmentations.size(); ++k) {
    const double cost =
        n * std::log((segmentations.rss(k) + rounding) / n) + penalty * static_cast<double>(k);
    if (cost < least) {
      least = cost;
      best = k;
    }
  }
  const double ratio = LikelihoodRatio(segmentations, series.size(), rounding);
  return {segmentations.Changes(best), ProbabilityOf(ratio, penalty, simulated)};
}

}  // namespace idbench
