#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "robots/dynamics/model.h"
#include "robots/plant/plant.h"
#include "scenarios/motion/timed_table.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// Torque of one joint over time: τ(t) = offset + Σ_k amplitude_k·sin(2π·frequency_k·t + phase_k).
struct SineTorqueOptions {
  std::vector<double> amplitude_nm;  ///< Of a prismatic joint in N, as all torques here.
  std::vector<double> frequency_hz;  ///< As many.
  std::vector<double> phase_rad;     ///< As many, or none: 0.
  double offset_nm = 0.0;

  bool operator==(const SineTorqueOptions&) const = default;
};
FieldTable Visit(SineTorqueOptions& options);

/// Open-loop torque, from a file or as sums of sines; the experiment has no desired motion.
struct TorqueReplayOptions {
  static constexpr std::string_view kType = "torque_replay";
  std::vector<double> q_rad;     ///< Where the robot starts, n.
  std::vector<double> qd_rad_s;  ///< n; empty: at rest.
  std::optional<double> duration_s = std::nullopt;
  std::optional<std::string> file = std::nullopt;
  std::string interpolation = "linear";
  Labelled<SineTorqueOptions> joints = {};
  bool effort_limits = false;

  bool operator==(const TorqueReplayOptions&) const = default;
};
/// Refuses a file and sines, neither of them, and sines without a duration.
FieldTable Visit(TorqueReplayOptions& options);

/// The torque of `options` at the beginning of each step of the plant, whatever the state.
/// @throws ConfigError if its file cannot be used. @throws std::invalid_argument for a joint that
///         the robot has not.
std::unique_ptr<Controller> MakeTorqueReplay(const TorqueReplayOptions& options,
                                             const RobotModel& model);

/// What an open-loop experiment has instead of a desired motion: its initial state and duration,
/// which is that of the file unless stated. The desired state is the initial one all the time.
/// @throws ConfigError if the file cannot be used.
std::unique_ptr<Motion> MakeInitialState(const TorqueReplayOptions& options,
                                         const RobotModel& model);

/// What contradicts the robot: sizes, a start out of range, an unknown joint, a file that cannot be
/// used. @param where  JSON pointer of the options.
std::vector<Issue> CheckTorqueReplay(const TorqueReplayOptions& options, const RobotModel& model,
                                     const std::string& where);

}  // namespace idbench
