#include "sim/truth/environment.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "robots/random/random_stream.h"

namespace idbench {
namespace {

constexpr double kSameTouchTime = 1e-9;  // [s]

/// What is drawn of a touch, each in a channel of its own. Appended to, never reordered: the
/// numbers of a scenario stay what they are.
enum class Drawn : std::uint64_t { kGap, kRamp, kHold, kForce, kAlong, kAround, kDirection };
/// Channels of an entry that draws.
constexpr std::uint64_t kChannelsOfEntry = 16;

/// The numbers of one entry.
class TouchDraws {
 public:
  TouchDraws(const EnvironmentKey& key, Draw draw, std::uint64_t entry)
      : stream_(key.seed, draw == Draw::kTrial ? key.trial : -1, key.experiment + "/touches"),
        first_channel_(entry * kChannelsOfEntry) {}

  /// Returns a number in (0, 1) of touch k.
  double Unit(Drawn what, std::uint64_t k) const {
    return stream_.Uniform(first_channel_ + static_cast<std::uint64_t>(what), k);
  }
  double Uniform(Drawn what, std::uint64_t k, const std::vector<double>& range) const {
    return range[0] + (range[1] - range[0]) * Unit(what, k);
  }
  double LogUniform(Drawn what, std::uint64_t k, const std::vector<double>& range) const {
    return range[0] * std::pow(range[1] / range[0], Unit(what, k));
  }
  /// Returns an angle [rad].
  double Angle(Drawn what, std::uint64_t k) const { return 2.0 * std::numbers::pi * Unit(what, k); }

 private:
  RandomStream stream_;
  std::uint64_t first_channel_;
};

Eigen::Vector3d VectorOf(const std::vector<double>& numbers) {
  return Eigen::Vector3d(numbers.data());
}

/// A touch of that place, without its times.
Touch TouchAt(const TouchedPlace& place, const Eigen::Vector3d& p_BT_B,
              const Eigen::Vector3d& force, ForceAxes axes) {
  const LinkBody& body = place.body;
  const bool turns = axes == ForceAxes::kLink && !body.carries_frame;
  return {.link = body.link,
          .beyond_cuts = place.beyond_cuts,
          .p_LT_L = body.InLink(p_BT_B),
          .force = turns ? Eigen::Vector3d(body.R_LB * force) : force,
          .axes = axes};
}

Touch MakeTouch(const TouchOptions& options, const TouchedPlace& place) {
  Touch touch = TouchAt(place, VectorOf(options.point_m), VectorOf(options.force_n), options.axes);
  touch.begin_s = options.from_s;
  touch.ramp_s = options.ramp_s;
  touch.hold_s = options.hold_s;
  return touch;
}

Touch MakeTouch(const PushOptions& options, const TouchedPlace& place) {
  // ∫ F·sin(πt/T) dt over T = 2·F·T/π
  const double peak_per_impulse = std::numbers::pi / (2.0 * options.duration_s);
  Touch touch = TouchAt(place, VectorOf(options.point_m),
                        peak_per_impulse * VectorOf(options.impulse_ns), options.axes);
  touch.shape = TouchShape::kHalfSine;
  touch.begin_s = options.at_s;
  touch.ramp_s = 0.5 * options.duration_s;
  return touch;
}

/// Touch k of an entry that draws, without its begin.
Touch DrawTouch(const DrawnTouchesOptions& options, const TouchedPlace& place,
                const TouchDraws& draws, std::uint64_t k) {
  const Eigen::Vector3d from = VectorOf(options.axis_from_m);
  const Eigen::Vector3d along = VectorOf(options.axis_to_m) - from;
  const Eigen::Vector3d axis = along.normalized();
  const Eigen::Vector3d across = axis.unitOrthogonal();
  const auto turned = [](double angle, const Eigen::Vector3d& x, const Eigen::Vector3d& y) {
    return Eigen::Vector3d(std::cos(angle) * x + std::sin(angle) * y);
  };
  const Eigen::Vector3d outwards =
      turned(draws.Angle(Drawn::kAround, k), across, axis.cross(across));
  const Eigen::Vector3d tangent =
      turned(draws.Angle(Drawn::kDirection, k), axis, axis.cross(outwards));
  const Eigen::Vector3d direction =
      (-outwards + options.tangential_fraction * tangent).normalized();
  Touch touch =
      TouchAt(place, from + draws.Unit(Drawn::kAlong, k) * along + options.radius_m * outwards,
              draws.LogUniform(Drawn::kForce, k, options.force_n) * direction, ForceAxes::kLink);
  touch.ramp_s = draws.Uniform(Drawn::kRamp, k, options.ramp_s);
  touch.hold_s = draws.Uniform(Drawn::kHold, k, options.hold_s);
  return touch;
}

void AddDrawn(const DrawnTouchesOptions& options, const TouchedPlace& place,
              const TouchDraws& draws, double duration_s, std::vector<Touch>& touches) {
  double free_from_s = 0.0;
  for (std::uint64_t k = 0;; ++k) {
    const double begin_s = free_from_s + draws.Uniform(Drawn::kGap, k, options.gap_s);
    if (begin_s >= duration_s) return;
    touches.push_back(DrawTouch(options, place, draws, k));
    touches.back().begin_s = begin_s;
    free_from_s = touches.back().end_s();
  }
}

Wall MakeWall(const WallOptions& options, std::size_t number, const TouchedPlace& place) {
  return {.name = fmt::format("wall {}", number),
          .link = place.body.link,
          .beyond_cuts = place.beyond_cuts,
          .p_LT_L = place.body.InLink(VectorOf(options.point_m)),
          .p_BW_B = VectorOf(options.through_m),
          .normal_B = VectorOf(options.normal).normalized(),
          .stiffness = options.stiffness_n_m,
          .damping = options.damping_ns_m,
          .friction = options.friction,
          .friction_width = options.friction_width_m_s};
}

}  // namespace

double Touch::PartAt(double t) const {
  const double all = 2.0 * ramp_s + hold_s;
  if (t - begin_s < -kSameTouchTime || t - begin_s >= all - kSameTouchTime) return 0.0;
  const double since = std::max(t - begin_s, 0.0);
  if (shape == TouchShape::kHalfSine) return std::sin(std::numbers::pi * since / all);
  if (since < ramp_s) return since / ramp_s;
  return since <= ramp_s + hold_s ? 1.0 : std::min((all - since) / ramp_s, 1.0);
}

Environment MakeEnvironment(const EnvironmentOptions& options, const Robot& robot,
                            int configuration, const EnvironmentKey& key, double duration_s) {
  Environment environment;
  std::vector<Issue> issues;
  std::uint64_t entries_that_draw = 0;
  for (const TouchEventOptions& entry : options.touches) {
    std::visit(
        [&]<class Options>(const Options& each) {
          const TouchedPlace place = *TouchedPlaceOf(each.link, robot, configuration, "", issues);
          if constexpr (std::is_same_v<Options, DrawnTouchesOptions>) {
            AddDrawn(each, place, TouchDraws(key, each.draw, entries_that_draw++), duration_s,
                     environment.touches);
          } else {
            environment.touches.push_back(MakeTouch(each, place));
          }
        },
        entry);
  }
  std::ranges::stable_sort(environment.touches, {}, &Touch::begin_s);
  for (const WallOptions& wall : options.walls) {
    environment.walls.push_back(
        MakeWall(wall, environment.walls.size(),
                 *TouchedPlaceOf(wall.link, robot, configuration, "", issues)));
  }
  if (options.motor_noise) {
    const bool per_trial = options.motor_noise->draw == Draw::kTrial;
    const RandomStream stream(key.seed, per_trial ? key.trial : -1,
                              key.experiment + "/motor_noise");
    environment.motor_noise = MakeMotorNoise(*options.motor_noise, robot.model, stream);
  }
  return environment;
}

}  // namespace idbench
