#include "reports/files/atomic_file.h"

#include <cerrno>
#include <fstream>
#include <system_error>

namespace idbench {

void WriteAtomically(const std::filesystem::path& file, std::string_view contents) {
  if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path());
  std::filesystem::path temporary = file;
  temporary += ".part";
  std::ofstream stream(temporary, std::ios::binary | std::ios::trunc);
  stream.write(contents.data(), static_cast<std::streamsize>(contents.size()));
  stream.close();
  std::error_code error;
  if (!stream) {
    error = {errno, std::generic_category()};
  } else {
    std::filesystem::rename(temporary, file, error);
  }
  if (!error) return;
  std::error_code ignored;
  std::filesystem::remove(temporary, ignored);
  throw std::filesystem::filesystem_error("cannot write", file, error);
}

}  // namespace idbench
