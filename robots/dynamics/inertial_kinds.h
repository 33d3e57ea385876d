#pragma once

#include <array>
#include <string_view>

namespace idbench {

/// A standard inertial parameter of a body: the end of its name, and its unit.
struct InertialKind {
  std::string_view name, unit;
};

/// The ten of them, in the order of kInertialCount.
inline constexpr auto kInertialKinds = std::to_array<InertialKind>({{"m", "kg"},
                                                                    {"mcx", "kg·m"},
                                                                    {"mcy", "kg·m"},
                                                                    {"mcz", "kg·m"},
                                                                    {"Ixx", "kg·m²"},
                                                                    {"Ixy", "kg·m²"},
                                                                    {"Iyy", "kg·m²"},
                                                                    {"Ixz", "kg·m²"},
                                                                    {"Iyz", "kg·m²"},
                                                                    {"Izz", "kg·m²"}});

}  // namespace idbench
