#pragma once

#include <Eigen/Core>
#include <string>
#include <string_view>
#include <vector>

namespace idbench {

/// What the sensors of one channel read last.
struct ChannelReading {
  std::string channel;    ///< Name, see DataChannels.
  double t = 0.0;         ///< Of the reading [s]; of an older one where a sample was lost.
  Eigen::VectorXd value;  ///< In the channel's unit.
};

/// What can be read of a robot at one instant.
struct Reading {
  double t = 0.0;                        ///< Since the experiment began [s].
  std::vector<ChannelReading> channels;  ///< In a fixed order.

  /// Returns the reading of a channel; nullptr if there is none.
  const ChannelReading* Find(std::string_view channel) const;
  /// Returns what the channel reads. @throws std::invalid_argument if it is not read.
  const Eigen::VectorXd& operator[](std::string_view channel) const;
  /// Returns the reading of a channel, which is added if there is none.
  ChannelReading& At(std::string_view channel);
};

}  // namespace idbench
