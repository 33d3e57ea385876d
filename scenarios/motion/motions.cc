#include "scenarios/motion/motions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "robots/plant/plant_error.h"
#include "scenarios/motion/trajectory/blended.h"
#include "scenarios/motion/trajectory/pose.h"
#include "scenarios/motion/trajectory/sequence.h"

namespace idbench {
namespace {

constexpr int kBlendInstants = 1000;     // at which limits are checked in a blend
constexpr double kLimitRounding = 1e-9;  // of a motion that reaches its limits

BlendedMotion Blend(const FourierOptions& options, const FourierMotion& motion) {
  return {ToVector(*options.start_q_rad), options.rest_s, options.blend_s,
          std::make_unique<FourierMotion>(motion), options.duration_s};
}

/// Limits of the robot that a blend has to keep.
struct KeptLimits {
  bool range = false;
  bool velocity = false;
  bool acceleration = false;
};

enum class LimitKind { kRange, kVelocity, kAcceleration };

/// The first limit that a blend breaks, and where it breaks it most.
struct BrokenLimit {
  LimitKind kind = LimitKind::kRange;
  int joint = 0;
  double reached = 0.0;  ///< Position, or amount of velocity or acceleration.
  double beyond = 0.0;   ///< That over the limit, above 0.
};

/// @param from_s, blend_s  begin and duration of the blend in `motion`.
std::optional<BrokenLimit> FindBrokenLimit(const RobotModel& model, const KeptLimits& kept,
                                           const Motion& motion, double from_s, double blend_s) {
  const JointLimits& limits = model.limits();
  std::optional<BrokenLimit> broken;
  const auto look = [&broken](LimitKind kind, int joint, double reached, double beyond) {
    if (!(beyond > 0.0)) return;
    if (broken && (broken->kind != kind || broken->joint != joint || beyond <= broken->beyond)) {
      return;
    }
    broken = BrokenLimit{kind, joint, reached, beyond};
  };
  JointState state = JointState::Zero(model.dofs());
  for (int i = 0; i <= kBlendInstants; ++i) {
    motion.Evaluate(from_s + blend_s * i / kBlendInstants, state);
    for (int j = 0; j < model.dofs(); ++j) {
      const double q = state.q(j), speed = std::abs(state.qd(j)), qdd = std::abs(state.qdd(j));
      if (kept.range) {
        look(LimitKind::kRange, j, q,
             std::max(limits.lower(j) - q, q - limits.upper(j)) - kLimitRounding);
      }
      if (kept.velocity) {
        look(LimitKind::kVelocity, j, speed, speed - limits.velocity(j) * (1.0 + kLimitRounding));
      }
      if (kept.acceleration) {
        look(LimitKind::kAcceleration, j, qdd,
             qdd - limits.acceleration(j) * (1.0 + kLimitRounding));
      }
    }
  }
  return broken;
}

/// "joint 'elbow' would reach 2.1 rad/s in the blend, its velocity limit is 2"
std::string Sentence(const RobotModel& model, const BrokenLimit& broken) {
  const JointLimits& limits = model.limits();
  const int j = broken.joint;
  const char* const unit = model.link(j).type == JointType::kRevolute ? "rad" : "m";
  const auto reached = [&](const char* rate, const std::string& limit) {
    return fmt::format("joint '{}' would reach {:.4g} {}{} in the blend, its {}",
                       model.link(j).joint, broken.reached, unit, rate, limit);
  };
  switch (broken.kind) {
    case LimitKind::kRange:
      return reached("",
                     fmt::format("range is {:.4g} to {:.4g}", limits.lower(j), limits.upper(j)));
    case LimitKind::kVelocity:
      return reached("/s", fmt::format("velocity limit is {:.4g}", limits.velocity(j)));
    case LimitKind::kAcceleration:
      return reached("/s²", fmt::format("acceleration limit is {:.4g}", limits.acceleration(j)));
  }
  return "";
}

/// As FindBrokenLimit(), of a Fourier motion that is blended in: its position lies between two that
/// are in range.
std::optional<BrokenLimit> FindBrokenLimit(const RobotModel& model, const FourierOptions& options,
                                           const BlendedMotion& motion) {
  const KeptLimits kept{.velocity = options.velocity_limits,
                        .acceleration = options.acceleration_limits};
  return FindBrokenLimit(model, kept, motion, options.rest_s, options.blend_s);
}

std::unique_ptr<Motion> MakeFourier(const FourierOptions& options, const RobotModel& model,
                                    std::uint64_t seed, std::int64_t trial,
                                    const MotionCost& cost) {
  if (!options.start_q_rad) {
    return std::make_unique<FourierMotion>(DesignFourier(model, options, seed, trial, cost));
  }
  const auto cost_with_blend = [&](const Motion& candidate) {
    const auto& fourier = dynamic_cast<const FourierMotion&>(candidate);
    return FindBrokenLimit(model, options, Blend(options, fourier))
               ? std::numeric_limits<double>::infinity()
               : cost(candidate);
  };
  auto motion = std::make_unique<BlendedMotion>(
      Blend(options, DesignFourier(model, options, seed, trial, cost_with_blend)));
  if (const std::optional<BrokenLimit> broken = FindBrokenLimit(model, options, *motion)) {
    throw PlantError(Sentence(model, *broken) +
                     ": take a longer blend_s, a smaller amplitude_fraction or more candidates, or "
                     "switch off velocity_limits or acceleration_limits");
  }
  return motion;
}

/// What one of two parts wants kept in the blend between them, and the joints' ranges.
KeptLimits KeptBetween(const MotionPartOptions& one, const MotionPartOptions& next) {
  KeptLimits kept{.range = true};
  for (const MotionPartOptions* options : {&one, &next}) {
    std::visit(
        [&kept]<class Part>(const Part& part) {
          if constexpr (std::is_same_v<Part, ExcitingMotionOptions>) {
            kept.velocity = kept.acceleration = true;
          } else if constexpr (!std::is_same_v<Part, RecordedMotionOptions>) {
            kept.velocity |= part.velocity_limits;
            kept.acceleration |= part.acceleration_limits;
          }
        },
        *options);
  }
  return kept;
}

std::unique_ptr<Motion> JoinParts(const SequenceOptions& options,
                                  std::vector<std::unique_ptr<Motion>> parts,
                                  const RobotModel& model) {
  auto motion = std::make_unique<SequenceMotion>(std::move(parts), options.blend_s, model.dofs());
  for (std::size_t k = 0; k + 1 < options.parts.size(); ++k) {
    const std::optional<BrokenLimit> broken =
        FindBrokenLimit(model, KeptBetween(options.parts[k], options.parts[k + 1]), *motion,
                        motion->BlendBegin(k), options.blend_s);
    if (!broken) continue;
    throw PlantError(
        fmt::format("from parts/{} to parts/{}, {}: {}", k, k + 1, Sentence(model, *broken),
                    broken->kind == LimitKind::kRange
                        ? "take a shorter blend_s, or parts that end and begin more slowly or "
                          "further from the end of the range"
                        : "take another blend_s, parts that end and begin more slowly, or switch "
                          "off velocity_limits or acceleration_limits of both"));
  }
  return motion;
}

}  // namespace

std::vector<TimedTable> ReadMotionTables(const MotionOptions& options, const RobotModel& model) {
  std::vector<TimedTable> tables;
  ForEachPart(options, [&]<class Part>(const Part& part, const std::string&) {
    if constexpr (std::is_same_v<Part, RecordedMotionOptions>) {
      tables.push_back(ReadTimedTable(part.file, PositionColumns(model)));
    }
  });
  return tables;
}

std::unique_ptr<Motion> MakeMotion(const MotionOptions& options,
                                   const std::vector<TimedTable>& tables, const RobotModel& model,
                                   std::uint64_t seed, std::int64_t trial,
                                   const std::vector<PartDesign>& designs,
                                   std::vector<DesignedPart>* histories) {
  std::vector<std::unique_ptr<Motion>> parts;
  std::size_t recorded = 0;
  ForEachPart(options, [&]<class Part>(const Part& part, const std::string& pointer) {
    if (parts.size() == designs.size()) {
      throw std::invalid_argument(fmt::format(
          "MakeMotion: got {} designs, expected one for each part of the motion", designs.size()));
    }
    if constexpr (std::is_same_v<Part, FourierOptions>) {
      parts.push_back(MakeFourier(part, model, seed, trial, designs[parts.size()].cost));
    } else if constexpr (std::is_same_v<Part, WayPointOptions>) {
      parts.push_back(std::make_unique<WayPointMotion>(MakeWayPointMotion(model, part)));
    } else if constexpr (std::is_same_v<Part, RandomPointOptions>) {
      parts.push_back(
          std::make_unique<PointToPointMotion>(DrawRandomPoints(model, part, seed, trial)));
    } else if constexpr (std::is_same_v<Part, ExcitingMotionOptions>) {
      const std::optional<ExcitationSubject>& subject = designs[parts.size()].subject;
      if (!subject) throw std::invalid_argument("MakeMotion: an exciting motion has no subject");
      ExcitingMotion designed = DesignExcitingMotion(*subject, part, seed, trial);
      parts.push_back(std::move(designed.motion));
      const ExcitationHistory& history = designed;
      if (histories != nullptr) histories->push_back({pointer, history});
    } else {
      if (recorded == tables.size()) {
        throw std::invalid_argument(fmt::format(
            "MakeMotion: got {} tables, expected one for each recorded motion", tables.size()));
      }
      parts.push_back(std::make_unique<SplineMotion>(tables[recorded++]));
    }
  });
  const auto* sequence = std::get_if<SequenceOptions>(&options);
  if (sequence == nullptr) return std::move(parts.front());
  return JoinParts(*sequence, std::move(parts), model);
}

bool DrawnPerTrial(const MotionOptions& options) {
  bool drawn = false;
  ForEachPart(options, [&drawn]<class Part>(const Part& part, const std::string&) {
    if constexpr (requires { part.draw; }) drawn |= part.draw == Draw::kTrial;
  });
  return drawn;
}

std::vector<Issue> CheckMotion(const MotionOptions& options, const RobotModel& model,
                               const std::string& where) {
  std::vector<Issue> issues;
  ForEachPart(options, [&]<class Part>(const Part& part, const std::string& pointer) {
    const std::string at = where + pointer;
    if constexpr (std::is_same_v<Part, WayPointOptions>) {
      std::ranges::move(CheckWayPoints(model, part, at), std::back_inserter(issues));
    } else if constexpr (std::is_same_v<Part, RandomPointOptions>) {
      std::ranges::move(CheckRandomPoints(model, part, at), std::back_inserter(issues));
    } else if constexpr (std::is_same_v<Part, RecordedMotionOptions>) {
      CheckTimedTable(part.file, PositionColumns(model), at + "/file", issues);
    } else if constexpr (std::is_same_v<Part, ExcitingMotionOptions>) {
      std::ranges::move(CheckExcitingMotion(part, model, at), std::back_inserter(issues));
    } else {
      if (part.centre_q_rad) CheckPose(*part.centre_q_rad, model, at + "/centre_q_rad", issues);
      if (part.start_q_rad) CheckPose(*part.start_q_rad, model, at + "/start_q_rad", issues);
    }
  });
  return issues;
}

}  // namespace idbench
