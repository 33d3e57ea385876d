#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>

#include "scenarios/options/enum_names.h"

namespace idbench {

/// Rate at which criteria are reported [Hz], on all samples but the last.
inline constexpr double kCriterionRateHz = 100.0;

/// How badly rows W of a regressor tell its p columns apart, by M = WᵀW; the less the better.
enum class ExcitationCriterion : std::uint8_t {
  kLogDet,           ///< J_d = −ln det M
  kHadamard,         ///< J_h = −ln Π_g M_gg
  kCondition,        ///< J_c = cond W = √(λ_max/λ_min)
  kLogCondition,     ///< ln cond W
  kScaledCondition,  ///< cond of W with columns of norm 1
};
template <>
inline constexpr auto kEnumNames<ExcitationCriterion> =
    std::to_array<EnumName<ExcitationCriterion>>(
        {{ExcitationCriterion::kLogDet, "jd"},
         {ExcitationCriterion::kHadamard, "jh"},
         {ExcitationCriterion::kCondition, "jc"},
         {ExcitationCriterion::kLogCondition, "log_cond"},
         {ExcitationCriterion::kScaledCondition, "scaled_cond"}});

/// Returns the criterion of M, symmetric; infinite where M is singular.
/// Source: Jin & Gans, "Parameter identification for industrial robots with a fast and robust
/// trajectory design approach", Robotics and Computer-Integrated Manufacturing 31, 2015; Katsumata
/// et al. 2019, equation (9).
double CriterionOf(ExcitationCriterion criterion, const Eigen::MatrixXd& M);

/// A criterion that an optimiser can follow, and its derivatives.
struct SmoothCriterion {
  double value = 0.0;
  Eigen::MatrixXd by_M;  ///< ∂value/∂M, symmetric.
};

/// Returns the criterion of M; in place of a condition number the logarithm of what is smooth,
/// (Σ σ⁸)^(1/8)·(Σ σ⁻⁸)^(1/8) of the singular values, at least the condition number and at most
/// p^(1/4) times as large. Infinite, without derivatives, where M is singular.
SmoothCriterion SmoothCriterionOf(ExcitationCriterion criterion, const Eigen::MatrixXd& M);

}  // namespace idbench
