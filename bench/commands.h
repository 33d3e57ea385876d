#pragma once

#include <string>
#include <vector>

namespace idbench {

/// Exit codes of the program.
inline constexpr int kExitFine = 0;
inline constexpr int kExitUsage = 2;      ///< Wrong call, or a scenario that cannot be run.
inline constexpr int kExitExecution = 5;  ///< Interrupted, or something failed while running.

/// Runs `idbench <arguments>`: finds the command, prints errors to stderr, returns the exit code.
int RunProgram(const std::vector<std::string>& arguments);

}  // namespace idbench
