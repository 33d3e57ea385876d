#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace idbench {

/// p-values adjusted for a family of m tests: reject those whose adjusted p is at most α, and the
/// probability of any wrong rejection is at most α, whatever the dependence.
///
/// With p₍₁₎ ≤ p₍₂₎ ≤ …:  p̃₍ᵢ₎ = min(1, max_{j ≤ i} (m − j + 1) p₍ⱼ₎).
/// Source: Holm, Scandinavian Journal of Statistics 6(2), 1979.
/// @returns one for each p, in their order.
std::vector<double> HolmAdjusted(std::span<const double> p);

}  // namespace idbench
