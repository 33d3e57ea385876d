#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace idbench {

/// A file whose bytes are loaded when they are looked at, and can be dropped again: one may be
/// larger than the memory.
class MappedFile {
 public:
  /// @throws ConfigError if the file cannot be read.
  explicit MappedFile(const std::filesystem::path& file);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
};

/// An empty file in the folder for temporary ones (environment variable TMPDIR), removed at the end
/// of the scope.
class TemporaryFile {
 public:
  /// @throws std::filesystem::filesystem_error if it cannot be made.
  TemporaryFile();
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace idbench
