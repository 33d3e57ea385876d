#include "bench/stop_signal.h"

#include <csignal>

namespace idbench {
namespace {

std::atomic<bool> stop_requested = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // a signal handler sets it

void RequestStop(int signal) {
  stop_requested = true;
  std::signal(signal, SIG_DFL);
}

}  // namespace

const std::atomic<bool>& StopOnSignals() {
  std::signal(SIGINT, &RequestStop);
  std::signal(SIGTERM, &RequestStop);
  return stop_requested;
}

}  // namespace idbench
