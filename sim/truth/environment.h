#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/truth/environment_options.h"
#include "sim/truth/motor_noise.h"
#include "sim/truth/wall.h"

namespace idbench {

/// How a force from outside changes over its time.
enum class TouchShape : std::uint8_t {
  kRamps,     ///< Rises linearly, holds, falls linearly.
  kHalfSine,  ///< From its begin to its end; it does not hold.
};

/// One force from outside at a point T that is fixed to a link.
struct Touch {
  int link = 0;
  /// It is on a body that is attached to the link, and so beyond every cut through it.
  bool beyond_cuts = false;
  Eigen::Vector3d p_LT_L = Eigen::Vector3d::Zero();  ///< In the link's frame [m].
  Eigen::Vector3d force = Eigen::Vector3d::Zero();   ///< At its greatest, in `axes` [N].
  ForceAxes axes = ForceAxes::kLink;                 ///< Those of the link's frame, or the base's.
  TouchShape shape = TouchShape::kRamps;
  double begin_s = 0.0;
  double ramp_s = 0.0;  ///< Of the rise, and of the fall.
  double hold_s = 0.0;

  double end_s() const { return begin_s + 2.0 * ramp_s + hold_s; }
  /// Returns the part of `force` that acts at time t, 0 to 1. Times are compared to within 1 ns: a
  /// force without a ramp from 0.3 s on acts in the sample at 1200·0.00025 s.
  double PartAt(double t) const;
};

/// What acts on a robot from outside in one experiment, beside gravity and the ground.
struct Environment {
  std::vector<Touch> touches = {};  ///< In the order of their begin.
  std::vector<Wall> walls = {};
  std::optional<MotorNoise> motor_noise = std::nullopt;
};

/// What draws of an environment are keyed with.
struct EnvironmentKey {
  std::uint64_t seed = 1;
  std::int64_t trial = -1;  ///< Of what is drawn per trial; −1, what trials share.
  std::string experiment;
};

/// Makes the environment of an experiment. The options must have no issue.
///
/// Drawn numbers are those of the stream "<experiment>/touches" at trial −1 or the trial. Its
/// channel is given by the quantity and the place of the entry among those that draw, its index by
/// the number of the touch: neither other entries nor the duration shift them. Noise of motors is
/// of the stream "<experiment>/motor_noise".
/// @param configuration  index into RobotModel::configurations().
/// @param duration_s     drawn touches begin before it.
Environment MakeEnvironment(const EnvironmentOptions& options, const Robot& robot,
                            int configuration, const EnvironmentKey& key, double duration_s);

}  // namespace idbench
