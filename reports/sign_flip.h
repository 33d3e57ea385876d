#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace idbench {

struct SignFlipOptions {
  double level = 0.05;     ///< α of the whole family of tests.
  std::size_t family = 1;  ///< Number m of its tests, of which the draws have to resolve α/m.
  std::uint64_t seed = 1;
};

struct SignFlipResult {
  double p = 1;           ///< Two-sided.
  std::size_t draws = 0;  ///< Sign patterns that were drawn; 0 if all of them were enumerated.
};

/// Sign-flip permutation test of the hypothesis that each change is as likely as its opposite.
///
/// The statistic is T = |Σ s|. Under the hypothesis all sign patterns ε are equally likely, and
/// p is the share of those with |Σ ε s| ≥ T. Changes of zero have no say.
///
/// At most 12 changes: all patterns are enumerated, p is exact, and its least value 2^(1 − n).
/// More: p = (1 + k)/(1 + draws), k the drawn patterns that reach T, from a stream of its own.
/// Draws double, from 200 on, while it is undecided whether p > α or p ≤ α/m (which decides every
/// step of Holm's method): until one of these lies outside the Clopper-Pearson interval of p, or
/// 100 m/α patterns were drawn, at least 10,000 and at most 10⁷. A decision that stops early is
/// wrong with a probability below 10⁻³ (sequential Monte Carlo: Besag & Clifford, Biometrika 78(2),
/// 1991; bounds as by Gandy, JASA 104, 2009).
///
/// @param changes  finite; of dependent trials, the sum over each independent unit.
/// @throws std::invalid_argument for a level outside (0, 1) or an empty family.
SignFlipResult SignFlipTest(std::span<const double> changes, const SignFlipOptions& options = {});

/// The least two-sided p that SignFlipTest() can give for `n` changes that are not zero.
double LeastSignFlipP(std::size_t n, const SignFlipOptions& options = {});

/// Exact two-sided McNemar test of paired failures: under the hypothesis, each of the pairs in
/// which one side alone failed is a fair coin; p = min(1, 2 P(X ≤ min(a, b))), X ~ B(a + b, ½).
/// It is the sign-flip test of the changes ±1.
/// @param only_a, only_b  pairs in which that side alone failed.
double McNemarP(std::size_t only_a, std::size_t only_b);

}  // namespace idbench
