#pragma once

#include <string>
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

/// Calls `visit` with the options of each part of `motion`, in their order, and the JSON pointer of
/// the part within it: "", as a motion is its own and only part.
/// @param motion  MotionOptions, const or not.
template <class Motion, class Visitor>
void ForEachPart(Motion& motion, const Visitor& visit) {
  std::visit([&visit](auto& kind) { visit(kind, std::string()); }, motion);
}

}  // namespace idbench
