#include "bench/identify/torque_noise.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
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
constexpr std::size_t kLongestPiece = 4096;

/// Frequencies whose ordinates count [Hz].
struct Band {
  double from_hz;
  double until_hz;
};

/// Adds ordinates of the one-sided periodogram of a piece [unit²/Hz].
void AddOrdinates(const Eigen::Ref<const Eigen::VectorXd>& piece, double rate_hz, const Band& band,
                  std::vector<double>& ordinates) {
  const Eigen::Index count = piece.size();
  std::vector<double> tapered(static_cast<std::size_t>(count));
  double power = 0.0;
  const double mean = piece.mean();
  const double turn = 2.0 * std::numbers::pi / static_cast<double>(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const double hann = 0.5 - 0.5 * std::cos(turn * (static_cast<double>(i) + 0.5));
    tapered[static_cast<std::size_t>(i)] = hann * (piece[i] - mean);
    power += hann * hann;
  }
  std::vector<std::complex<double>> spectrum;
  Eigen::FFT<double> fft;
  fft.fwd(spectrum, tapered);
  for (Eigen::Index k = 1; k < count / 2; ++k) {
    const double frequency_hz = static_cast<double>(k) * rate_hz / static_cast<double>(count);
    if (frequency_hz < band.from_hz || frequency_hz > band.until_hz) continue;
    ordinates.push_back(2.0 * std::norm(spectrum[static_cast<std::size_t>(k)]) / (rate_hz * power));
  }
}

/// Adds those of all whole pieces of a joint's torque.
void AddPieces(const Channel& torque, Eigen::Index joint, double cutoff_hz,
               std::vector<double>& ordinates) {
  if (torque.time_s.size() < 2) return;
  const double rate_hz = NominalRate(torque.time_s);
  const Band band{kBeyondCutoff * cutoff_hz, kBelowRate * rate_hz};
  const auto rows = static_cast<std::size_t>(torque.samples.rows());
  const auto size = static_cast<Eigen::Index>(std::min(kLongestPiece, std::bit_floor(rows)));
  for (Eigen::Index first = 0; first + size <= torque.samples.rows(); first += size) {
    AddOrdinates(torque.samples.col(joint).segment(first, size), rate_hz, band, ordinates);
  }
}

}  // namespace

Eigen::VectorXd TorqueNoise(std::span<const Dataset> segments, double cutoff_hz) {
  if (segments.empty() || segments.front().Find(kJointTorque) == nullptr) return {};
  Eigen::VectorXd noise(segments.front().Get(kJointTorque).samples.cols());
  for (Eigen::Index joint = 0; joint < noise.size(); ++joint) {
    std::vector<double> ordinates;
    for (const Dataset& segment : segments) {
      AddPieces(segment.Get(kJointTorque), joint, cutoff_hz, ordinates);
    }
    noise[joint] = std::numeric_limits<double>::quiet_NaN();
    if (ordinates.size() < kFewest) continue;
    const auto middle = ordinates.begin() + static_cast<std::ptrdiff_t>(ordinates.size() / 2);
    std::ranges::nth_element(ordinates, middle);
    noise[joint] = std::sqrt(*middle / std::numbers::ln2 * cutoff_hz);
  }
  return noise;
}

}  // namespace idbench
