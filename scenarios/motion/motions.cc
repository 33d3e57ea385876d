#include "scenarios/motion/motions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
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

std::vector<TimedTable> ReadMotionTables(const MotionOptions& options, const RobotModel& model) {
  std::vector<TimedTable> tables;
  ForEachPart(options, [&]<class Part>(const Part& part, const std::string&) {
    if constexpr (std::is_same_v<Part, RecordedMotionOptions>) {
      tables.push_back(ReadTimedTable(part.file, kPositionColumn, model.dofs()));
    }
  });
  return tables;
}

std::unique_ptr<Motion> MakeMotion(const MotionOptions& options,
                                   const std::vector<TimedTable>& tables, const RobotModel& model,
                                   std::uint64_t seed, std::int64_t trial,
                                   const std::vector<MotionCost>& costs) {
  std::vector<std::unique_ptr<Motion>> parts;
  std::size_t recorded = 0;
  ForEachPart(options, [&]<class Part>(const Part& part, const std::string&) {
    if (parts.size() == costs.size()) {
      throw std::invalid_argument(fmt::format(
          "MakeMotion: got {} costs, expected one for each part of the motion", costs.size()));
    }
    if constexpr (std::is_same_v<Part, FourierOptions>) {
      parts.push_back(MakeFourier(part, model, seed, trial, costs[parts.size()]));
    } else if constexpr (std::is_same_v<Part, WayPointOptions>) {
      parts.push_back(std::make_unique<WayPointMotion>(MakeWayPointMotion(model, part)));
    } else {
      if (recorded == tables.size()) {
        throw std::invalid_argument(fmt::format(
            "MakeMotion: got {} tables, expected one for each recorded motion", tables.size()));
      }
      parts.push_back(std::make_unique<SplineMotion>(tables[recorded++]));
    }
  });
  return std::move(parts.front());
}

bool DrawnPerTrial(const MotionOptions& options) {
  bool drawn = false;
  ForEachPart(options, [&drawn]<class Part>(const Part& part, const std::string&) {
    if constexpr (std::is_same_v<Part, FourierOptions>) drawn |= part.draw == Draw::kTrial;
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
    } else if constexpr (std::is_same_v<Part, RecordedMotionOptions>) {
      CheckTimedTable(part.file, kPositionColumn, model.dofs(), at + "/file", issues);
    } else {
      if (part.centre_q_rad) CheckPose(*part.centre_q_rad, model, at + "/centre_q_rad", issues);
      if (part.start_q_rad) CheckPose(*part.start_q_rad, model, at + "/start_q_rad", issues);
    }
  });
  return issues;
}

}  // namespace idbench
