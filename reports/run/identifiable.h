#pragma once

#include "scenarios/options/enum_names.h"

namespace idbench {

/// What given equations can show of a parameter, for any motion.
enum class Identifiable { kAlone, kCombination, kNo };
template <>
inline constexpr auto kEnumNames<Identifiable> =
    std::to_array<EnumName<Identifiable>>({{Identifiable::kAlone, "alone"},
                                           {Identifiable::kCombination, "combination"},
                                           {Identifiable::kNo, "no"}});

}  // namespace idbench
