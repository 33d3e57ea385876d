#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "robots/dynamics/model.h"
#include "robots/plant/motion.h"
#include "robots/plant/torque_law.h"
#include "scenarios/motion/timed_table.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// Torque of one motor over time, continuous:
///   u(t) = offset + Σ_k amplitude_k·sin(2π·frequency_k·t + phase_k) + Σ_k c_k·T_k(2t/period − 1),
/// T_k the Chebyshev polynomial of degree k = 0, 1 …
struct TorqueSeriesOptions {
  std::vector<double> amplitude_nm;  ///< On a prismatic joint in N, as all torques here.
  std::vector<double> frequency_hz;  ///< As many.
  std::vector<double> phase_rad;     ///< As many, or none: 0.
  double offset_nm = 0.0;
  std::vector<double> chebyshev_nm = {};  ///< c
  std::optional<double> chebyshev_period_s = std::nullopt;

  bool operator==(const TorqueSeriesOptions&) const = default;
};
FieldTable Visit(TorqueSeriesOptions& options);

/// Open-loop torque, from a file or as a series of each motor; the experiment has no desired
/// motion.
struct TorqueReplayOptions {
  static constexpr std::string_view kType = "torque_replay";
  std::vector<double> q_rad;     ///< Where the robot starts, n.
  std::vector<double> qd_rad_s;  ///< n; empty: at rest.
  std::optional<double> duration_s = std::nullopt;
  std::optional<std::string> file = std::nullopt;
  std::string interpolation = "linear";
  Labelled<TorqueSeriesOptions> actuators = {};
  bool effort_limits = false;

  bool operator==(const TorqueReplayOptions&) const = default;
};
/// Refuses a file and series, neither of them, series without a duration, and one that is longer
/// than the period of its Chebyshev polynomials, beyond which they grow without bounds.
FieldTable Visit(TorqueReplayOptions& options);

/// The joint torque τ(t) = B·u(t) of `options`.
/// @throws ConfigError if its file cannot be used. @throws std::invalid_argument for a motor that
///         the robot has not.
std::unique_ptr<TorqueLaw> MakeTorqueLaw(const TorqueReplayOptions& options,
                                         const RobotModel& model);

/// What an open-loop experiment has instead of a desired motion: its initial state and duration,
/// which is that of the file unless stated. The desired state is the initial one all the time.
/// @throws ConfigError if the file cannot be used.
std::unique_ptr<Motion> MakeInitialState(const TorqueReplayOptions& options,
                                         const RobotModel& model);

/// What contradicts the robot: sizes, a start out of range, an unknown motor, limits of effort that
/// are not those of motors, a file that cannot be used. @param where  JSON pointer of the options.
std::vector<Issue> CheckTorqueReplay(const TorqueReplayOptions& options, const RobotModel& model,
                                     const std::string& where);

}  // namespace idbench
