#pragma once

#include <string>
#include <vector>

namespace idbench {

/// Runs `idbench <arguments>`: finds the command, prints errors to stderr, and returns
/// the exit code.
int RunProgram(const std::vector<std::string>& arguments);

}  // namespace idbench
