#pragma once

#include <filesystem>
#include <optional>

namespace idbench {

/// Says that a process is computing a run in a folder, for as long as it lives: the file
/// `running.lock` in it, locked (fcntl(2), F_OFD_SETLK), which ends with the process however it
/// ends. The file goes away with the object; after a kill it is left, unlocked. The time it was
/// last written is that of the start.
class RunLock {
 public:
  /// @throws ConfigError (source: the folder) if another process, or another object of this one,
  ///         holds it.
  explicit RunLock(const std::filesystem::path& folder);
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

 private:
  std::filesystem::path file_;
  int descriptor_;
};

/// The name of the file.
inline constexpr const char* kRunLockName = "running.lock";

/// When the process that is running in the folder began; nothing if none is.
std::optional<std::filesystem::file_time_type> RunningSince(const std::filesystem::path& folder);

}  // namespace idbench
