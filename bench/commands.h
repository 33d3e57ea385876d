#pragma once

#include <string>
#include <vector>

namespace idbench {

struct Subcommand;

/// All commands of the program, in the order in which its usage lists them.
std::vector<Subcommand> Commands();

/// Runs `idbench <arguments>`: finds the command, prints errors to stderr, and returns
/// the exit code.
int RunProgram(const std::vector<std::string>& arguments);

}  // namespace idbench
