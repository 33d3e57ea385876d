#pragma once

#include <Eigen/Core>
#include <complex>
#include <vector>

namespace idbench {

/// Second-order section H(z) = (b0 + b1·z⁻¹ + b2·z⁻²) / (1 + a1·z⁻¹ + a2·z⁻²) with H(1) = 1.
struct FilterSection {
  double b0, b1, b2, a1, a2;
};

/// Butterworth low-pass of any order for uniformly sampled signals.
///
/// The bilinear transform s = (1 − z⁻¹)/(1 + z⁻¹) with prewarping, Ω = tan(π f / f_s), maps the
/// analogue prototype |H(jΩ)|² = 1 / (1 + (Ω/Ω_c)²ⁿ), so that the discrete filter has |H|² = 1/2
/// exactly at the cut-off. Applied as second-order sections, because the polynomial form loses its
/// digits if the cut-off is far below the rate. Source: Oppenheim & Schafer, Discrete-Time Signal
/// Processing, 3rd ed., section 7.2-7.3.
class ButterworthLowpass {
 public:
  /// @param order      n ≥ 1, of a single pass.
  /// @param cutoff_hz  half-power frequency of a single pass, in (0, rate_hz/2).
  /// @throws std::invalid_argument for other values.
  ButterworthLowpass(int order, double cutoff_hz, double rate_hz);

  int order() const { return order_; }
  double cutoff_hz() const { return cutoff_hz_; }
  double rate_hz() const { return rate_hz_; }
  const std::vector<FilterSection>& sections() const { return sections_; }

  /// Returns the frequency response H(e^{j2πf/f_s}) of a single pass.
  std::complex<double> Response(double frequency_hz) const;

  /// Returns the default padding of ApplyZeroPhase(): 3(n + 1) samples, as in SciPy (MATLAB: 3n).
  Eigen::Index default_padding() const { return 3 * (order_ + 1); }

  /// Filters each column forward and backward, in place: no phase shift, gain |H(f)|² (so −6 dB
  /// at the cut-off).
  ///
  /// Extends each end by an odd reflection, 2x₀ − x_k, and starts each pass in the steady state of
  /// its first sample: a constant stays unchanged. The result is not trustworthy near the ends, see
  /// EdgeSamples(). The same result as scipy.signal.sosfiltfilt.
  ///
  /// @param columns  N × k, one signal per column.
  /// @throws std::invalid_argument unless N > padding ≥ 0. Allocates scratch of 4·(N +
  ///         2·padding). O(N·k·n).
  void ApplyZeroPhase(Eigen::Ref<Eigen::MatrixXd> columns) const;
  void ApplyZeroPhase(Eigen::Ref<Eigen::MatrixXd> columns, Eigen::Index padding) const;

  /// Filters each column forward once, in place: a sample depends on itself and earlier ones alone.
  ///
  /// Starts in the steady state of the first sample. Gain |H(f)| (−3 dB at the cut-off). What is
  /// slow comes out delay_s() late; the unknown signal before the first sample is forgotten after
  /// FilterEdge(). The same result as scipy.signal.sosfilt with zi = sosfilt_zi·x₀.
  ///
  /// @param columns  N × k, one signal per column. O(N·k·n).
  void ApplyCausal(Eigen::Ref<Eigen::MatrixXd> columns) const;

  /// Returns the group delay of a single pass at frequency 0 [s], −d arg H/dω: by it ramps are
  /// late.
  double delay_s() const;

  /// Returns the number of samples to drop at each end after ApplyZeroPhase():
  /// ⌈FilterEdge() · f_s⌉.
  Eigen::Index EdgeSamples() const;

 private:
  int order_;
  double cutoff_hz_;
  double rate_hz_;
  std::vector<FilterSection> sections_;
};

/// Returns the time after which the slowest mode of a Butterworth low-pass has decayed to 1 % [s],
///   T = ln 100 / (2π f_c sin(π/2n)),
/// and with it the effect of the unknown signal beyond the ends of the data: 0.24 s for
/// order 5 at 10 Hz.
/// @throws std::invalid_argument unless order ≥ 1 and cutoff_hz > 0.
double FilterEdge(int order, double cutoff_hz);

}  // namespace idbench
