#pragma once

#include "bench/subcommand.h"

namespace idbench {

/// Returns `idbench run`: runs scenarios and prints their tables.
Subcommand RunCommand();
/// Returns `idbench validate`: checks scenario files without running them.
Subcommand ValidateCommand();

}  // namespace idbench
