#pragma once

#include "bench/subcommand.h"

namespace idbench {

/// `idbench identify ROBOT LOG…`: from a model file and logs of any kind to an identified model.
Subcommand IdentifyCommand();

}  // namespace idbench
