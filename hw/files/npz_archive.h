#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

struct zip;

namespace idbench {

/// Arrays in an archive of np.savez or np.savez_compressed (.npz), which is one of zip.
class NpzArchive {
 public:
  struct Member {
    std::string name;  ///< Of the array, without ".npy".
    std::uint64_t index = 0;
    std::size_t size = 0;  ///< [bytes], decompressed, as the archive claims.
  };

  /// Lists the arrays, in the order of the archive; other members are passed over.
  /// @throws NpyError if it is no archive of zip, is cut off, has no arrays, or has arrays of which
  ///         two have one name, that are encrypted or compressed otherwise than NumPy does, whose
  ///         name is not UTF-8, or that claim a size that cannot be.
  explicit NpzArchive(const std::filesystem::path& file);

  const std::vector<Member>& members() const { return members_; }

  /// Returns the first bytes of a member, at most `limit`; with all of them its checksum is
  /// compared. Memory grows with what is there, not with what the archive claims.
  /// @throws NpyError if the member is damaged.
  std::vector<std::byte> Read(const Member& member, std::size_t limit) const;

 private:
  struct Closer {
    void operator()(zip* archive) const;
  };

  std::unique_ptr<zip, Closer> archive_;
  std::vector<Member> members_;
};

}  // namespace idbench
