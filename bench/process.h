#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace idbench {

/// How another program ended.
struct ProcessResult {
  int code = 0;        ///< Exit code; 128 + signal if a signal ended it.
  std::string output;  ///< stdout
  std::string errors;  ///< stderr
};

/// All bytes of a file; none if it cannot be read.
std::string BytesOf(const std::filesystem::path& file);

/// Runs a program, found on the PATH, and waits for it. @param folder  for what it prints.
/// @returns nothing if there is no such program.
std::optional<ProcessResult> RunProcess(const std::vector<std::string>& arguments,
                                        const std::filesystem::path& folder);

/// This program's file.
std::filesystem::path ThisProgram();

/// An empty folder that is removed with this object.
class ScratchDirectory {
 public:
  ScratchDirectory();
  ~ScratchDirectory();
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace idbench
