#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "robots/control/computed_torque.h"
#include "robots/control/pd_gravity.h"
#include "robots/control/release.h"
#include "scenarios/motion/excitation/exciting_motion.h"
#include "scenarios/motion/trajectory/fourier.h"
#include "scenarios/motion/trajectory/random_points.h"
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

/// One motion, alone or as a part of a sequence.
using MotionPartOptions = std::variant<FourierOptions, WayPointOptions, RandomPointOptions,
                                       RecordedMotionOptions, ExcitingMotionOptions>;

/// Motions one after the other, see SequenceMotion.
struct SequenceOptions {
  static constexpr std::string_view kType = "sequence";
  std::vector<MotionPartOptions> parts;
  double blend_s = 1.0;

  bool operator==(const SequenceOptions&) const = default;
};
/// The table refuses fewer than two parts.
FieldTable Visit(SequenceOptions& options);

/// The desired motion of an experiment.
using MotionOptions = std::variant<FourierOptions, WayPointOptions, RandomPointOptions,
                                   RecordedMotionOptions, SequenceOptions, ExcitingMotionOptions>;

/// Calls `visit` with the options of each part of `motion`, in their order, and the JSON pointer of
/// the part within it: "/parts/0" …; "" of a motion that is no sequence, its own part.
/// @param motion  MotionOptions, const or not.
template <class Motion, class Visitor>
void ForEachPart(Motion& motion, const Visitor& visit) {
  std::visit(
      [&visit]<class Kind>(Kind& kind) {
        if constexpr (std::is_same_v<std::remove_const_t<Kind>, SequenceOptions>) {
          for (std::size_t k = 0; k < kind.parts.size(); ++k) {
            const std::string where = "/parts/" + std::to_string(k);
            std::visit([&](auto& part) { visit(part, where); }, kind.parts[k]);
          }
        } else {
          visit(kind, std::string());
        }
      },
      motion);
}

}  // namespace idbench
