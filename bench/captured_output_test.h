#pragma once

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "bench/commands.h"
#include "robots/temporary_folder_test.h"

namespace idbench {

/// Result of a call of the program.
struct ProgramResult {
  int code = 0;
  std::string output;  ///< stdout
  std::string errors;  ///< stderr
};

/// Redirects a stream to a file during its lifetime.
class Redirected {
 public:
  Redirected(std::FILE* stream, const std::filesystem::path& file)
      : stream_(stream), saved_(::dup(::fileno(stream))) {
    std::fflush(stream_);
    std::FILE* target = std::fopen(file.c_str(), "w");
    ::dup2(::fileno(target), ::fileno(stream_));
    std::fclose(target);
  }
  ~Redirected() {
    std::fflush(stream_);
    ::dup2(saved_, ::fileno(stream_));
    ::close(saved_);
  }
  Redirected(const Redirected&) = delete;
  Redirected& operator=(const Redirected&) = delete;

 private:
  std::FILE* stream_;
  int saved_;
};

/// Calls the program in this process.
inline ProgramResult Call(const std::vector<std::string>& arguments) {
  const TemporaryFolder folder;
  ProgramResult result;
  {
    const Redirected output(stdout, folder.path() / "out");
    const Redirected errors(stderr, folder.path() / "err");
    result.code = RunProgram(arguments);
  }
  result.output = ReadText(folder.path() / "out");
  result.errors = ReadText(folder.path() / "err");
  return result;
}

/// Whether a text holds another.
inline bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace idbench
