#pragma once

#include <atomic>

namespace idbench {

/// Installs a signal handler: the first SIGINT (Ctrl-C) or SIGTERM sets the returned flag, the next
/// one ends the process.
const std::atomic<bool>& StopOnSignals();

}  // namespace idbench
