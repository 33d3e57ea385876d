#include "hw/ros2/compression.h"

#include <doctest/doctest.h>
#include <lz4frame.h>
#include <zstd.h>

#include <algorithm>
#include <fstream>

#include "hw/ros2/mapped_file.h"
#include "robots/temporary_folder_test.h"

namespace idbench {
namespace {

using Bytes = std::vector<std::byte>;

/// Compresses well at its begin and badly at its end.
Bytes Sample(std::size_t size) {
  Bytes bytes(size);
  std::uint32_t state = 1;
  for (std::size_t i = size / 2; i < size; ++i) {
    state = 1664525 * state + 1013904223;
    bytes[i] = static_cast<std::byte>(state >> 24);
  }
  return bytes;
}

Bytes Zstd(const Bytes& bytes) {
  Bytes frame(ZSTD_compressBound(bytes.size()));
  frame.resize(ZSTD_compress(frame.data(), frame.size(), bytes.data(), bytes.size(), 1));
  return frame;
}

Bytes Lz4(const Bytes& bytes) {
  Bytes frame(LZ4F_compressFrameBound(bytes.size(), nullptr));
  frame.resize(LZ4F_compressFrame(frame.data(), frame.size(), bytes.data(), bytes.size(), nullptr));
  return frame;
}

struct Compression {
  const char* name;
  Bytes (*compress)(const Bytes&);
  void (*decompress)(std::span<const std::byte>, std::size_t, Bytes&);
};
const Compression kBoth[] = {{"zstd", Zstd, DecompressZstd}, {"lz4", Lz4, DecompressLz4}};

TEST_CASE("What was compressed comes out again, one frame or several, to the last allowed byte") {
  for (const Compression& each : kBoth) {
    CAPTURE(each.name);
    for (const std::size_t size : {0, 1, 65535, 65536, 65537, 1'000'000}) {
      CAPTURE(size);
      const Bytes bytes = Sample(size);
      const Bytes frame = each.compress(bytes);
      Bytes out = {std::byte{1}};
      each.decompress(frame, size, out);
      CHECK(out == bytes);
      each.decompress(frame, 10 * size + 1, out);
      CHECK(out == bytes);
      Bytes twice = frame;
      twice.insert(twice.end(), frame.begin(), frame.end());
      each.decompress(twice, 2 * size, out);
      CHECK(out.size() == 2 * size);
      CHECK(std::equal(bytes.begin(), bytes.end(), out.begin() + static_cast<long>(size)));
    }
  }
}

TEST_CASE("More bytes than allowed, and frames that are cut or damaged, are refused") {
  for (const Compression& each : kBoth) {
    CAPTURE(each.name);
    Bytes frame = each.compress(Sample(1000));
    Bytes out;
    CHECK_THROWS_WITH_AS(each.decompress(frame, 999, out), "more than 999 bytes come out of it",
                         CompressionError);
    CHECK_THROWS_WITH_AS(each.decompress({}, 999, out), "it ends early", CompressionError);
    const Bytes cut(frame.begin(), frame.end() - 1);
    CHECK_THROWS_WITH_AS(each.decompress(cut, 1000, out), "it ends early", CompressionError);
    frame[0] ^= std::byte{1};
    CHECK_THROWS_AS(each.decompress(frame, 1000, out), CompressionError);
  }
}

TEST_CASE("A frame that claims a huge size does not get the memory before it fills it") {
  // A zstd frame of one raw byte whose header claims 2^60 bytes.
  const Bytes frame = {std::byte{0x28}, std::byte{0xB5}, std::byte{0x2F}, std::byte{0xFD},
                       std::byte{0xC0}, std::byte{0x38}, std::byte{0x00}, std::byte{0x00},
                       std::byte{0x00}, std::byte{0x00}, std::byte{0x00}, std::byte{0x00},
                       std::byte{0x00}, std::byte{0x10}, std::byte{0x09}, std::byte{0x00},
                       std::byte{0x00}, std::byte{0x41}};
  Bytes out;
  CHECK_THROWS_AS(DecompressZstd(frame, std::size_t{1} << 62, out), CompressionError);
  CHECK(out.capacity() < 1'000'000);
}

TEST_CASE("zstd is known by its first bytes") {
  CHECK(IsZstd(Zstd(Sample(10))));
  CHECK_FALSE(IsZstd(Lz4(Sample(10))));
  CHECK_FALSE(IsZstd({}));
}

TEST_CASE("A file is decompressed in pieces, and as far as it goes") {
  const TemporaryFolder folder;
  const Bytes bytes = Sample(3'000'000);
  const Bytes frame = Zstd(bytes);
  DecompressZstdFile(frame, folder / "whole");
  CHECK(std::ranges::equal(MappedFile(folder / "whole").bytes(), bytes));
  DecompressZstdFile(std::span(frame).first(frame.size() - 100'000), folder / "cut");
  const MappedFile cut(folder / "cut");
  CHECK(cut.bytes().size() > 1'500'000);
  CHECK(cut.bytes().size() < bytes.size());
  CHECK(std::equal(cut.bytes().begin(), cut.bytes().end(), bytes.begin()));
}

TEST_CASE("A file that cannot be written is refused with a cure") {
  const TemporaryFolder folder;
  const std::string file = folder / "none" / "out";
  CHECK_THROWS_WITH_AS(
      DecompressZstdFile(Zstd(Sample(10)), file),
      ("'" + file + "' cannot be written: is there space? TMPDIR names another folder").c_str(),
      CompressionError);
}

// The check value of the catalogue of CRCs for CRC-32/ISO-HDLC.
TEST_CASE("The CRC-32 of 123456789 is cbf43926") {
  const std::string digits = "123456789";
  CHECK(Crc32(std::as_bytes(std::span(digits))) == 0xCBF43926);
  CHECK(Crc32({}) == 0);
}

}  // namespace
}  // namespace idbench
