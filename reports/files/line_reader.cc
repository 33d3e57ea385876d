#include "reports/files/line_reader.h"

#include <fmt/format.h>

#include <utility>

#include "scenarios/options/config_error.h"

namespace idbench {

LineReader::LineReader(const std::filesystem::path& file, std::vector<std::string> cure)
    : source_(file.string()), stream_(file, std::ios::binary) {
  if (!stream_) throw ConfigError(source_, "", "cannot be read", std::move(cure));
}

bool LineReader::Next() {
  if (!std::getline(stream_, text_)) return false;
  ended_ = !stream_.eof();
  ++number_;
  return true;
}

std::string LineReader::Place() const { return fmt::format("line {}", number_); }

void LineReader::RefuseHalfLine() const {
  throw ConfigError(source_, Place(), "the file breaks off in this line: it was cut",
                    {"remove it, and `idbench run` with --resume makes it again"});
}

}  // namespace idbench
