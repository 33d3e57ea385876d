#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace idbench {

/// A folder in memory, removed at its end.
class MemoryFolder {
 public:
  MemoryFolder() {
    std::string name = "/dev/shm/idbench_fuzz_XXXXXX";
    if (mkdtemp(name.data()) == nullptr) std::abort();
    path_ = name;
  }
  ~MemoryFolder() {
    std::error_code none;
    std::filesystem::remove_all(path_, none);
  }
  MemoryFolder(const MemoryFolder&) = delete;
  MemoryFolder& operator=(const MemoryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// The folder of the one process of a fuzz target, for readers that want files; it stays if the
/// process crashes.
inline const std::filesystem::path& FuzzFolder() {
  static const MemoryFolder folder;
  return folder.path();
}

/// Writes a file into it. Returns its path.
inline std::filesystem::path WriteFuzzFile(const char* name, const std::uint8_t* data,
                                           std::size_t size) {
  const std::filesystem::path path = FuzzFolder() / name;
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) std::abort();
  std::fwrite(data, 1, size, file);
  std::fclose(file);
  return path;
}

}  // namespace idbench
