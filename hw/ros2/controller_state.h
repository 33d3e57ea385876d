#pragma once

#include <string_view>

#include "hw/ros2/ros2_messages.h"

namespace idbench {

/// {reference, feedback, desired, actual, error, output} × {position, velocity, acceleration,
/// effort} of each joint; a version of the type has some of them.
inline constexpr std::string_view kControllerStateColumns[] = {"reference/position_rad",
                                                               "reference/velocity_rad_s",
                                                               "reference/acceleration_rad_s2",
                                                               "reference/effort_nm",
                                                               "feedback/position_rad",
                                                               "feedback/velocity_rad_s",
                                                               "feedback/acceleration_rad_s2",
                                                               "feedback/effort_nm",
                                                               "desired/position_rad",
                                                               "desired/velocity_rad_s",
                                                               "desired/acceleration_rad_s2",
                                                               "desired/effort_nm",
                                                               "actual/position_rad",
                                                               "actual/velocity_rad_s",
                                                               "actual/acceleration_rad_s2",
                                                               "actual/effort_nm",
                                                               "error/position_rad",
                                                               "error/velocity_rad_s",
                                                               "error/acceleration_rad_s2",
                                                               "error/effort_nm",
                                                               "output/position_rad",
                                                               "output/velocity_rad_s",
                                                               "output/acceleration_rad_s2",
                                                               "output/effort_nm"};

/// Makes the decoder of control_msgs/msg/JointTrajectoryControllerState.
///
/// The type has changed with control_msgs 4.0, 4.4, 5.0 and 5.3. The fields are those of the
/// topic's definition, so that a later version that adds some at its end is read too. Without a
/// definition it is the version that a message fits, which is checked for each message: it throws
/// MessageError if it fits none or several.
MessageDecoder ControllerStateDecoder(const BagTopic& topic);

}  // namespace idbench
