#pragma once

#include "scenarios/options/enum_names.h"

namespace idbench {

/// How often something random is drawn.
enum class Draw {
  kCell,   ///< Once for all trials.
  kTrial,  ///< Anew in every trial.
};
template <>
inline constexpr auto kEnumNames<Draw> =
    std::to_array<EnumName<Draw>>({{Draw::kCell, "cell"}, {Draw::kTrial, "trial"}});

}  // namespace idbench
