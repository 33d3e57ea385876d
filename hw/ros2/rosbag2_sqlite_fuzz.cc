#include <cstddef>
#include <cstdint>

#include "hw/ros2/memory_file_fuzz.h"
#include "hw/ros2/rosbag2_sqlite.h"
#include "scenarios/options/config_error.h"

/// Accepts ConfigError and nothing else.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::filesystem::path file = idbench::WriteFuzzFile("fuzz.db3", data, size);
  unsigned sum = 0;  // each byte is looked at
  const idbench::BagVisitor visitor{
      [](const idbench::BagTopic& topic) { return topic.name != "/note"; },
      [&](const idbench::BagTopic&, std::int64_t, std::span<const std::byte> message) {
        for (const std::byte byte : message) sum += std::to_integer<unsigned>(byte);
      }};
  try {
    idbench::ReadRosbag2Sqlite(file, "fuzz.db3", visitor);
  } catch (const idbench::ConfigError&) {
    return 0;
  }
  volatile unsigned used = sum;
  static_cast<void>(used);
  return 0;
}
