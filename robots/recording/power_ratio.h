#pragma once

#include <Eigen/Core>

namespace idbench {

/// Estimate of a signal's power, and what it is worth: freedom·power/E[power] is about χ² of that
/// many degrees of freedom if the signal is Gaussian and stationary.
struct PowerEstimate {
  double power = 0.0;
  double freedom = 0.0;
};

/// r of a Hann taper, whose neighbouring bins have the correlations 2/3 and 1/6.
inline constexpr double kHannRepetition = 1.0 + 2.0 * (4.0 / 9.0 + 1.0 / 36.0);

/// Estimates the sum of a periodogram's ordinates P_m.
///
/// Each is S_m·χ²₂/2, so that Satterthwaite's rule gives ν = 2·(Σ S)²/Σ S². What the ordinates tell
/// of both sums without bias is (Σ P)² − Σ P²/2 and Σ P²/2:
///   ν = 4·(Σ P)²/(r·Σ P²) − 2,
/// where r ordinates tell as much as one of a periodogram without a taper: about 2 for a line, and
/// the number of samples over r, less 2, for white noise.
/// @param ordinates   M ≥ 1, not negative; freedom is 2 where all are 0.
/// @param repetition  r = Σ_k ρ_k² over the correlations of neighbours: 1 without a taper.
/// Source: Satterthwaite, Biometrics Bulletin 2(6), 1946; Brillinger, Time Series: Data Analysis
/// and Theory, 1981, section 5.2.
PowerEstimate PowerOf(const Eigen::VectorXd& ordinates, double repetition = 1.0);

/// Whether `larger` exceeds `smaller` by more than chance: true in at most `false_alarms` of all
/// cases with equal expected powers (Fisher's F test, independent estimates).
/// @param false_alarms  in (0, 1).
bool Exceeds(const PowerEstimate& larger, const PowerEstimate& smaller, double false_alarms);

}  // namespace idbench
