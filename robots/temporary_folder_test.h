#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace idbench {

/// A folder of one test's own, removed with all that is in it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = std::filesystem::temp_directory_path() / "idbench_test_XXXXXX";
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
    path_ = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  const std::filesystem::path& path() const { return path_; }

  /// Writes a file, in folders that are made where needed. Returns its path.
  std::string Write(const std::filesystem::path& name, std::string_view text) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name) << text;
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

/// An error message about a file, without the folder that it is in.
inline std::string WithoutFolder(std::string message, const std::string& file) {
  const std::string folder = std::filesystem::path(file).parent_path().string() + "/";
  for (std::size_t at = 0; (at = message.find(folder)) != std::string::npos;) {
    message.erase(at, folder.size());
  }
  return message;
}

}  // namespace idbench
