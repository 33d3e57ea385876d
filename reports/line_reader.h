#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace idbench {

/// The lines of a file, one at a time.
class LineReader {
 public:
  /// @param cure  what to do where the file cannot be read, for the message.
  /// @throws ConfigError if it cannot be read.
  LineReader(const std::filesystem::path& file, std::vector<std::string> cure);

  /// False at the end.
  bool Next();

  const std::string& source() const { return source_; }
  const std::string& text() const { return text_; }
  std::size_t number() const { return number_; }  ///< From 1.
  bool ended() const { return ended_; }  ///< By a newline, that is, not by the end of the file.

  /// "line 7"
  std::string Place() const;
  /// @throws ConfigError that says that the file breaks off in this line.
  [[noreturn]] void RefuseHalfLine() const;

 private:
  std::string source_;
  std::ifstream stream_;
  std::string text_;
  std::size_t number_ = 0;
  bool ended_ = true;
};

}  // namespace idbench
