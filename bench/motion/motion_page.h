#pragma once

#include <optional>
#include <string>

#include "bench/motion/motion_review.h"

namespace idbench {

/// Returns a motion as one self-contained page: criteria, how much of each limit it uses, curves of
/// all joints with their limits, and the robot as a stick figure with a slider over time.
/// @param title         of the page.
/// @param chart_script  see ChartScript().
std::string MotionPage(const Robot& robot, const MotionReview& review, const std::string& title,
                       const std::optional<std::string>& chart_script);

}  // namespace idbench
