#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace idbench {

/// A folder in memory for the one process of a fuzz target, for readers that want files.
inline const std::filesystem::path& FuzzFolder() {
  static const std::filesystem::path folder = [] {
    std::string name = "/dev/shm/idbench_fuzz_XXXXXX";
    return std::filesystem::path(mkdtemp(name.data()) == nullptr ? "/tmp" : name);
  }();
  return folder;
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
