#pragma once

#include <Eigen/Core>
#include <complex>
#include <vector>

namespace idbench {

/// A second-order section H(z) = (b0 + b1·z⁻¹ + b2·z⁻²) / (1 + a1·z⁻¹ + a2·z⁻²) with H(1) = 1.
struct FilterSection {
  double b0, b1, b2, a1, a2;
};

/// Butterworth low-pass of any order for uniformly sampled signals.
///
/// The analogue prototype |H(jΩ)|² = 1 / (1 + (Ω/Ω_c)²ⁿ) goes through the bilinear transform
/// s = (1 − z⁻¹)/(1 + z⁻¹) with prewarping, Ω = tan(π f / f_s), so that the discrete filter has
/// |H|² = 1/2 at the cut-off exactly. It is applied as second-order sections, because the
/// polynomial form loses its digits where the cut-off is far below the rate. Source: Oppenheim &
/// Schafer, Discrete-Time Signal Processing, 3rd ed., section 7.2-7.3.
class ButterworthLowpass {
 public:
  /// @param order      n ≥ 1, of a single pass.
  /// @param cutoff_hz  half-power frequency of a single pass, in (0, rate_hz/2).
  /// @throws std::invalid_argument for anything else.
  ButterworthLowpass(int order, double cutoff_hz, double rate_hz);

  int order() const { return order_; }
  double cutoff_hz() const { return cutoff_hz_; }
  double rate_hz() const { return rate_hz_; }
  const std::vector<FilterSection>& sections() const { return sections_; }

  /// Frequency response H(e^{j2πf/f_s}) of a single pass.
  std::complex<double> Response(double frequency_hz) const;

  /// Padding that ApplyZeroPhase() uses by default: 3(n + 1) samples, as SciPy does (MATLAB: 3n).
  Eigen::Index default_padding() const { return 3 * (order_ + 1); }

  /// Filters each column forward and backward, in place: no phase shift, gain |H(f)|² (so −6 dB at
  /// the cut-off).
  ///
  /// Each end is extended by an odd reflection, 2x₀ − x_k, and each pass begins in the steady state
  /// that belongs to its first sample: a constant stays as it is. Near the ends the result is not
  /// to be trusted, see EdgeSamples(). The same result as scipy.signal.sosfiltfilt.
  ///
  /// @param columns  N × k, one signal per column.
  /// @throws std::invalid_argument unless N > padding.
  /// Allocates one scratch vector of N + 2·padding. O(N·k·n).
  void ApplyZeroPhase(Eigen::Ref<Eigen::MatrixXd> columns) const;
  void ApplyZeroPhase(Eigen::Ref<Eigen::MatrixXd> columns, Eigen::Index padding) const;

  /// Samples to drop at each end of what ApplyZeroPhase() gave: ⌈FilterEdge() · f_s⌉.
  Eigen::Index EdgeSamples() const;

 private:
  int order_;
  double cutoff_hz_;
  double rate_hz_;
  std::vector<FilterSection> sections_;
};

/// Time after which the slowest mode of a Butterworth low-pass has decayed to 1 % [s],
///   T = ln 100 / (2π f_c sin(π/2n)),
/// and with it what the filter made of the unknown signal beyond the end of the data:
/// 0.24 s for order 5 at 10 Hz.
/// @throws std::invalid_argument unless order ≥ 1 and cutoff_hz > 0.
double FilterEdge(int order, double cutoff_hz);

}  // namespace idbench
