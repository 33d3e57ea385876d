#pragma once

#include <Eigen/Core>
#include <string_view>

#include "robots/recording/dataset.h"
#include "robots/recording/processing.h"

namespace idbench {

/// Noise of a channel's samples, as its declared σ and its processing alone tell it.
///
/// The sensor's noise is white with standard deviation σ. Steps of Process() are linear with rows
/// that sum to 1, x ↦ F x, and away from the ends they do the same to every sample, or repeat after
/// a few. So the noise becomes stationary, all columns alike, with the autocovariance
///   γ_k = σ²·(F Fᵀ)_{i,i+k},  averaged over i.
/// Two standard deviations follow from it, which are the same for white noise alone:
/// - of one sample, √γ_0: what residuals and innovations have;
/// - of white noise with the same spectral density at frequency 0, √(Σ_k γ_k), the sum over lags of
///   both signs: what the covariance of a fit follows from, if its columns vary slowly beside γ.
///   It is σ·√(f_new/f_old) behind a low-pass or an up-sampling from f_old to f_new, and σ behind a
///   decimation without a low-pass.
/// Delays of causal processing move noise without changing either.
/// Source: Brillinger, Time Series: Data Analysis and Theory, 1981, sections 2.8 and 5.2.
class ChannelNoise {
 public:
  /// White noise.
  /// @param sigma    of each column, k [unit of the channel]; empty if none is declared.
  /// @param rate_hz  of the samples.
  ChannelNoise(Eigen::VectorXd sigma, double rate_hz);

  /// The steps of Process() on a uniformly sampled channel, see ProcessingOptions.
  /// @throws std::invalid_argument as ButterworthLowpass does.
  void Resample(double rate_hz, Interpolation interpolation);
  /// @param passes  1, causal, or 2, of zero phase.
  void Lowpass(int order, double cutoff_hz, int passes);
  void Decimate(double rate_hz);

  bool is_declared() const { return sigma_.size() > 0; }
  bool is_white() const { return shape_.size() == 1; }
  double rate_hz() const { return rate_hz_; }
  /// Return √γ_0 and √(Σ_k γ_k) over σ; 1 for noise as recorded.
  double sample_factor() const;
  double fit_factor() const;
  /// Return √γ_0 and √(Σ_k γ_k) of each column, k; empty if no σ is declared.
  Eigen::VectorXd sample_sigma() const { return sample_factor() * sigma_; }
  Eigen::VectorXd fit_sigma() const { return fit_factor() * sigma_; }
  /// Returns ρ_k = γ_k/γ_0 for k = 0, 1, … up to the last lag with |ρ_k| ≥ 1e-5; {1} if white.
  Eigen::VectorXd autocorrelation() const;

 private:
  Eigen::VectorXd sigma_;  ///< Declared.
  Eigen::VectorXd shape_;  ///< γ_k for σ = 1, k = 0, 1, …
  double rate_hz_;
};

/// Returns the noise of a channel after Process().
/// @param noise   of the channel as recorded.
/// @param origin  of the channel as recorded.
/// @return without a σ if the channel is derived from another one, as differences have no spectral
///         density at frequency 0, and where Process() refuses the low-pass at the channel's rate.
ChannelNoise NoiseAfter(ChannelNoise noise, std::string_view channel, Origin origin,
                        const ProcessingOptions& options);

}  // namespace idbench
