#pragma once

#include "bench/command.h"

namespace idbench {

/// `idbench status`: tells how far runs are.
Command StatusCommand();

}  // namespace idbench
