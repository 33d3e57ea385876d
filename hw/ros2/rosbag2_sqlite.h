#pragma once

#include <filesystem>
#include <string>

#include "hw/ros2/bag_visitor.h"

namespace idbench {

/// Reads a file of a bag in rosbag2's SQLite format (*.db3; schemas 1 to 4), in the order in which
/// its messages were stored. Messages of topics that are not wanted are not loaded.
///
/// Messages that are still in a journal `FILE-wal` beside the file are read too: the folder must
/// be writable then, because SQLite keeps an index of the journal there. Without one nothing is
/// written.
///
/// @param file    what is read.
/// @param source  its name in messages.
/// @throws ConfigError (source) if it is not such a file, is damaged, or has an unfinished journal
///         that cannot be read.
void ReadRosbag2Sqlite(const std::filesystem::path& file, const std::string& source,
                       const BagVisitor& visitor);

}  // namespace idbench
