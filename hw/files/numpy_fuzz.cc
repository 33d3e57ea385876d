#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "hw/files/numpy_log.h"
#include "hw/ros2/memory_file_fuzz.h"
#include "scenarios/options/config_error.h"

/// A file, .npy or .npz. Accepts ConfigError and nothing else; all that can be read can be wanted.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::filesystem::path file = idbench::WriteFuzzFile("log", data, size);
  try {
    const idbench::Log log = idbench::ReadLog(file, idbench::NumpyFormat{}, {});
    for (const idbench::LogTable& table : log.tables) {
      const bool fits = table.values.cols() == static_cast<Eigen::Index>(table.columns.size()) &&
                        table.values.rows() == static_cast<Eigen::Index>(table.places.size());
      if (!fits || table.values.size() == 0) std::abort();
    }
    const std::vector<std::string> all = log.columns();
    if (!all.empty()) idbench::ReadLog(file, idbench::NumpyFormat{}, {all.front(), all.back()});
  } catch (const idbench::ConfigError&) {
  }
  return 0;
}
