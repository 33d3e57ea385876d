#include "hw/ros2/mapped_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

namespace fs = std::filesystem;

/// Closes a file at the end of the scope.
struct Descriptor {
  int number;
  ~Descriptor() {
    if (number >= 0) close(number);
  }
};

[[noreturn]] void RefuseUnreadable(const fs::path& file) {
  throw ConfigError(file.string(), "", fmt::format("cannot be read: {}", std::strerror(errno)));
}

}  // namespace

MappedFile::MappedFile(const fs::path& file) {
  const Descriptor descriptor{open(file.c_str(), O_RDONLY | O_CLOEXEC)};
  struct stat status = {};
  if (descriptor.number < 0 || fstat(descriptor.number, &status) != 0) RefuseUnreadable(file);
  if (!S_ISREG(status.st_mode)) {
    throw ConfigError(file.string(), "", "cannot be read: it is no regular file");
  }
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) return;  // nothing to map
  void* const begin = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor.number, 0);
  if (begin == MAP_FAILED) RefuseUnreadable(file);
  madvise(begin, size, MADV_SEQUENTIAL);
  bytes_ = {static_cast<const std::byte*>(begin), size};
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

TemporaryFile::TemporaryFile() {
  std::string name = (fs::temp_directory_path() / "idbench_XXXXXX").string();
  const Descriptor descriptor{mkstemp(name.data())};
  if (descriptor.number < 0) {
    throw fs::filesystem_error("cannot make a temporary file", name,
                               std::error_code(errno, std::generic_category()));
  }
  path_ = name;
}

TemporaryFile::~TemporaryFile() {
  std::error_code none;
  fs::remove(path_, none);
}

}  // namespace idbench
