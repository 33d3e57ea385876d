#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace idbench {

/// SHA-256 of a text that comes in pieces (FIPS 180-4), by OpenSSL's libcrypto.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  /// Appends a piece of the text.
  void Add(std::string_view piece);
  /// Returns the hash as 64 hexadecimal digits in lower case, as `sha256sum` prints it. Nothing may
  /// be added afterwards.
  std::string Finish();

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

/// Returns the SHA-256 of a file, which is read piece by piece.
/// @throws ConfigError (source: the file) if it cannot be read.
std::string Sha256OfFile(const std::filesystem::path& file);

}  // namespace idbench
