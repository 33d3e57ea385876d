#pragma once

#include <filesystem>
#include <optional>

namespace idbench {

/// Marks a folder in which a process computes a run: the file `running.lock` in it, locked
/// (fcntl(2), F_OFD_SETLK). The lock ends with the process however it ends. The destructor removes
/// the file; after a kill it remains, unlocked. Its modification time is the start of the run.
class RunLock {
 public:
  /// @throws ConfigError (source: the folder) if another process, or another object of this
  ///         process, holds the lock.
  explicit RunLock(const std::filesystem::path& folder);
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

 private:
  std::filesystem::path file_;
  int descriptor_;
};

/// Name of the file.
inline constexpr const char* kRunLockName = "running.lock";

/// Returns the start time of the process that is running in the folder; nothing if none is.
std::optional<std::filesystem::file_time_type> RunningSince(const std::filesystem::path& folder);

}  // namespace idbench
