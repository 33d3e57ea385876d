#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace idbench {

struct SignFlipOptions {
  double level = 0.05;     ///< α of the whole family of tests.
  std::size_t family = 1;  ///< Number m of tests in the family; the draws must resolve α/m.
  std::uint64_t seed = 1;
};

struct SignFlipResult {
  double p = 1;           ///< Two-sided.
  std::size_t draws = 0;  ///< Number of random sign patterns; 0 if all patterns were enumerated.
};

/// Tests by sign flips the hypothesis that each change is as likely as its opposite.
///
/// The statistic is T = |Σ s|. Under the hypothesis all sign patterns ε are equally likely, and p
/// is the fraction of those with |Σ ε s| ≥ T. Changes of zero are ignored.
///
/// For at most 12 changes all patterns are enumerated: p is exact, and its least value is
/// 2^(1 − n). For more, p = (1 + k)/(1 + draws), with k the drawn patterns that reach T, from a
/// separate random stream. The draws double, from 200 on, until the Clopper-Pearson interval of p
/// lies above α or below α/m (which decides every step of Holm's method), or until 100 m/α patterns
/// were drawn, at least 10,000 and at most 10⁷. A decision that stops early is wrong with a
/// probability below 10⁻³ (sequential Monte Carlo: Besag & Clifford, Biometrika 78(2), 1991; bounds
/// as by Gandy, JASA 104, 2009).
///
/// @param changes  finite; for dependent trials, the sum over each independent unit.
/// @throws std::invalid_argument for a level outside (0, 1) or an empty family.
SignFlipResult SignFlipTest(std::span<const double> changes, const SignFlipOptions& options = {});

/// Returns the least two-sided p that SignFlipTest() can give for `n` changes that are not zero.
double LeastSignFlipP(std::size_t n, const SignFlipOptions& options = {});

/// One-sided p of a sign-flip test.
struct SignFlipTails {
  double upper = 1;       ///< P(Σ ε s ≥ Σ s): small where the changes lie above zero.
  double lower = 1;       ///< P(Σ ε s ≤ Σ s): small where they lie below.
  std::size_t draws = 0;  ///< As in SignFlipResult.
};

/// Tests by sign flips, to either side, the hypotheses that changes are symmetric about a centre of
/// at most zero (`upper`) and of at least zero (`lower`). With d − δ in place of s these are tests
/// of a mean change of at most, and of at least, δ. Patterns, draws and errors as in
/// SignFlipTest(): draws end once the decisions on both tails are certain.
SignFlipTails SignFlipTailTests(std::span<const double> changes,
                                const SignFlipOptions& options = {});

/// Returns the least one-sided p that SignFlipTailTests() can give for `n` changes that are not
/// zero.
double LeastSignFlipTail(std::size_t n, const SignFlipOptions& options = {});

/// Returns sign(s) times the rank of |s| among the changes that are not zero, ties with the mean of
/// their ranks; 0 for a change of zero. The sign-flip test of these is Wilcoxon's signed-rank test,
/// on which a single disturbed pair has little influence.
std::vector<double> SignedRanks(std::span<const double> changes);

/// Returns p of the exact two-sided McNemar test of paired failures. Under the hypothesis each pair
/// in which only one side failed is a fair coin; p = min(1, 2 P(X ≤ min(a, b))), X ~ B(a + b,
/// ½). It is the sign-flip test of the changes ±1.
/// @param only_a, only_b  number of pairs in which only that side failed.
double McNemarP(std::size_t only_a, std::size_t only_b);

}  // namespace idbench
