#include "scenarios/motion/trajectory/random_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <utility>

#include "robots/plant/plant_error.h"
#include "robots/random/random_stream.h"
#include "scenarios/motion/trajectory/quintic.h"

namespace idbench {
namespace {

constexpr std::uint64_t kMostDraws = 10000;
/// Channels of a stream for durations; those of joints are their indices.
constexpr std::uint64_t kMoveChannel = 1ULL << 32U;
constexpr std::uint64_t kDwellChannel = kMoveChannel + 1;
/// Instants at which a lagged step is looked at: 16 per 1/ω, so that a peak is missed by
/// (1/32)²/2 = 0.05 % of it, and 200 per move. Beyond the most, ω is so high that there is nothing
/// to see.
constexpr double kInstantsPerLag = 16.0;
constexpr double kFewestInstants = 200.0;
constexpr double kMostInstants = 2000.0;
constexpr double kPointLimitRounding = 1e-9;  // of a move that reaches its limits

JointLag LagOf(const RobotModel& model, const RandomPointOptions& options) {
  if (!options.lag_rad_s || !options.lag_damping_ratio) return {};
  JointLag lag{Eigen::VectorXd(model.dofs()), Eigen::VectorXd(model.dofs())};
  for (int j = 0; j < model.dofs(); ++j) {
    lag.rad_s[j] = (*options.lag_rad_s)[static_cast<std::size_t>(j)];
    lag.damping_ratio[j] = (*options.lag_damping_ratio)[static_cast<std::size_t>(j)];
  }
  return lag;
}

/// What may be wrong with a drawn move.
enum class Fault { kStep, kRange, kVelocity, kAcceleration };

struct FaultyMove {
  Fault fault = Fault::kStep;
  int joint = 0;
};

/// Draws moves one after the other.
class MoveDrawer {
 public:
  MoveDrawer(const RobotModel& model, const RandomPointOptions& options, const RandomStream& stream)
      : model_(model),
        options_(options),
        stream_(stream),
        range_(RangeOfPoints(model, options)),
        step_joints_(StepJoints(model, options)),
        lag_(LagOf(model, options)),
        point_(PointOf(0)),
        state_(JointState::Zero(model.dofs())),
        looked_at_(state_) {
    state_.q = point_;
  }

  const Eigen::VectorXd& point() const { return point_; }
  const JointLag& lag() const { return lag_; }

  /// The next move, of which all limits hold.
  /// @param begin_s  when it begins, for the message.
  /// @throws PlantError if none is found.
  PointMove Next(double begin_s) {
    ++moves_;
    std::vector<std::array<int, 4>> faults(static_cast<std::size_t>(model_.dofs()));
    for (std::uint64_t draw = 0; draw < kMostDraws; ++draw) {
      const std::uint64_t index = moves_ * kMostDraws + draw;
      PointMove move{PointOf(index), Span(options_.move_s, kMoveChannel, index),
                     Span(options_.dwell_s, kDwellChannel, index)};
      if (const std::optional<FaultyMove> faulty = FaultOf(move)) {
        ++faults[static_cast<std::size_t>(faulty->joint)][static_cast<std::size_t>(faulty->fault)];
        continue;
      }
      point_ = move.to;
      return move;
    }
    Refuse(begin_s, faults);
  }

 private:
  double Span(const std::vector<double>& span, std::uint64_t channel, std::uint64_t index) const {
    return span[0] + (span[1] - span[0]) * stream_.Uniform(channel, index);
  }

  Eigen::VectorXd PointOf(std::uint64_t index) const {
    Eigen::VectorXd point(model_.dofs());
    for (int j = 0; j < model_.dofs(); ++j) {
      point[j] = range_.lower[j] + (range_.upper[j] - range_.lower[j]) *
                                       stream_.Uniform(static_cast<std::uint64_t>(j), index);
    }
    return point;
  }

  /// What is wrong with the move, if something is; else the state moves on to its end.
  std::optional<FaultyMove> FaultOf(const PointMove& move) {
    const auto steps = [&](int j) {
      return std::abs(move.to[j] - point_[j]) >= options_.least_step_rad;
    };
    if (!std::ranges::any_of(step_joints_, steps)) return FaultyMove{Fault::kStep, 0};
    if (!lag_.any()) return FaultOfStep(move);
    JointState state = state_;
    const LaggedStep way(point_, move.to, move.move_s, lag_, state);
    if (const std::optional<FaultyMove> faulty = FaultOfLagged(way)) return faulty;
    way.Evaluate(move.move_s, lag_, state);
    if (move.dwell_s > 0.0) {
      const LaggedStep rest(move.to, move.to, move.dwell_s, lag_, state);
      if (const std::optional<FaultyMove> faulty = FaultOfLagged(rest)) return faulty;
      rest.Evaluate(move.dwell_s, lag_, state);
    }
    state_ = std::move(state);
    return std::nullopt;
  }

  /// Of a quintic step, whose peaks are known, between two points that are in range.
  std::optional<FaultyMove> FaultOfStep(const PointMove& move) const {
    for (int j = 0; j < model_.dofs(); ++j) {
      const double distance = std::abs(move.to[j] - point_[j]);
      const double speed = kQuinticPeakSpeed * distance / move.move_s;
      const double acceleration = kQuinticPeakAcceleration * distance / (move.move_s * move.move_s);
      if (const auto faulty = FaultOfRates(j, speed, acceleration)) return faulty;
    }
    return std::nullopt;
  }

  std::optional<FaultyMove> FaultOfLagged(const LaggedStep& step) {
    const JointLimits& limits = model_.limits();
    const double wanted = kInstantsPerLag * lag_.rad_s.maxCoeff() * step.duration_s();
    const int instants = static_cast<int>(std::clamp(wanted, kFewestInstants, kMostInstants));
    for (int i = 0; i <= instants; ++i) {
      step.Evaluate(step.duration_s() * i / instants, lag_, looked_at_);
      for (int j = 0; j < model_.dofs(); ++j) {
        const double q = looked_at_.q[j];
        if (q < limits.lower[j] - kPointLimitRounding ||
            q > limits.upper[j] + kPointLimitRounding) {
          return FaultyMove{Fault::kRange, j};
        }
        const auto faulty =
            FaultOfRates(j, std::abs(looked_at_.qd[j]), std::abs(looked_at_.qdd[j]));
        if (faulty) return faulty;
      }
    }
    return std::nullopt;
  }

  std::optional<FaultyMove> FaultOfRates(int j, double speed, double acceleration) const {
    const JointLimits& limits = model_.limits();
    constexpr double kWithin = 1.0 + kPointLimitRounding;
    if (options_.velocity_limits && speed > limits.velocity[j] * kWithin) {
      return FaultyMove{Fault::kVelocity, j};
    }
    if (options_.acceleration_limits && acceleration > limits.acceleration[j] * kWithin) {
      return FaultyMove{Fault::kAcceleration, j};
    }
    return std::nullopt;
  }

  [[noreturn]] void Refuse(double begin_s, const std::vector<std::array<int, 4>>& faults) const {
    FaultyMove most;
    int count = 0;
    for (int j = 0; j < model_.dofs(); ++j) {
      for (const Fault fault :
           {Fault::kRange, Fault::kVelocity, Fault::kAcceleration, Fault::kStep}) {
        const int times = faults[static_cast<std::size_t>(j)][static_cast<std::size_t>(fault)];
        if (times <= count) continue;
        most = {fault, j};
        count = times;
      }
    }
    throw PlantError(fmt::format("of {} moves that were drawn for {:.4g} s, none will do: {}",
                                 kMostDraws, begin_s, ReasonOf(most)));
  }

  std::string ReasonOf(const FaultyMove& most) const {
    const JointLimits& limits = model_.limits();
    const int j = most.joint;
    const std::string& joint = model_.link(j).joint;
    const char* const unit = model_.link(j).type == JointType::kRevolute ? "rad" : "m";
    constexpr const char* kCure =
        "take longer moves (move_s) or points that are closer together "
        "(lower_rad, upper_rad), or switch off";
    switch (most.fault) {
      case Fault::kStep:
        return fmt::format(
            "most are too small: take a least_step_rad below {:g}, or a wider range of points",
            options_.least_step_rad);
      case Fault::kRange:
        return fmt::format(
            "most would take joint '{}' out of its range, {:.4g} to {:.4g} {}, as it swings past "
            "the point: take points further from the end of the range (lower_rad, upper_rad), "
            "longer moves (move_s), or a larger lag_damping_ratio",
            joint, limits.lower[j], limits.upper[j], unit);
      case Fault::kVelocity:
        return fmt::format(
            "most would exceed the velocity limit of joint '{}', {:.4g} {}/s: {} "
            "velocity_limits",
            joint, limits.velocity[j], unit, kCure);
      case Fault::kAcceleration:
        return fmt::format(
            "most would exceed the acceleration limit of joint '{}', {:.4g} {}/s²: "
            "{} acceleration_limits",
            joint, limits.acceleration[j], unit, kCure);
    }
    return "";
  }

  const RobotModel& model_;
  const RandomPointOptions& options_;
  const RandomStream& stream_;
  PointRange range_;
  std::vector<int> step_joints_;
  JointLag lag_;
  std::uint64_t moves_ = 0;  ///< Drawn.
  Eigen::VectorXd point_;    ///< The last one.
  JointState state_;         ///< With a lag, when the next move begins.
  JointState looked_at_;
};

}  // namespace

PointToPointMotion DrawRandomPoints(const RobotModel& model, const RandomPointOptions& options,
                                    std::uint64_t seed, std::int64_t trial) {
  const std::vector<Issue> issues = CheckRandomPoints(model, options, "");
  if (!issues.empty()) {
    throw std::invalid_argument(ConfigError("DrawRandomPoints", issues).what());
  }
  const RandomStream stream(seed, options.draw == Draw::kTrial ? trial : -1,
                            "motion/random_points/" + options.stream);
  MoveDrawer drawer(model, options, stream);
  const Eigen::VectorXd begin = drawer.point();
  std::vector<PointMove> moves;
  double t = 0.0;
  while (t < options.duration_s) {
    moves.push_back(drawer.Next(t));
    t += moves.back().move_s + moves.back().dwell_s;
  }
  return {begin, moves, drawer.lag(), options.duration_s};
}

}  // namespace idbench
