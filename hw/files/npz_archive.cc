#include "hw/files/npz_archive.h"

#include <fmt/format.h>
#include <zip.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "hw/files/npy_header.h"
#include "scenarios/options/config_error.h"
#include "scenarios/options/utf8.h"

namespace idbench {
namespace {

/// Deflate makes at most 258 bytes of 2 bits; zlib's manual says 1032 : 1.
constexpr std::uint64_t kMostPerDeflatedByte = 1032;
constexpr std::size_t kReadAtOnce = std::size_t{1} << 20;

/// What libzip says about a number of its errors.
std::string ZipMessage(int code) {
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  std::string message = zip_error_strerror(&error);
  zip_error_fini(&error);
  return message;
}

struct ZippedFileCloser {
  void operator()(zip_file_t* file) const { zip_fclose(file); }
};

[[noreturn]] void RefuseMember(const std::string& name, std::string_view why,
                               std::string_view cure) {
  throw NpyError(fmt::format("array '{}' {}", ReplaceIllFormed(name), why), {std::string(cure)});
}

constexpr std::string_view kDamagedCure = "the file is damaged: copy it again";

void CheckMember(const std::string& name, const zip_stat_t& status, std::uintmax_t bytes_left) {
  if (!IsUtf8(name)) {
    RefuseMember(name, "has a name that is not UTF-8", "save it with np.savez under another");
  }
  if (status.encryption_method != ZIP_EM_NONE) {
    RefuseMember(name, "is encrypted", "save it with np.savez, or decrypt the archive");
  }
  const bool deflated = status.comp_method == ZIP_CM_DEFLATE;
  if (!deflated && status.comp_method != ZIP_CM_STORE) {
    RefuseMember(name, fmt::format("is compressed by zip's method {}", status.comp_method),
                 "np.savez (method 0) and np.savez_compressed (method 8, deflate) are accepted");
  }
  if (status.comp_size > bytes_left) {
    RefuseMember(name, "claims more bytes than the archive has", kDamagedCure);
  }
  if (status.size / (deflated ? kMostPerDeflatedByte : 1) > status.comp_size) {
    RefuseMember(name,
                 fmt::format("claims {} bytes, more than {} {} ones can hold", status.size,
                             status.comp_size, deflated ? "deflated" : "stored"),
                 kDamagedCure);
  }
}

}  // namespace

void NpzArchive::Closer::operator()(zip* archive) const { zip_discard(archive); }

NpzArchive::NpzArchive(const std::filesystem::path& file) {
  int code = 0;
  archive_.reset(zip_open(file.c_str(), ZIP_RDONLY, &code));
  if (archive_ == nullptr) {
    throw NpyError(fmt::format("is no whole archive of zip: {}", ZipMessage(code)),
                   {"its directory stands at its end: was it cut off? copy it again, or rescue "
                    "what is there with",
                    fmt::format("  zip -FF '{}' --out rescued.npz", file.string())});
  }
  // Of one archive: members do not share bytes.
  std::uintmax_t bytes_left = std::filesystem::file_size(file);
  std::set<std::string> names;
  std::vector<std::string> others;
  const zip_int64_t count = zip_get_num_entries(archive_.get(), 0);
  for (zip_uint64_t i = 0; i < static_cast<zip_uint64_t>(count); ++i) {
    zip_stat_t status;
    zip_stat_init(&status);
    if (zip_stat_index(archive_.get(), i, ZIP_FL_ENC_RAW, &status) != 0) {
      throw NpyError(fmt::format("has a damaged directory: {}", zip_strerror(archive_.get())),
                     {std::string(kDamagedCure)});
    }
    constexpr std::string_view kEnding = ".npy";
    std::string name = status.name;
    if (!name.ends_with(kEnding)) {
      others.push_back(ReplaceIllFormed(name));
      continue;
    }
    name.resize(name.size() - kEnding.size());
    CheckMember(name, status, bytes_left);
    bytes_left -= status.comp_size;
    if (!names.insert(name).second) {
      RefuseMember(name, "is in the archive twice", "save it once, with np.savez");
    }
    members_.push_back({std::move(name), i, static_cast<std::size_t>(status.size)});
  }
  if (members_.empty()) {
    throw NpyError("is an archive of zip without arrays of NumPy",
                   {fmt::format("it holds: {}", others.empty() ? "nothing" : ListSome(others)),
                    "np.savez(\"log.npz\", t=t, q=q) writes arrays, which are its members t.npy "
                    "and q.npy; of other archives, unpack the logs"});
  }
}

std::vector<std::byte> NpzArchive::Read(const Member& member, std::size_t limit) const {
  const auto refuse = [&member](std::string_view why) {
    RefuseMember(member.name, fmt::format("is damaged: {}", why), "copy the file again");
  };
  const std::unique_ptr<zip_file_t, ZippedFileCloser> file(
      zip_fopen_index(archive_.get(), member.index, 0));
  if (file == nullptr) refuse(zip_strerror(archive_.get()));
  std::vector<std::byte> bytes;
  const bool whole = limit >= member.size;
  // One byte more than the archive claims, so that the end is reached, where the checksum stands.
  const std::size_t most = whole ? member.size + 1 : limit;
  while (bytes.size() < most) {
    const std::size_t begin = bytes.size();
    bytes.resize(begin + std::min(kReadAtOnce, most - begin));
    const zip_int64_t got = zip_fread(file.get(), bytes.data() + begin, bytes.size() - begin);
    if (got < 0) refuse(zip_file_strerror(file.get()));
    bytes.resize(begin + static_cast<std::size_t>(std::max<zip_int64_t>(got, 0)));
    if (got <= 0) break;
  }
  if (whole && bytes.size() != member.size) {
    refuse(fmt::format("its size is not {} bytes", member.size));
  }
  return bytes;
}

}  // namespace idbench
