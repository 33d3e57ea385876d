#include "robots/recording/channel_noise.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "robots/recording/filter.h"

namespace idbench {
namespace {

/// Autocorrelations below this are left out of what a fit has to sum up.
constexpr double kSmallCorrelation = 1e-5;
/// Autocovariances below this part of the largest are round-off.
constexpr double kRoundOff = 1e-13;
/// Most phases between the samples of two rates that are averaged.
constexpr Eigen::Index kPhases = 1000;
/// Samples on either side of an instant that interpolation may read.
constexpr Eigen::Index kReach = 3;
/// Lengths of FilterEdge() after which nothing of an impulse is left: 1e-12.
constexpr Eigen::Index kEdges = 6;

/// Without what follows the last entry of at least `least` in magnitude.
Eigen::VectorXd Trimmed(const Eigen::VectorXd& values, double least) {
  Eigen::Index size = values.size();
  while (size > 1 && !(std::abs(values[size - 1]) >= least)) --size;
  return values.head(size);
}

/// What interpolation reads for the m-th sample of the new rate.
struct Read {
  Eigen::Index first = 0;      ///< First old sample.
  Eigen::RowVectorXd weights;  ///< Of it and those behind it.
};

/// @param step  old samples per new sample.
Read ReadOf(Eigen::Index m, double step, Interpolation interpolation) {
  // The tolerance keeps an instant on its sample that only rounding puts before it.
  const double at = static_cast<double>(m) * step;
  const double sample = std::floor(at + kSameTimeTolerance);
  const Eigen::Index width = 2 * kReach + 1;
  const Eigen::VectorXd time = Eigen::VectorXd::LinSpaced(width, -kReach, kReach);
  const Eigen::VectorXd instant = Eigen::VectorXd::Constant(1, std::max(0.0, at - sample));
  return {static_cast<Eigen::Index>(sample) - kReach,
          Interpolate(time, Eigen::MatrixXd::Identity(width, width), instant, interpolation)};
}

/// The number of new samples after which the phases between two rates repeat, or kPhases.
Eigen::Index PeriodOf(double step) {
  for (Eigen::Index period = 1; period < kPhases; ++period) {
    const double old = static_cast<double>(period) * step;
    if (std::abs(old - std::round(old)) < kSameTimeTolerance) return period;
  }
  return kPhases;
}

}  // namespace

ChannelNoise::ChannelNoise(Eigen::VectorXd sigma, double rate_hz)
    : sigma_(std::move(sigma)), shape_(Eigen::VectorXd::Ones(1)), rate_hz_(rate_hz) {}

void ChannelNoise::Resample(double rate_hz, Interpolation interpolation) {
  const double step = rate_hz_ / rate_hz;
  if (std::abs(step - 1.0) <= kSameTimeTolerance) return;
  const Eigen::Index period = PeriodOf(step);
  const auto reach = static_cast<double>(shape_.size() + 2 * kReach);
  const auto lags = static_cast<Eigen::Index>(std::ceil(reach / step)) + 1;
  std::vector<Read> reads;
  for (Eigen::Index m = 0; m < period + lags; ++m) reads.push_back(ReadOf(m, step, interpolation));
  Eigen::VectorXd shape = Eigen::VectorXd::Zero(lags);
  for (Eigen::Index m = 0; m < period; ++m) {
    const Read& here = reads[static_cast<std::size_t>(m)];
    for (Eigen::Index lag = 0; lag < lags; ++lag) {
      const Read& there = reads[static_cast<std::size_t>(m + lag)];
      for (Eigen::Index a = 0; a < here.weights.size(); ++a) {
        for (Eigen::Index b = 0; b < there.weights.size(); ++b) {
          const Eigen::Index apart = std::abs(here.first + a - there.first - b);
          if (apart < shape_.size())
            shape[lag] += here.weights[a] * there.weights[b] * shape_[apart];
        }
      }
    }
  }
  shape /= static_cast<double>(period);
  shape_ = Trimmed(shape, kRoundOff * shape[0]);
  rate_hz_ = rate_hz;
}

void ChannelNoise::Lowpass(int order, double cutoff_hz, int passes) {
  const ButterworthLowpass filter(order, cutoff_hz, rate_hz_);
  // Of one pass with the impulse response h, γ becomes h ∗ h(−·) ∗ γ: forward and backward. The
  // response of two passes is h ∗ h(−·), which is even: the same twice.
  const Eigen::Index last =
      shape_.size() + 2 * (kEdges * filter.EdgeSamples() + filter.default_padding());
  Eigen::VectorXd both = Eigen::VectorXd::Zero(2 * last + 1);
  both.segment(last, shape_.size()) = shape_;
  both.segment(last - shape_.size() + 1, shape_.size()) = shape_.reverse();
  for (int pass = 0; pass < passes; ++pass) filter.ApplyZeroPhase(both);
  shape_ = Trimmed(both.tail(last + 1), kRoundOff * both[last]);
}

void ChannelNoise::Decimate(double rate_hz) {
  const auto factor = static_cast<Eigen::Index>(std::max(1.0, std::round(rate_hz_ / rate_hz)));
  shape_ = idbench::Decimate(shape_, factor).eval();
  rate_hz_ /= static_cast<double>(factor);
}

double ChannelNoise::sample_factor() const { return std::sqrt(shape_[0]); }

double ChannelNoise::fit_factor() const { return std::sqrt(2.0 * shape_.sum() - shape_[0]); }

Eigen::VectorXd ChannelNoise::autocorrelation() const {
  return Trimmed(shape_ / shape_[0], kSmallCorrelation);
}

ChannelNoise NoiseAfter(ChannelNoise noise, std::string_view channel, Origin origin,
                        const ProcessingOptions& options) {
  if (std::ranges::find(options.differentiate, channel) != options.differentiate.end()) {
    noise = ChannelNoise({}, noise.rate_hz());
  }
  if (options.resample_rate_hz) noise.Resample(*options.resample_rate_hz, options.interpolation);
  if (IsFiltered(options, channel, origin)) {
    if (options.lowpass->cutoff_hz >= 0.5 * noise.rate_hz()) return {{}, noise.rate_hz()};
    noise.Lowpass(options.lowpass->order, options.lowpass->cutoff_hz, options.causal ? 1 : 2);
  }
  if (options.decimate_to_hz) noise.Decimate(*options.decimate_to_hz);
  return noise;
}

}  // namespace idbench
