#include "reports/run/run_lock.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

/// False if the file of that name is another one by now, or none.
bool IsStill(const std::filesystem::path& file, int descriptor) {
  struct stat opened {};
  struct stat present {};
  return ::fstat(descriptor, &opened) == 0 && ::stat(file.c_str(), &present) == 0 &&
         opened.st_dev == present.st_dev && opened.st_ino == present.st_ino;
}

/// A lock of the whole file that belongs to the open file, not to the process as POSIX's own does.
struct flock WholeFile() {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  return lock;
}

}  // namespace

RunLock::RunLock(const std::filesystem::path& folder)
    : file_(folder / kRunLockName), descriptor_(-1) {
  while (true) {
    descriptor_ = ::open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (descriptor_ < 0) {
      throw std::filesystem::filesystem_error("cannot be written", file_,
                                              std::error_code(errno, std::generic_category()));
    }
    struct flock lock = WholeFile();
    if (::fcntl(descriptor_, F_OFD_SETLK, &lock) != 0) {
      ::close(descriptor_);
      throw ConfigError(folder.string(), "", "another process is running in this folder",
                        {"wait for it, or give another --out"});
    }
    if (IsStill(file_, descriptor_)) break;
    ::close(descriptor_);  // its holder removed it between the two calls
  }
  ::futimens(descriptor_, nullptr);  // now
}

RunLock::~RunLock() {
  std::error_code ignored;
  std::filesystem::remove(file_, ignored);
  ::close(descriptor_);
}

std::optional<std::filesystem::file_time_type> RunningSince(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / kRunLockName;
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return std::nullopt;
  struct flock lock = WholeFile();
  const bool locked = ::fcntl(descriptor, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
  ::close(descriptor);
  if (!locked) return std::nullopt;
  std::error_code gone;
  const auto begun = std::filesystem::last_write_time(file, gone);
  if (gone) return std::nullopt;
  return begun;
}

}  // namespace idbench
