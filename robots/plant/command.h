#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <utility>

namespace idbench {

/// What a command asks of each joint.
enum class CommandMode : std::uint8_t {
  kTorque,    ///< [N·m or N], link side.
  kPosition,  ///< [rad or m], of a drive with a position loop of its own.
  kVelocity,  ///< [rad/s or m/s], of a drive with a velocity loop of its own.
};

/// Command to all joints, which a plant holds for one of its periods.
struct Command {
  static Command Zero(int dofs, CommandMode mode = CommandMode::kTorque) {
    return {.mode = mode, .value = Eigen::VectorXd::Zero(dofs)};
  }

  CommandMode mode = CommandMode::kTorque;
  Eigen::VectorXd value;  ///< n
};

}  // namespace idbench
