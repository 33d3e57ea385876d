#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "hw/ros2/bag_visitor.h"

namespace idbench {

/// Returns true if the bytes begin as an MCAP file does.
bool IsMcap(std::span<const std::byte> bytes);

/// Reads an MCAP file (mcap.dev/spec, version 0) with chunks that are not compressed, or with zstd
/// or LZ4, or without chunks, in the order in which its messages are stored. Summary and indexes
/// are not needed. The time of reception is the messages' log_time.
///
/// A file that was not finished, with neither a DataEnd nor the magic bytes at its end, is read up
/// to the last whole record.
///
/// @param bytes   of the file; those of other topics are not looked at, except inside chunks.
/// @param source  its name in messages.
/// @throws ConfigError (source) for damage: a record that reaches beyond the file or its chunk, a
///         chunk that cannot be decompressed or whose CRC is another, a message of a channel
///         that is not declared; and for another compression.
void ReadMcap(std::span<const std::byte> bytes, const std::string& source,
              const BagVisitor& visitor);

}  // namespace idbench
