#pragma once

#include "scenarios/options/enum_names.h"

namespace idbench {

/// What is known beforehand of the distribution of a metric's value over trials.
enum class ValueLaw {
  /// Squared error over the Cramér-Rao bound, divided by its number of directions ν. Of an unbiased
  /// estimator with normal errors that reaches the bound, ν times the value is χ²_ν.
  kUnbiasedBoundRatio,
  /// Likewise over the bound of all estimators for a drawn prior, divided by the number of
  /// unknowns.
  kBayesianBoundRatio,
  /// In [0, 1]: 1 for a success and 0 for a failure, or the fraction of several successes.
  kProportion,
};
template <>
inline constexpr auto kEnumNames<ValueLaw> =
    std::to_array<EnumName<ValueLaw>>({{ValueLaw::kUnbiasedBoundRatio, "unbiased_bound_ratio"},
                                       {ValueLaw::kBayesianBoundRatio, "bayesian_bound_ratio"},
                                       {ValueLaw::kProportion, "proportion"}});

}  // namespace idbench
