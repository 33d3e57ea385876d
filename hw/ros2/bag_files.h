#pragma once

#include <filesystem>
#include <vector>

#include "hw/ros2/bag_visitor.h"

namespace idbench {

/// Returns the files of a bag: of a folder those that its metadata.yaml lists or, if the recorder
/// was stopped before it wrote that, all *.db3 and *.mcap there, by name; of a file the file
/// itself.
/// @throws ConfigError (source: the folder, or its metadata.yaml) if there are none, one that is
///         listed is missing, or the bag is compressed otherwise than with zstd.
std::vector<std::filesystem::path> FilesOfBag(const std::filesystem::path& bag);

/// Reads a file of a bag, whatever its format is: SQLite or MCAP, and either compressed with zstd.
/// A compressed file is decompressed into the folder for temporary files, and removed there.
/// @throws ConfigError (source: the file) if it is none of these or is damaged.
void ReadBagFile(const std::filesystem::path& file, const BagVisitor& visitor);

}  // namespace idbench
