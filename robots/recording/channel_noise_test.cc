#include "robots/recording/channel_noise.h"

#include <doctest/doctest.h>

#include <cmath>

#include "robots/recording/resample.h"

namespace idbench {
namespace {

constexpr double kHz = 100.0;
const Eigen::VectorXd kDeclared = Eigen::Vector2d(0.1, 0.4);

ChannelNoise After(const ProcessingOptions& options) {
  return NoiseAfter({kDeclared, kHz}, kJointTorque, Origin::kMeasured, options);
}

LowpassOptions LowpassAt(double cutoff_hz) {
  return {.cutoff_hz = cutoff_hz, .order = 5, .channels = {}, .drop_edges_s = {}};
}

/// F Fᵀ of what Process() does to the samples of a channel, as it answers to one impulse each.
Eigen::MatrixXd Covariance(const ProcessingOptions& options, Eigen::Index size) {
  Channel impulses{.name = std::string(kJointTorque),
                   .unit = "N·m",
                   .time_s = UniformTime(0.0, static_cast<double>(size - 1) / kHz, kHz),
                   .samples = Eigen::MatrixXd::Identity(size, size),
                   .sigma = {}};
  Dataset dataset("impulses", Role::kIdentification);
  dataset.Add(std::move(impulses));
  const Eigen::MatrixXd F = Process(dataset, options).Get(kJointTorque).samples;
  return F * F.transpose();
}

/// The mean over `samples` in the middle of the covariance at a lag.
double MeanAt(const Eigen::MatrixXd& covariance, Eigen::Index lag, Eigen::Index samples) {
  const Eigen::Index first = (covariance.rows() - lag - samples) / 2;
  return covariance.diagonal(lag).segment(first, samples).mean();
}

void CheckAgainstProcess(const ProcessingOptions& options, Eigen::Index size,
                         Eigen::Index samples) {
  const Eigen::MatrixXd covariance = Covariance(options, size);
  const ChannelNoise noise = After(options);
  const double variance = MeanAt(covariance, 0, samples);
  // What is left of impulses at the ends of the stretch: 1e-6 of the variance.
  CHECK(noise.sample_sigma()[0] == doctest::Approx(0.1 * std::sqrt(variance)).epsilon(1e-6));
  CHECK(noise.sample_sigma()[1] == doctest::Approx(4.0 * noise.sample_sigma()[0]));
  const Eigen::VectorXd rho = noise.autocorrelation();
  for (Eigen::Index lag = 0; lag < std::min<Eigen::Index>(rho.size(), 20); ++lag) {
    CHECK(std::abs(rho[lag] - MeanAt(covariance, lag, samples) / variance) < 1e-6);
  }
}

TEST_CASE("Noise that nothing is done to keeps its declared σ to the bit") {
  ProcessingOptions options;
  options.skip_samples = 7;
  options.resample_rate_hz = kHz;
  const ChannelNoise noise = After(options);
  CHECK(noise.is_white());
  CHECK(noise.sample_sigma() == kDeclared);
  CHECK(noise.fit_sigma() == kDeclared);
  CHECK(noise.autocorrelation() == Eigen::VectorXd::Ones(1));
  CHECK_FALSE(NoiseAfter({{}, kHz}, kJointTorque, Origin::kMeasured, options).is_declared());
}

TEST_CASE("The autocovariance of processed noise is F Fᵀ of what Process() does") {
  ProcessingOptions options;
  options.resample_rate_hz = 500.0;
  CheckAgainstProcess(options, 120, 300);  // 60 whole periods of 5 phases
  options.interpolation = Interpolation::kLinear;
  CheckAgainstProcess(options, 120, 300);
  options.resample_rate_hz = 150.0;  // phases 0, 2/3, 1/3 of a step
  CheckAgainstProcess(options, 120, 90);
  options.resample_rate_hz = 200.0;
  options.lowpass = LowpassAt(6.0);
  CheckAgainstProcess(options, 300, 40);
  options.decimate_to_hz = 20.0;
  CheckAgainstProcess(options, 300, 4);
}

TEST_CASE("The autocovariance behind causal processing is F Fᵀ of what Process() does too") {
  ProcessingOptions options;
  options.causal = true;
  options.resample_rate_hz = 500.0;
  CheckAgainstProcess(options, 120, 300);
  options.interpolation = Interpolation::kLinear;
  options.resample_rate_hz = 150.0;
  CheckAgainstProcess(options, 120, 90);
  options.resample_rate_hz = 200.0;
  options.lowpass = LowpassAt(6.0);
  CheckAgainstProcess(options, 300, 40);
  options.decimate_to_hz = 20.0;
  CheckAgainstProcess(options, 300, 4);
  options.decimate_to_hz.reset();
  options.resample_rate_hz.reset();
  options.differentiate = {std::string(kJointVelocity)};  // delays the torque
  CHECK(After(options).is_declared());
  // One pass has more of the noise than two: ∫|H|² over ∫|H|⁴.
  const double once = After(options).sample_sigma()[0];
  options.causal = false;
  CHECK(once > 1.02 * After(options).sample_sigma()[0]);
  CHECK(once < 1.2 * After(options).sample_sigma()[0]);
}

TEST_CASE("For fits σ keeps the density: it grows with √(f_new/f_old), and is left by decimation") {
  ProcessingOptions options;
  options.decimate_to_hz = 10.0;
  CHECK(After(options).is_white());
  CHECK(After(options).rate_hz() == 10.0);
  CHECK(After(options).fit_sigma() == kDeclared);
  CHECK(After(options).sample_sigma() == kDeclared);

  options.lowpass = LowpassAt(3.0);
  // At 10 Hz and its multiples both passes let through (3/10)^20 in power, folded onto 0.
  CHECK(After(options).fit_sigma()[0] == doctest::Approx(0.1 * std::sqrt(0.1)).epsilon(1e-9));
  options.decimate_to_hz.reset();
  CHECK(After(options).fit_sigma()[0] == doctest::Approx(0.1).epsilon(1e-9));
  CHECK(After(options).sample_sigma()[0] ==
        doctest::Approx(0.1 * std::sqrt(0.0549163)).epsilon(1e-4));

  ProcessingOptions up;
  up.resample_rate_hz = 1000.0;
  for (const Interpolation interpolation : {Interpolation::kCubic, Interpolation::kLinear}) {
    up.interpolation = interpolation;
    CHECK(After(up).fit_sigma()[0] == doctest::Approx(0.1 * std::sqrt(10.0)).epsilon(1e-12));
  }
  // Between two samples linear interpolation has (1 − s)² + s²: 2/3 on average, 0.67 at ten phases.
  CHECK(After(up).sample_sigma()[0] == doctest::Approx(0.1 * std::sqrt(0.67)).epsilon(1e-12));
}

TEST_CASE("A filter of other channels, of exact ones or one that derives the channel") {
  ProcessingOptions options;
  options.lowpass = LowpassAt(3.0);
  CHECK_FALSE(After(options).is_white());
  CHECK(NoiseAfter({kDeclared, kHz}, kJointTorque, Origin::kOracle, options).is_white());
  options.causal = true;  // which filters all channels
  CHECK_FALSE(NoiseAfter({kDeclared, kHz}, kJointTorque, Origin::kOracle, options).is_white());
  options.causal = false;
  options.lowpass->channels = {std::string(kJointPosition)};
  CHECK(After(options).is_white());
  options.differentiate = {std::string(kJointVelocity)};
  CHECK_FALSE(
      NoiseAfter({kDeclared, kHz}, kJointVelocity, Origin::kMeasured, options).is_declared());
  options.lowpass = LowpassAt(50.0);  // refused by Process(), in words
  CHECK_FALSE(After(options).is_declared());
}

}  // namespace
}  // namespace idbench
