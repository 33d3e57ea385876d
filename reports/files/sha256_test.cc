#include "reports/files/sha256.h"

#include <doctest/doctest.h>

#include <string>

#include "robots/temporary_folder_test.h"
#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

std::string HashOf(std::string_view text) {
  Sha256 hash;
  hash.Add(text);
  return hash.Finish();
}

// Published with FIPS 180-4 as examples of the algorithm (NIST, "SHA-256 examples" and the vectors
// of FIPS 180-2, appendix B).
constexpr const char* kHashOfNothing =
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
constexpr const char* kHashOfAbc =
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
constexpr const char* kHashOfMillionA =
    "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";

TEST_CASE("SHA-256 gives the published hashes") {
  CHECK(HashOf("") == kHashOfNothing);
  CHECK(HashOf("abc") == kHashOfAbc);
  CHECK(HashOf("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(HashOf(std::string(1'000'000, 'a')) == kHashOfMillionA);
}

TEST_CASE("A text has one hash, whatever the pieces that it comes in") {
  Sha256 hash;
  for (int k = 0; k < 1000; ++k) {
    hash.Add(std::string(999, 'a'));
    hash.Add("");
    hash.Add("a");
  }
  CHECK(hash.Finish() == kHashOfMillionA);
}

TEST_CASE("The hash of a file is that of its bytes, also beyond one piece") {
  const TemporaryFolder folder;
  CHECK(Sha256OfFile(folder.Write("empty", "")) == kHashOfNothing);
  CHECK(Sha256OfFile(folder.Write("abc", "abc")) == kHashOfAbc);
  CHECK(Sha256OfFile(folder.Write("long", std::string(1'000'000, 'a'))) == kHashOfMillionA);
  const std::string with_zero("a\0b\r\n", 5);
  CHECK(Sha256OfFile(folder.Write("binary", with_zero)) == HashOf(with_zero));
}

TEST_CASE("A file that cannot be read, and a folder, have no hash") {
  const TemporaryFolder folder;
  const std::string cure =
      ": cannot be read, so it has no hash\n"
      "  it decides the records: check that it is there and may be read";
  CHECK_THROWS_WITH_AS(Sha256OfFile(folder / "missing"),
                       ((folder / "missing").string() + cure).c_str(), ConfigError);
  CHECK_THROWS_WITH_AS(Sha256OfFile(folder.path()), (folder.path().string() + cure).c_str(),
                       ConfigError);
}

}  // namespace
}  // namespace idbench
