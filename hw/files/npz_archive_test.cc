#include "hw/files/npz_archive.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "hw/files/npy_writer_test.h"
#include "hw/files/zip_directory_test.h"
#include "robots/temporary_folder_test.h"

namespace idbench {
namespace {

std::string ZipText(const std::string& name) {
  return ReadText(std::string(IDBENCH_FILES_TESTDATA "/") + name);
}

/// What is refused of an archive of these bytes, when all its members are read.
std::string ArchiveRefusal(const std::string& bytes) {
  const TemporaryFolder folder;
  const std::string file = folder.Write("log.npz", bytes);
  return WithoutFolder(RefusalOf([&] {
                         const NpzArchive archive(file);
                         for (const auto& member : archive.members()) {
                           archive.Read(member, member.size);
                         }
                       }),
                       file);
}

TEST_CASE("The arrays of an archive are read as they are, stored or deflated") {
  for (const char* name : {"log.npz", "log_deflated.npz"}) {
    const NpzArchive archive(std::string(IDBENCH_FILES_TESTDATA "/") + name);
    std::string names;
    for (const NpzArchive::Member& member : archive.members()) names += member.name + " ";
    CHECK(names == "t q tau rate_hz names grip ");
    const NpzArchive::Member& time = archive.members()[0];
    CHECK(time.size == 168);
    const std::vector<std::byte> whole = archive.Read(time, time.size);
    REQUIRE(whole.size() == 168);
    const std::vector<std::byte> first = archive.Read(time, 12);
    CHECK(std::equal(first.begin(), first.end(), whole.begin(), whole.begin() + 12));
    CHECK(ParseNpyHeader(whole).shape == std::vector<std::size_t>{5});
  }
}

TEST_CASE("An archive that ends early has lost its directory, and says how it is rescued") {
  const std::string whole = ZipText("log.npz");
  CHECK(ArchiveRefusal(whole) == "no error");
  for (const std::size_t size : {std::size_t{2}, whole.size() / 2, whole.size() - 30}) {
    const std::string refusal = ArchiveRefusal(whole.substr(0, size));
    CHECK(refusal.starts_with("is no whole archive of zip: "));
    CHECK(refusal.ends_with(
        "\n  its directory stands at its end: was it cut off? copy it again, or rescue what is "
        "there with\n    zip -FF 'log.npz' --out rescued.npz"));
  }
}

TEST_CASE("A damaged array is found by its checksum or its compressed data") {
  std::string stored = ZipText("log.npz");
  stored[stored.find("NUMPY") + 130] ^= 1;  // in the numbers of t
  const std::string refusal = ArchiveRefusal(stored);
  CHECK(refusal.starts_with("array 't' is damaged: "));
  CHECK(refusal.ends_with("\n  copy the file again"));
  std::string deflated = ZipText("log_deflated.npz");
  deflated[EntryOf(deflated, 0) + kCrcOfEntry] ^= 1;
  CHECK(ArchiveRefusal(deflated).starts_with("array 't' is damaged: CRC error"));
}

TEST_CASE("Encrypted arrays, and compressions that NumPy does not use, are refused") {
  std::string encrypted = ZipText("log.npz");
  SetNumber(encrypted, EntryOf(encrypted, 1) + kFlagsOfEntry, 2, 1);
  CHECK(ArchiveRefusal(encrypted) ==
        "array 'q' is encrypted\n  save it with np.savez, or decrypt the archive");
  std::string lzma = ZipText("log.npz");
  SetNumber(lzma, EntryOf(lzma, 1) + kMethodOfEntry, 2, 14);
  CHECK(ArchiveRefusal(lzma) ==
        "array 'q' is compressed by zip's method 14\n  np.savez (method 0) and "
        "np.savez_compressed (method 8, deflate) are accepted");
}

TEST_CASE("An array that stands in an archive twice is refused, and a name that is not UTF-8") {
  std::string twice = ZipText("log.npz");
  twice[EntryOf(twice, 1) + kNameOfEntry] = 't';
  CHECK(ArchiveRefusal(twice) ==
        "array 't' is in the archive twice\n  save it once, with np.savez");
  std::string bytes = ZipText("log.npz");
  bytes[EntryOf(bytes, 1) + kNameOfEntry] = '\xFF';
  CHECK(ArchiveRefusal(bytes) ==
        "array '\xEF\xBF\xBD' has a name that is not UTF-8\n  save it with np.savez under another");
}

TEST_CASE("Claims of sizes that cannot be are refused before anything is read") {
  const std::string cure = "\n  the file is damaged: copy it again";
  std::string stored = ZipText("log.npz");
  SetNumber(stored, EntryOf(stored, 0) + kSizeOfEntry, 4, 0x7FFFFFFF);
  CHECK(ArchiveRefusal(stored) ==
        "array 't' claims 2147483647 bytes, more than 168 stored ones can hold" + cure);
  std::string bomb = ZipText("log_deflated.npz");
  SetNumber(bomb, EntryOf(bomb, 0) + kSizeOfEntry, 4, 0x7FFFFFFF);
  const std::string refusal = ArchiveRefusal(bomb);
  CHECK(refusal.starts_with("array 't' claims 2147483647 bytes, more than "));
  CHECK(refusal.ends_with(" deflated ones can hold" + cure));
  // A size that can be, but is not.
  std::string longer = ZipText("log_deflated.npz");
  SetNumber(longer, EntryOf(longer, 0) + kSizeOfEntry, 4, 5000);
  CHECK(ArchiveRefusal(longer).starts_with("array 't' is damaged: "));
}

TEST_CASE("Arrays that share their bytes, as in a bomb, are refused") {
  std::string bomb = ZipText("log.npz");
  for (const int entry : {0, 1, 2}) {
    SetNumber(bomb, EntryOf(bomb, entry) + kCompressedSizeOfEntry, 4, 900);
    SetNumber(bomb, EntryOf(bomb, entry) + kOffsetOfEntry, 4, 0);
  }
  CHECK(ArchiveRefusal(bomb) ==
        "array 'q' claims more bytes than the archive has\n  the file is damaged: copy it again");
}

TEST_CASE("An archive without arrays says what it holds") {
  std::string other = ZipText("log.npz");
  for (int entry = 0; entry < 6; ++entry) {
    const std::size_t ending = other.find(".npy", EntryOf(other, entry));
    other.replace(ending, 4, ".csv");
  }
  CHECK(ArchiveRefusal(other) ==
        "is an archive of zip without arrays of NumPy\n  it holds: t.csv, q.csv, tau.csv, "
        "rate_hz.csv, names.csv, grip.csv\n  np.savez(\"log.npz\", t=t, q=q) writes arrays, which "
        "are its members t.npy and q.npy; of other archives, unpack the logs");
  CHECK(ArchiveRefusal(std::string("PK\x05\x06", 4) + std::string(18, '\0'))
            .find("it holds: nothing") != std::string::npos);
}

}  // namespace
}  // namespace idbench
