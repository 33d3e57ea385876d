#include "bench/identify/torque_noise.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <unsupported/Eigen/FFT>
#include <vector>

#include "robots/recording/resample.h"

namespace idbench {
namespace {

constexpr double kBeyondCutoff = 2.0;
constexpr double kBelowRate = 0.45;
constexpr std::size_t kFewest = 32;

/// Ordinates of the one-sided periodogram of a column between two frequencies [unit²/Hz].
void AddOrdinates(const Eigen::VectorXd& signal, double rate_hz, double from_hz, double until_hz,
                  std::vector<double>& ordinates) {
  const Eigen::Index count = signal.size();
  std::vector<double> tapered(static_cast<std::size_t>(count));
  double power = 0.0;
  const double mean = signal.mean();
  for (Eigen::Index i = 0; i < count; ++i) {
    const double hann =
        0.5 - 0.5 * std::cos(2.0 * std::numbers::pi * (static_cast<double>(i) + 0.5) /
                             static_cast<double>(count));
    tapered[static_cast<std::size_t>(i)] = hann * (signal[i] - mean);
    power += hann * hann;
  }
  std::vector<std::complex<double>> spectrum;
  Eigen::FFT<double> fft;
  fft.fwd(spectrum, tapered);
  for (Eigen::Index k = 1; k < count / 2; ++k) {
    const double frequency = static_cast<double>(k) * rate_hz / static_cast<double>(count);
    if (frequency < from_hz || frequency > until_hz) continue;
    ordinates.push_back(2.0 * std::norm(spectrum[static_cast<std::size_t>(k)]) / (rate_hz * power));
  }
}

const Channel& TorqueOf(const Dataset& segment) {
  const Channel* torque = segment.Find(kJointTorque);
  return torque != nullptr ? *torque : segment.Get(kMotorTorque);
}

}  // namespace

Eigen::VectorXd TorqueNoise(std::span<const Dataset> segments, double cutoff_hz) {
  if (segments.empty()) return {};
  const Eigen::Index joints = TorqueOf(segments.front()).samples.cols();
  Eigen::VectorXd noise(joints);
  for (Eigen::Index j = 0; j < joints; ++j) {
    std::vector<double> ordinates;
    for (const Dataset& segment : segments) {
      const Channel& torque = TorqueOf(segment);
      if (torque.time_s.size() < 2) continue;
      const double rate_hz = NominalRate(torque.time_s);
      AddOrdinates(torque.samples.col(j), rate_hz, kBeyondCutoff * cutoff_hz, kBelowRate * rate_hz,
                   ordinates);
    }
    if (ordinates.size() < kFewest) {
      noise[j] = std::numeric_limits<double>::quiet_NaN();
      continue;
    }
    const auto middle = ordinates.begin() + static_cast<std::ptrdiff_t>(ordinates.size() / 2);
    std::ranges::nth_element(ordinates, middle);
    noise[j] = std::sqrt(*middle / std::numbers::ln2 * cutoff_hz);
  }
  return noise;
}

}  // namespace idbench
