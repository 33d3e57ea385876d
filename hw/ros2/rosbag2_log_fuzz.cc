#include <cstddef>
#include <cstdint>

#include "hw/ros2/memory_file_fuzz.h"
#include "hw/ros2/rosbag2_log.h"
#include "scenarios/options/config_error.h"

/// The first byte chooses between a file of a bag, in any format, and the metadata.yaml of a
/// folder. Accepts ConfigError and nothing else.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const bool is_metadata = data[0] == 'y';
  idbench::WriteFuzzFile(is_metadata ? "metadata.yaml" : "bag", data + 1, size - 1);
  const std::filesystem::path bag =
      is_metadata ? idbench::FuzzFolder() : idbench::FuzzFolder() / "bag";
  try {
    idbench::ReadLog(bag, {idbench::MessageTime::kReceived}, {});
  } catch (const idbench::ConfigError&) {
    return 0;
  }
  return 0;
}
