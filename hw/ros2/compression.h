#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace idbench {

/// Compressed bytes that cannot be decompressed; what() is the reason, who has read them adds
/// where.
class CompressionError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Returns true if the bytes begin as a zstd frame does (RFC 8878).
bool IsZstd(std::span<const std::byte> bytes);

/// Decompresses zstd frames, which need not say their size. `bytes` is replaced, and grows with
/// what comes out, whatever a frame claims.
/// @throws CompressionError for damaged or cut frames, and for more than `most` bytes.
void DecompressZstd(std::span<const std::byte> frames, std::size_t most,
                    std::vector<std::byte>& bytes);

/// The same for frames of the LZ4 frame format.
void DecompressLz4(std::span<const std::byte> frames, std::size_t most,
                   std::vector<std::byte>& bytes);

/// Decompresses a file of zstd frames into another one, in pieces. A file that ends early is
/// decompressed as far as it goes.
/// @throws CompressionError for damaged frames, if nothing comes out, and if `to` cannot be
/// written.
void DecompressZstdFile(std::span<const std::byte> frames, const std::filesystem::path& to);

/// CRC-32 of IEEE 802.3, as zlib and MCAP use it.
std::uint32_t Crc32(std::span<const std::byte> bytes);

}  // namespace idbench
