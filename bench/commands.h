#pragma once

#include <string>
#include <vector>

namespace idbench {

struct Command;

/// All commands of the program, in the order in which its usage lists them.
std::vector<Command> Commands();

/// Runs `idbench <arguments>`: finds the command, prints errors to stderr, and returns
/// the exit code.
int RunProgram(const std::vector<std::string>& arguments);

}  // namespace idbench
