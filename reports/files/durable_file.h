#pragma once

#include <filesystem>
#include <string_view>

namespace idbench {

/// File that exists completely or not at all: it is written under a temporary name, then
/// synced and renamed. The destructor removes a file that was not committed. Failures
/// throw std::filesystem::filesystem_error.
class DurableFile {
 public:
  /// @param part  temporary name, in the folder of the final file.
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
