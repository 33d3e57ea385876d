#pragma once

#include <atomic>

namespace idbench {

/// From now on the first SIGINT (Ctrl-C) or SIGTERM sets a flag, which is returned; the next one
/// ends the process.
const std::atomic<bool>& StopOnSignals();

}  // namespace idbench
