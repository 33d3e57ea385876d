#pragma once

#include <string>

namespace idbench {

/// Returns the kind of a parameter, the last part of its name: "mcx" for `link3.mcx` and for the
/// base parameter `link3.mcx_R`, in which others are regrouped.
std::string ParameterKind(const std::string& name);

}  // namespace idbench
