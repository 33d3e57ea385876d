#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

namespace idbench {

/// What a child process may use.
struct ChildLimits {
  double wall_s = 0;            ///< Wall-clock time [s], from its start.
  std::int64_t memory_mib = 0;  ///< Data [MiB]: heap, stacks and private pages, not files and code.
};

/// How a child process ended.
enum class ChildEnd {
  kReturned,    ///< Its function returned a text.
  kFailed,      ///< Its function threw, or ended the process.
  kSignal,      ///< A signal ended it that was not sent from here.
  kOverTime,    ///< It was killed at the limit of its time.
  kOverMemory,  ///< It was refused memory, or a thread, whose stack is memory.
  kStopped,     ///< It was asked to stop, and ended without a text.
};

struct ChildReport {
  ChildEnd end = ChildEnd::kFailed;
  std::string text;  ///< What the function returned; of kFailed, the reason.
  int signal = 0;    ///< Of kSignal.
};

/// Calls a function in a child process and waits for its end.
///
/// The child is a fork: whatever becomes of it, a crash included, this process goes on, and the
/// function needs no program of its own. It must be called while this process has one thread,
/// because a fork copies locks that others hold, and with no database open.
///
/// The child leads a process group, which is killed as a whole at the limit of time, and dies with
/// this process. The limit of memory is RLIMIT_DATA; builds with a sanitizer have none, because
/// sanitizers reserve terabytes.
/// @param stop  set from outside: the child gets SIGTERM and 30 s to return.
/// @throws std::system_error if the child cannot be made.
ChildReport RunChild(const std::function<std::string()>& call, const ChildLimits& limits,
                     const std::atomic<bool>& stop);

}  // namespace idbench
