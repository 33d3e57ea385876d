#pragma once

#include <span>
#include <string>

#include "hw/log/log.h"
#include "hw/ros2/rosbag2_log.h"

namespace idbench {

/// Compares a table bit for bit with a file of testdata/ that make.py wrote: number of the message,
/// time of the header and of the reception, and the columns.
void CheckRecording(const LogTable& table, const std::string& file, MessageTime time);

/// True if numbers have the same bits, NaN too.
bool HaveSameBits(std::span<const double> a, std::span<const double> b);

}  // namespace idbench
