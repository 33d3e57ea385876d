#include "scenarios/motion/motions.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "robots/plant/plant_error.h"
#include "scenarios/motion/trajectory/blended.h"
#include "scenarios/motion/trajectory/pose.h"

namespace idbench {
namespace {

constexpr int kBlendInstants = 1000;     // at which limits are checked in a blend
constexpr double kLimitRounding = 1e-9;  // of a motion that reaches its limits

BlendedMotion Blend(const FourierOptions& options, const FourierMotion& motion) {
  return {ToVector(*options.start_q_rad), options.rest_s, options.blend_s,
          std::make_unique<FourierMotion>(motion), options.duration_s};
}

/// A sentence about the first joint that breaks a limit while it is blended in; "" if none does.
std::string BrokenLimit(const RobotModel& model, const FourierOptions& options,
                        const BlendedMotion& motion) {
  JointState state = JointState::Zero(model.dofs());
  for (int i = 0; i <= kBlendInstants; ++i) {
    motion.Evaluate(options.rest_s + options.blend_s * i / kBlendInstants, state);
    for (int j = 0; j < model.dofs(); ++j) {
      const auto broken = [&](const char* what, const char* unit, double value, double limit) {
        return fmt::format("joint '{}' would reach {:.4g} {} in the blend, its {} limit is {:.4g}",
                           model.link(j).joint, std::abs(value), unit, what, limit);
      };
      const double speed = model.limits().velocity(j);
      if (options.velocity_limits && std::abs(state.qd(j)) > speed * (1.0 + kLimitRounding)) {
        return broken("velocity", "rad/s", state.qd(j), speed);
      }
      const double acceleration = model.limits().acceleration(j);
      if (options.acceleration_limits &&
          std::abs(state.qdd(j)) > acceleration * (1.0 + kLimitRounding)) {
        return broken("acceleration", "rad/s²", state.qdd(j), acceleration);
      }
    }
  }
  return "";
}

std::unique_ptr<Motion> MakeFourier(const FourierOptions& options, const RobotModel& model,
                                    std::uint64_t seed, std::int64_t trial,
                                    const MotionCost& cost) {
  if (!options.start_q_rad) {
    return std::make_unique<FourierMotion>(DesignFourier(model, options, seed, trial, cost));
  }
  const auto cost_with_blend = [&](const Motion& candidate) {
    const auto& fourier = dynamic_cast<const FourierMotion&>(candidate);
    return BrokenLimit(model, options, Blend(options, fourier)).empty()
               ? cost(candidate)
               : std::numeric_limits<double>::infinity();
  };
  auto motion = std::make_unique<BlendedMotion>(
      Blend(options, DesignFourier(model, options, seed, trial, cost_with_blend)));
  const std::string broken = BrokenLimit(model, options, *motion);
  if (!broken.empty()) {
    throw PlantError(broken +
                     ": take a longer blend_s, a smaller amplitude_fraction or more candidates, or "
                     "switch off velocity_limits or acceleration_limits");
  }
  return motion;
}

}  // namespace

std::optional<TimedTable> ReadMotionTable(const MotionOptions& options, const RobotModel& model) {
  const auto* recorded = std::get_if<RecordedMotionOptions>(&options);
  if (recorded == nullptr) return std::nullopt;
  return ReadTimedTable(recorded->file, kPositionColumn, model.dofs());
}

std::unique_ptr<Motion> MakeMotion(const MotionOptions& options,
                                   const std::optional<TimedTable>& table, const RobotModel& model,
                                   std::uint64_t seed, std::int64_t trial, const MotionCost& cost) {
  if (const auto* points = std::get_if<WayPointOptions>(&options)) {
    return std::make_unique<WayPointMotion>(MakeWayPointMotion(model, *points));
  }
  if (std::holds_alternative<RecordedMotionOptions>(options)) {
    if (!table) throw std::invalid_argument("MakeMotion: a recorded motion needs its table");
    return std::make_unique<SplineMotion>(*table);
  }
  return MakeFourier(std::get<FourierOptions>(options), model, seed, trial, cost);
}

bool DrawnPerTrial(const MotionOptions& options) {
  const auto* fourier = std::get_if<FourierOptions>(&options);
  return fourier != nullptr && fourier->draw == Draw::kTrial;
}

std::vector<Issue> CheckMotion(const MotionOptions& options, const RobotModel& model,
                               const std::string& where) {
  std::vector<Issue> issues;
  if (const auto* points = std::get_if<WayPointOptions>(&options)) {
    return CheckWayPoints(model, *points, where);
  }
  if (const auto* recorded = std::get_if<RecordedMotionOptions>(&options)) {
    CheckTimedTable(recorded->file, kPositionColumn, model.dofs(), where + "/file", issues);
    return issues;
  }
  const auto& fourier = std::get<FourierOptions>(options);
  if (fourier.centre_q_rad) {
    CheckPose(*fourier.centre_q_rad, model, where + "/centre_q_rad", issues);
  }
  if (fourier.start_q_rad) CheckPose(*fourier.start_q_rad, model, where + "/start_q_rad", issues);
  return issues;
}

}  // namespace idbench
