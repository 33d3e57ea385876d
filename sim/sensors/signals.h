#pragma once

#include <Eigen/Core>
#include <string_view>

#include "robots/recording/channels.h"

namespace idbench {

/// True signals of a recorded roll-out, at the rate of its sensors and before any sensor effect.
///
/// Rows are samples, columns those of the channel (see kChannels). Row i of the joints' position,
/// velocity, acceleration and torque belongs to one instant, time_s(i): together they satisfy the
/// robot's equation of motion there. What was not requested is empty.
class Signals {
 public:
  Eigen::VectorXd time_s;  ///< N, strictly increasing [s].

  /// Returns what the sensors of a channel would read if they were exact; channels that measure the
  /// same signal share it.
  /// @throws std::invalid_argument if there is no channel of that name.
  Eigen::MatrixXd& operator[](std::string_view channel);
  const Eigen::MatrixXd& operator[](std::string_view channel) const;

 private:
  PerChannel<Eigen::MatrixXd> signals_;
};

}  // namespace idbench
