#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace idbench {

/// Result of another program.
struct ProcessResult {
  int code = 0;        ///< Exit code; 128 + signal if a signal ended it.
  std::string output;  ///< stdout
  std::string errors;  ///< stderr
};

/// Returns all bytes of a file; none if it cannot be read.
std::string BytesOf(const std::filesystem::path& file);

/// Runs a program, found on the PATH, and waits for it.
/// @param folder  for its output files.
/// @return nothing if there is no such program, or it is none that can be run (a folder, say).
/// @throws std::system_error if it cannot be started.
std::optional<ProcessResult> RunProcess(const std::vector<std::string>& arguments,
                                        const std::filesystem::path& folder);

/// Returns the path of this program.
std::filesystem::path ThisProgram();

/// Empty folder that is removed with this object.
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
