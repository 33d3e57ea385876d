#pragma once

#include "bench/command.h"

namespace idbench {

/// `idbench identify ROBOT LOG…`: from a model file and logs of any kind to an identified model.
Command IdentifyCommand();

}  // namespace idbench
