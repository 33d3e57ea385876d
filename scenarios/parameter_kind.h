#pragma once

#include <string>

namespace idbench {

/// What a parameter is, as the last part of its name tells: "mcx" of `link3.mcx` and of the base
/// parameter `link3.mcx_R`, in which others are regrouped.
std::string ParameterKind(const std::string& name);

}  // namespace idbench
