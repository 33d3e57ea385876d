#include "hw/ros2/bag_files.h"

#include <doctest/doctest.h>
#include <zstd.h>

#include <cstdlib>
#include <string>

#include "hw/ros2/mcap_writer_test.h"
#include "robots/temporary_folder_test.h"
#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

namespace fs = std::filesystem;

const fs::path kBags = IDBENCH_ROS2_TESTDATA;

/// The names of the files of a bag, in a row.
std::string NamesOf(const fs::path& bag) {
  std::string names;
  for (const fs::path& file : FilesOfBag(bag)) names += file.filename().string() + " ";
  return names;
}

std::string Metadata(const std::string& files, const std::string& more = "") {
  return "rosbag2_bagfile_information:\n  version: 9\n  relative_file_paths:\n" + files + more;
}

int CountMessages(const fs::path& file) {
  int count = 0;
  ReadBagFile(file, {[](const BagTopic&) { return true; },
                     [&](const BagTopic&, std::int64_t, std::span<const std::byte>) { ++count; }});
  return count;
}

constexpr const char* kAcceptedBags =
    "\n  a folder of a ROS 2 bag, a file of it in SQLite (*.db3) or MCAP, or such a file "
    "compressed "
    "with zstd are accepted";

TEST_CASE("The files of a folder are those that metadata.yaml lists, in its order") {
  const TemporaryFolder folder;
  folder.Write("metadata.yaml", Metadata("    - b.mcap\n    - a.mcap\n"));
  for (const char* name : {"a.mcap", "b.mcap", "c.mcap"}) folder.Write(name, "");
  CHECK(NamesOf(folder.path()) == "b.mcap a.mcap ");
  CHECK(NamesOf(kBags / "file") == "file.db3.zstd ");
  CHECK(NamesOf(kBags / "robots.db3") == "robots.db3 ");
}

TEST_CASE("A listed file may be named with its folder, or have been decompressed") {
  const TemporaryFolder folder;
  folder.Write("metadata.yaml",
               Metadata("    - bag/a.db3\n    - b.db3.zstd\n", "  compression_format: ZSTD\n"));
  folder.Write("a.db3", "");
  folder.Write("b.db3", "");
  CHECK(NamesOf(folder.path()) == "a.db3 b.db3 ");
}

TEST_CASE("Without metadata.yaml the files of a folder are found, none of them twice") {
  const TemporaryFolder folder;
  for (const char* name :
       {"b.db3", "a.mcap", "b.db3.zstd", "c.mcap.zst", "b.db3-wal", "x.zstd", "notes.txt"}) {
    folder.Write(name, "");
  }
  CHECK(NamesOf(folder.path()) == "a.mcap b.db3 c.mcap.zst ");
}

/// The message without the folder.
std::string WhyNoBag(const TemporaryFolder& folder) {
  try {
    FilesOfBag(folder.path());
  } catch (const ConfigError& error) {
    return WithoutFolder(error.what(), folder / "any");
  }
  return "";
}

TEST_CASE("A folder that is no bag, or a bag without its files, is refused") {
  const TemporaryFolder folder;
  CHECK_THROWS_WITH_AS(
      FilesOfBag("none.db3"),
      (std::string("none.db3: no such file or folder: check the path") + kAcceptedBags).c_str(),
      ConfigError);
  CHECK(WhyNoBag(folder) ==
        folder.path().string() + ": the folder holds no files of a bag" + kAcceptedBags);
  const std::string cure = "\n  give the file of the bag instead of its folder";
  folder.Write("metadata.yaml", "a: [");
  CHECK(
      WhyNoBag(folder).starts_with("metadata.yaml: is no YAML of a bag: yaml-cpp: error at line"));
  CHECK(WhyNoBag(folder).ends_with(cure));
  for (const char* text : {"", "- a", "a: 1", "rosbag2_bagfile_information: {}",
                           "rosbag2_bagfile_information: {relative_file_paths: a}"}) {
    CAPTURE(text);
    folder.Write("metadata.yaml", text);
    CHECK(WhyNoBag(folder) ==
          "metadata.yaml: lists no files at rosbag2_bagfile_information: relative_file_paths" +
              cure);
  }
  folder.Write("metadata.yaml", Metadata("    - a.db3\n"));
  CHECK(WhyNoBag(folder) ==
        "metadata.yaml: relative_file_paths: there is no file 'a.db3' in the folder\n"
        "  copy it there, or give the file of the bag instead of its folder");
  folder.Write("metadata.yaml", Metadata("    - a.db3\n",
                                         "  compression_format: lz4\n"
                                         "  compression_mode: MESSAGE\n"));
  CHECK(WhyNoBag(folder) ==
        "metadata.yaml: compression_format: got 'lz4', zstd is accepted\n"
        "  ros2 bag convert writes the bag anew, without compression");
}

TEST_CASE("The content decides what a file is, not its name") {
  const TemporaryFolder folder;
  fs::copy(kBags / "robots_zstd.mcap", folder / "a.db3");
  fs::copy(kBags / "robots.db3", folder / "b.mcap");
  fs::copy(kBags / "file" / "file.db3.zstd", folder / "c");
  CHECK(CountMessages(folder / "a.db3") == 21);
  CHECK(CountMessages(folder / "b.mcap") == 21);
  CHECK(CountMessages(folder / "c") == 21);
}

TEST_CASE("What is no file of a bag is refused") {
  const TemporaryFolder folder;
  const auto why = [&](const std::string& text) {
    const std::string file = folder.Write("a.db3", text);
    try {
      CountMessages(file);
    } catch (const ConfigError& error) {
      return WithoutFolder(error.what(), file);
    }
    return std::string();
  };
  CHECK(why("") == std::string("a.db3: is empty") + kAcceptedBags);
  CHECK(why("time,q1\n") == std::string("a.db3: is no bag of ROS 2") + kAcceptedBags);
  CHECK(why("#ROSBAG V2.0\n") ==
        "a.db3: is a bag of ROS 1\n"
        "  convert it: pipx run --spec rosbags==0.11.9 rosbags-convert --src 'a.db3' --dst FOLDER");
  CHECK(why("\x28\xB5\x2F\xFD????") == "a.db3: cannot be decompressed: nothing comes out of it");
  CHECK(why("\x28\xB5\x2F\xFD" + std::string(20, '?'))
            .starts_with("a.db3: cannot be decompressed: "));
  CHECK_THROWS_WITH_AS(
      CountMessages(folder / "none"),
      ((folder / "none").string() + ": cannot be read: No such file or directory").c_str(),
      ConfigError);
  CHECK_THROWS_WITH_AS(CountMessages(folder.path()),
                       (folder.path().string() + ": cannot be read: it is no regular file").c_str(),
                       ConfigError);
}

TEST_CASE("Messages about a compressed file name it, and not the temporary one") {
  const TemporaryFolder folder;
  const std::string text = "#ROSBAG V2.0";
  std::string frame(ZSTD_compressBound(text.size()), '\0');
  frame.resize(ZSTD_compress(frame.data(), frame.size(), text.data(), text.size(), 1));
  const std::string file = folder.Write("a.db3.zstd", frame);
  CHECK_THROWS_WITH_AS(CountMessages(file),
                       doctest::Contains((file + ": is a bag of ROS 1").c_str()), ConfigError);
}

}  // namespace
}  // namespace idbench
