#pragma once

#include "scenarios/options/enum_names.h"

namespace idbench {

/// Which values of a metric are better.
enum class Better { kLower, kHigher };
template <>
inline constexpr auto kEnumNames<Better> =
    std::to_array<EnumName<Better>>({{Better::kLower, "lower"}, {Better::kHigher, "higher"}});

}  // namespace idbench
