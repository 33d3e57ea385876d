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
#include "scenarios/motion/trajectory/timed_table.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// Torque of one motor over time, continuous:
///   u(t) = offset + Σ_k amplitude_k·sin(2π·frequency_k·t + phase_k) + Σ_k c_k·T_k(2t/period − 1),
/// with T_k the Chebyshev polynomial of degree k = 0, 1 …
struct TorqueSeriesOptions {
  std::vector<double> amplitude_nm;  ///< In N on a prismatic joint, as all torques here.
  std::vector<double> frequency_hz;  ///< One per amplitude.
  std::vector<double> phase_rad;     ///< One per amplitude, or none: 0.
  double offset_nm = 0.0;
  std::vector<double> chebyshev_nm = {};  ///< Coefficients c_k.
  std::optional<double> chebyshev_period_s = std::nullopt;

  bool operator==(const TorqueSeriesOptions&) const = default;
};
FieldTable Visit(TorqueSeriesOptions& options);

/// Torque between the rows of a file.
enum class TorqueInterpolation {
  kLinear,
  kHold,  ///< That of the last row.
};
template <>
inline constexpr auto kEnumNames<TorqueInterpolation> =
    std::to_array<EnumName<TorqueInterpolation>>(
        {{TorqueInterpolation::kLinear, "linear"}, {TorqueInterpolation::kHold, "hold"}});

/// Open-loop torque, from a file or as a series per motor; the experiment has no desired motion.
struct TorqueReplayOptions {
  static constexpr std::string_view kType = "torque_replay";
  std::vector<double> q_rad;     ///< Initial joint positions, n.
  std::vector<double> qd_rad_s;  ///< n; empty: at rest.
  std::optional<double> duration_s = std::nullopt;
  std::optional<std::string> file = std::nullopt;
  TorqueInterpolation interpolation = TorqueInterpolation::kLinear;
  Labelled<TorqueSeriesOptions> actuators = {};
  bool effort_limits = false;

  bool operator==(const TorqueReplayOptions&) const = default;
};
/// The table refuses a file together with series, neither of them, series without a duration, and a
/// duration beyond the period of the Chebyshev polynomials, where they grow without bounds.
FieldTable Visit(TorqueReplayOptions& options);

/// Returns the content of the file of `options`, motor torques over time; nothing without a file.
/// @throws ConfigError if the file cannot be used.
std::optional<TimedTable> ReadTorqueTable(const TorqueReplayOptions& options,
                                          const RobotModel& model);

/// Makes the joint torque τ(t) = B·u(t) of `options`.
/// @param table  see ReadTorqueTable(); if present, it replaces the series.
/// @throws std::invalid_argument if the robot lacks one of its motors, or for a file without its
///         table.
std::unique_ptr<TorqueLaw> MakeTorqueLaw(const TorqueReplayOptions& options,
                                         const std::optional<TimedTable>& table,
                                         const RobotModel& model);

/// Makes what an open-loop experiment has in place of a desired motion: its initial state and its
/// duration, by default that of the table. The desired state is always the initial one.
/// @throws std::invalid_argument if neither states a duration.
std::unique_ptr<Motion> MakeInitialState(const TorqueReplayOptions& options,
                                         const std::optional<TimedTable>& table,
                                         const RobotModel& model);

/// Returns the contradictions between `options` and the robot: sizes, a start out of range, an
/// unknown motor, effort limits without one motor per joint, a file that cannot be used.
/// @param where  JSON pointer of the options.
std::vector<Issue> CheckTorqueReplay(const TorqueReplayOptions& options, const RobotModel& model,
                                     const std::string& where);

}  // namespace idbench
