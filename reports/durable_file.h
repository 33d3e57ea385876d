#pragma once

#include <filesystem>
#include <string_view>

namespace idbench {

/// A file that is there whole or not at all: written under a temporary name, then synced and
/// renamed. What is not committed is removed. Failures throw std::filesystem::filesystem_error.
class DurableFile {
 public:
  /// @param part  temporary name, in the folder of the final one.
  explicit DurableFile(std::filesystem::path part);
  ~DurableFile();
  DurableFile(const DurableFile&) = delete;
  DurableFile& operator=(const DurableFile&) = delete;

  void Append(std::string_view text);
  void Commit(const std::filesystem::path& file);

 private:
  [[noreturn]] void Fail() const;

  std::filesystem::path part_;
  int descriptor_;
};

}  // namespace idbench
