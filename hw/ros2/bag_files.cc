#include "hw/ros2/bag_files.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "hw/ros2/compression.h"
#include "hw/ros2/mapped_file.h"
#include "hw/ros2/mcap.h"
#include "hw/ros2/rosbag2_sqlite.h"
#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kAccepted =
    "a folder of a ROS 2 bag, a file of it in SQLite (*.db3) or MCAP, or such a file compressed "
    "with zstd are accepted";

std::string Lower(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

/// A file that metadata.yaml lists. Bags of early releases name their folder too, and one that was
/// decompressed has lost an ending.
fs::path ListedFile(const fs::path& folder, const fs::path& metadata, const std::string& name) {
  for (const fs::path& path : {folder / name, folder / fs::path(name).filename(),
                               (folder / fs::path(name).filename()).replace_extension()}) {
    std::error_code none;
    if (!path.filename().empty() && fs::is_regular_file(path, none)) return path;
  }
  throw ConfigError(metadata.string(), "relative_file_paths",
                    fmt::format("there is no file '{}' in the folder", name),
                    {"copy it there, or give the file of the bag instead of its folder"});
}

std::string TextAt(const YAML::Node& node, const char* key) {
  return node[key] ? node[key].as<std::string>("") : "";
}

std::vector<fs::path> ListedFiles(const fs::path& folder, const fs::path& metadata) {
  const YAML::Node root = YAML::LoadFile(metadata.string());
  const YAML::Node bag = root["rosbag2_bagfile_information"];
  if (!bag || !bag["relative_file_paths"] || !bag["relative_file_paths"].IsSequence()) {
    throw ConfigError(metadata.string(), "",
                      "lists no files at rosbag2_bagfile_information: relative_file_paths",
                      {"give the file of the bag instead of its folder"});
  }
  const std::string format = Lower(TextAt(bag, "compression_format"));
  if (!format.empty() && format != "zstd" && Lower(TextAt(bag, "compression_mode")) != "none") {
    throw ConfigError(metadata.string(), "compression_format",
                      fmt::format("got '{}', zstd is accepted", format),
                      {"ros2 bag convert writes the bag anew, without compression"});
  }
  std::vector<fs::path> files;
  for (const YAML::Node& name : bag["relative_file_paths"]) {
    files.push_back(ListedFile(folder, metadata, name.as<std::string>()));
  }
  return files;
}

/// The files of a bag whose metadata.yaml was not written.
std::vector<fs::path> FoundFiles(const fs::path& folder) {
  const auto is_part = [](const fs::path& path) {
    return path.extension() == ".db3" || path.extension() == ".mcap";
  };
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const fs::path& path = entry.path();
    const bool compressed = path.extension() == ".zstd" || path.extension() == ".zst";
    // Beside a file that was decompressed the compressed one may still lie.
    if (is_part(path) ||
        (compressed && is_part(path.stem()) && !fs::exists(fs::path(path).replace_extension()))) {
      files.push_back(path);
    }
  }
  std::ranges::sort(files);
  return files;
}

std::string_view TextOf(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

[[noreturn]] void RefuseFormat(const std::string& source, std::span<const std::byte> bytes) {
  if (TextOf(bytes).starts_with("#ROSBAG V")) {
    throw ConfigError(source, "", "is a bag of ROS 1",
                      {fmt::format("convert it: pipx run --spec rosbags==0.11.9 rosbags-convert "
                                   "--src '{}' --dst FOLDER",
                                   source)});
  }
  throw ConfigError(source, "", bytes.empty() ? "is empty" : "is no bag of ROS 2",
                    {std::string(kAccepted)});
}

/// Reads a file that is not compressed. @param source  its name in messages.
void ReadPlain(const fs::path& file, std::span<const std::byte> bytes, const std::string& source,
               const BagVisitor& visitor) {
  if (IsMcap(bytes)) return ReadMcap(bytes, source, visitor);
  constexpr std::string_view kSqlite("SQLite format 3\0", 16);
  if (TextOf(bytes).starts_with(kSqlite)) return ReadRosbag2Sqlite(file, source, visitor);
  RefuseFormat(source, bytes);
}

}  // namespace

std::vector<fs::path> FilesOfBag(const fs::path& bag) {
  std::error_code none;
  if (!fs::exists(bag, none)) {
    throw ConfigError(bag.string(), "", "no such file or folder: check the path",
                      {std::string(kAccepted)});
  }
  if (!fs::is_directory(bag, none)) return {bag};
  const fs::path metadata = bag / "metadata.yaml";
  std::vector<fs::path> files;
  try {
    files = fs::exists(metadata) ? ListedFiles(bag, metadata) : FoundFiles(bag);
  } catch (const YAML::Exception& error) {
    throw ConfigError(metadata.string(), "", fmt::format("is no YAML of a bag: {}", error.what()),
                      {"give the file of the bag instead of its folder"});
  } catch (const fs::filesystem_error& error) {
    throw ConfigError(bag.string(), "", fmt::format("cannot be read: {}", error.code().message()));
  }
  if (files.empty()) {
    throw ConfigError(bag.string(), "", "the folder holds no files of a bag",
                      {std::string(kAccepted)});
  }
  return files;
}

void ReadBagFile(const fs::path& file, const BagVisitor& visitor) {
  const std::string source = file.string();
  const MappedFile mapped(file);
  if (!IsZstd(mapped.bytes())) return ReadPlain(file, mapped.bytes(), source, visitor);
  try {
    const TemporaryFile plain;
    DecompressZstdFile(mapped.bytes(), plain.path());
    ReadPlain(plain.path(), MappedFile(plain.path()).bytes(), source, visitor);
  } catch (const CompressionError& error) {
    throw ConfigError(source, "", fmt::format("cannot be decompressed: {}", error.what()));
  } catch (const fs::filesystem_error& error) {
    throw ConfigError(source, "", fmt::format("cannot be decompressed: {}", error.what()),
                      {"TMPDIR names the folder for temporary files"});
  }
}

}  // namespace idbench
