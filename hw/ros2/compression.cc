#include "hw/ros2/compression.h"

#include <fmt/format.h>
#include <lz4frame.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <new>

namespace idbench {
namespace {

constexpr std::size_t kLeastBuffer = std::size_t{1} << 16;

/// Decoder of zstd frames, fed piece by piece.
class ZstdStream {
 public:
  explicit ZstdStream(std::span<const std::byte> frames)
      : context_(ZSTD_createDCtx()), input_{frames.data(), frames.size(), 0} {
    if (!context_) throw std::bad_alloc();
  }

  /// Fills `to` as far as it can; fewer bytes than it holds are the last ones.
  std::size_t Read(std::span<std::byte> to) {
    ZSTD_outBuffer output{to.data(), to.size(), 0};
    while (output.pos < output.size && !whole()) {
      const std::size_t before = output.pos + input_.pos;
      const std::size_t code = ZSTD_decompressStream(context_.get(), &output, &input_);
      if (ZSTD_isError(code) != 0U) throw CompressionError(ZSTD_getErrorName(code));
      at_end_of_frame_ = code == 0;
      if (output.pos + input_.pos == before) break;
    }
    return output.pos;
  }
  /// True after the last byte of the last frame.
  bool whole() const { return at_end_of_frame_ && input_.pos == input_.size; }

 private:
  struct Free {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };
  std::unique_ptr<ZSTD_DCtx, Free> context_;
  ZSTD_inBuffer input_;
  bool at_end_of_frame_ = false;
};

/// The same of LZ4 frames.
class Lz4Stream {
 public:
  explicit Lz4Stream(std::span<const std::byte> frames) : frames_(frames) {
    if (LZ4F_isError(LZ4F_createDecompressionContext(&context_, LZ4F_VERSION)) != 0U) {
      throw std::bad_alloc();
    }
  }
  ~Lz4Stream() { LZ4F_freeDecompressionContext(context_); }
  Lz4Stream(const Lz4Stream&) = delete;
  Lz4Stream& operator=(const Lz4Stream&) = delete;

  std::size_t Read(std::span<std::byte> to) {
    std::size_t filled = 0;
    while (filled < to.size() && !whole()) {
      std::size_t written = to.size() - filled;
      std::size_t read = frames_.size();
      const std::size_t code =
          LZ4F_decompress(context_, to.data() + filled, &written, frames_.data(), &read, nullptr);
      if (LZ4F_isError(code) != 0U) throw CompressionError(LZ4F_getErrorName(code));
      frames_ = frames_.subspan(read);
      filled += written;
      at_end_of_frame_ = code == 0;
      if (read == 0 && written == 0) break;
    }
    return filled;
  }
  bool whole() const { return at_end_of_frame_ && frames_.empty(); }

 private:
  LZ4F_dctx* context_ = nullptr;
  std::span<const std::byte> frames_;
  bool at_end_of_frame_ = false;
};

/// Reads to the end into a buffer that at most doubles beyond what has come out.
template <class Stream>
void ReadAll(Stream stream, std::size_t compressed, std::size_t most,
             std::vector<std::byte>& bytes) {
  std::size_t filled = 0;
  bytes.resize(std::min(most, std::max(kLeastBuffer, 4 * compressed)));
  while (true) {
    filled += stream.Read(std::span(bytes).subspan(filled));
    if (filled < bytes.size()) break;
    if (bytes.size() == most) {
      std::byte beyond;
      if (stream.Read({&beyond, 1}) == 0) break;
      throw CompressionError(fmt::format("more than {} bytes come out of it", most));
    }
    bytes.resize(bytes.size() > most / 2 ? most : 2 * bytes.size());
  }
  bytes.resize(filled);
  if (!stream.whole()) throw CompressionError("it ends early");
}

}  // namespace

bool IsZstd(std::span<const std::byte> bytes) {
  constexpr std::byte kMagic[] = {std::byte{0x28}, std::byte{0xB5}, std::byte{0x2F},
                                  std::byte{0xFD}};
  return bytes.size() >= std::size(kMagic) && std::ranges::equal(bytes.first(4), kMagic);
}

void DecompressZstd(std::span<const std::byte> frames, std::size_t most,
                    std::vector<std::byte>& bytes) {
  ReadAll(ZstdStream(frames), frames.size(), most, bytes);
}

void DecompressLz4(std::span<const std::byte> frames, std::size_t most,
                   std::vector<std::byte>& bytes) {
  ReadAll<Lz4Stream>(Lz4Stream(frames), frames.size(), most, bytes);
}

void DecompressZstdFile(std::span<const std::byte> frames, const std::filesystem::path& to) {
  std::ofstream file(to, std::ios::binary);
  ZstdStream stream(frames);
  std::vector<std::byte> piece(std::size_t{1} << 20);
  std::size_t size = stream.Read(piece);
  if (size == 0) throw CompressionError("nothing comes out of it");
  file.write(reinterpret_cast<const char*>(piece.data()), static_cast<std::streamsize>(size));
  while (size == piece.size() && file) {
    size = stream.Read(piece);
    file.write(reinterpret_cast<const char*>(piece.data()), static_cast<std::streamsize>(size));
  }
  if (!file.flush()) {
    throw CompressionError(fmt::format(
        "'{}' cannot be written: is there space? TMPDIR names another folder", to.string()));
  }
}

std::uint32_t Crc32(std::span<const std::byte> bytes) {
  return static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace idbench
