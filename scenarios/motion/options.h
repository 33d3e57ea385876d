#pragma once

#include <string_view>
#include <variant>

#include "robots/control/computed_torque.h"
#include "robots/control/pd_gravity.h"
#include "scenarios/motion/trajectory/fourier.h"
#include "scenarios/motion/trajectory/spline.h"
#include "scenarios/motion/trajectory/torque_replay.h"
#include "scenarios/motion/trajectory/way_points.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// Moves the robot exactly along the desired motion with the torque that this takes: no controller,
/// no integration, no tracking error.
struct ExactReplayOptions {
  static constexpr std::string_view kType = "exact_replay";

  bool operator==(const ExactReplayOptions&) const = default;
};
FieldTable Visit(ExactReplayOptions& options);

/// How a robot follows its motion; the first is the default.
using ControlOptions =
    std::variant<ComputedTorqueOptions, PdGravityOptions, ExactReplayOptions, TorqueReplayOptions>;

/// The desired motion of an experiment.
using MotionOptions = std::variant<FourierOptions, WayPointOptions, RecordedMotionOptions>;

}  // namespace idbench
