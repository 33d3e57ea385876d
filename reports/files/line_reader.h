#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace idbench {

/// Reader of the lines of a file, one at a time.
class LineReader {
 public:
  /// @param cure  advice for the message if the file cannot be read.
  /// @throws ConfigError if it cannot be read.
  LineReader(const std::filesystem::path& file, std::vector<std::string> cure);

  /// Reads the next line. Returns false at the end.
  bool Next();

  const std::string& source() const { return source_; }
  const std::string& text() const { return text_; }
  std::size_t number() const { return number_; }  ///< From 1.
  bool ended() const { return ended_; }           ///< By a newline, not by the end of the file.

  /// Returns "line 7".
  std::string Place() const;
  /// @throws ConfigError saying that the file breaks off in this line.
  [[noreturn]] void RefuseHalfLine() const;

 private:
  std::string source_;
  std::ifstream stream_;
  std::string text_;
  std::size_t number_ = 0;
  bool ended_ = true;
};

}  // namespace idbench
