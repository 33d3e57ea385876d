#include "reports/files/durable_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace idbench {

DurableFile::DurableFile(std::filesystem::path part)
    : part_(std::move(part)),
      descriptor_(::open(part_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)) {
  if (descriptor_ < 0) Fail();
}

DurableFile::~DurableFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  std::error_code ignored;
  std::filesystem::remove(part_, ignored);
}

void DurableFile::Fail() const {
  throw std::filesystem::filesystem_error("cannot be written", part_,
                                          std::error_code(errno, std::generic_category()));
}

void DurableFile::Append(std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor_, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) Fail();
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

void DurableFile::Commit(const std::filesystem::path& file) {
  if (::fsync(descriptor_) != 0) Fail();
  const int descriptor = std::exchange(descriptor_, -1);
  if (::close(descriptor) != 0) Fail();
  std::filesystem::rename(part_, file);
}

}  // namespace idbench
