#pragma once

#include "bench/command.h"

namespace idbench {

/// Returns `idbench run`: runs scenarios and prints their tables.
Command RunCommand();
/// Returns `idbench validate`: checks scenario files without running them.
Command ValidateCommand();

}  // namespace idbench
