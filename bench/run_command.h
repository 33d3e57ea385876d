#pragma once

#include "bench/command.h"

namespace idbench {

/// `idbench run`: runs scenarios and prints their tables.
Command RunCommand();
/// `idbench validate`: checks scenario files without running them.
Command ValidateCommand();

}  // namespace idbench
