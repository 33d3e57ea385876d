#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "hw/log/log.h"
#include "scenarios/options/enum_names.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// When a message was: what its sender says, or when the recorder got it.
enum class MessageTime {
  kHeader,    ///< `header.stamp`.
  kReceived,  ///< The time of the recorder.
};
template <>
inline constexpr auto kEnumNames<MessageTime> = std::to_array<EnumName<MessageTime>>(
    {{MessageTime::kHeader, "header"}, {MessageTime::kReceived, "received"}});

/// Bags of ROS 2.
struct Rosbag2Format {
  static constexpr std::string_view kType = "rosbag2";
  static constexpr bool kOwnTime = true;
  static constexpr bool kKeepsIncompleteRows = true;
  MessageTime time = MessageTime::kHeader;
};
FieldTable Visit(Rosbag2Format& format);

/// Reads a bag of ROS 2: the folder of one, or a single file of SQLite (*.db3) or MCAP, either of
/// them compressed with zstd or not. The content decides what a file is, not its name. See
/// hw/log/log.h.
///
/// A table is a topic of one of MessageTypes(), which other topics are passed over; tables are
/// sorted by topic. Its rows are sorted by the time of reception; `places` numbers the messages of
/// the topic in that order. Stamps of headers are as they are, and may go back. Columns that hold
/// no number are left out.
///
/// Joints' columns, "<topic>/<joint>/position_rad" and so on, are in the order in which joints
/// first appear. They are named for revolute joints: of a prismatic one rad stands for m, nm for N.
///
/// Memory is that of the topics with wanted columns, twice; what other topics hold is not loaded,
/// but one chunk of an MCAP file at a time.
/// @throws ConfigError (source: the file) if it is no such file or is damaged, if a message is not
///         what its type says, if all stamps of a wanted topic's headers are 0, or a wanted
///         column is missing, holds no number, or is in a topic of another type.
Log ReadLog(const std::filesystem::path& file, const Rosbag2Format& format,
            const std::vector<std::string>& wanted);

}  // namespace idbench
