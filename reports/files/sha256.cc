#include "reports/files/sha256.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <fstream>
#include <stdexcept>

#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

constexpr std::size_t kPieceBytes = 1 << 16;

void RequireSuccess(int result) {
  if (result != 1) throw std::runtime_error("libcrypto cannot compute SHA-256");
}

}  // namespace

struct Sha256::Context {
  struct Free {
    void operator()(EVP_MD_CTX* owned) const { EVP_MD_CTX_free(owned); }
  };
  std::unique_ptr<EVP_MD_CTX, Free> digest{EVP_MD_CTX_new()};
};

Sha256::Sha256() : context_(std::make_unique<Context>()) {
  RequireSuccess(EVP_DigestInit_ex(context_->digest.get(), EVP_sha256(), nullptr));
}

Sha256::~Sha256() = default;

void Sha256::Add(std::string_view piece) {
  RequireSuccess(EVP_DigestUpdate(context_->digest.get(), piece.data(), piece.size()));
}

std::string Sha256::Finish() {
  std::array<unsigned char, 32> hash{};
  RequireSuccess(EVP_DigestFinal_ex(context_->digest.get(), hash.data(), nullptr));
  std::string text;
  for (const unsigned char byte : hash) text += fmt::format("{:02x}", byte);
  return text;
}

std::string Sha256OfFile(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  Sha256 hash;
  std::string piece(kPieceBytes, '\0');
  while (stream.read(piece.data(), static_cast<std::streamsize>(piece.size())),
         stream.gcount() > 0) {
    hash.Add({piece.data(), static_cast<std::size_t>(stream.gcount())});
  }
  // At the end of a file that was read both bits are set; of one that was not opened, or of a
  // folder, the end was not reached.
  if (!stream.eof()) {
    throw ConfigError(file.string(), "", "cannot be read, so it has no hash",
                      {"it decides the records: check that it is there and may be read"});
  }
  return hash.Finish();
}

}  // namespace idbench
