#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace idbench {

/// Returns p-values adjusted for a family of m tests: if those with adjusted p of at most α are
/// rejected, the probability of any wrong rejection is at most α, whatever the dependence.
///
/// With p₍₁₎ ≤ p₍₂₎ ≤ …:  p̃₍ᵢ₎ = min(1, max_{j ≤ i} (m − j + 1) p₍ⱼ₎).
/// Source: Holm, Scandinavian Journal of Statistics 6(2), 1979.
/// @return one for each p, in their order.
std::vector<double> HolmAdjusted(std::span<const double> p);

}  // namespace idbench
