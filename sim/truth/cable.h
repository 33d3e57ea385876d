#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "robots/dynamics/model.h"
#include "robots/dynamics/terms.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// Torque of a cable that bends with a joint: a spring, τ = k·(q − q₀), which a joint's torque has
/// to overcome as it does friction. The cable itself pulls the joint towards q₀.
struct CableTorqueOptions {
  static constexpr std::string_view kType = "torque";
  std::string joint;
  double stiffness_nm_rad = 0.0;  ///< k
  double rest_rad = 0.0;          ///< q₀

  bool operator==(const CableTorqueOptions&) const = default;
};
FieldTable Visit(CableTorqueOptions& options);

/// Wrench of a cable that bridges a force/torque sensor: one component w of what the sensor reads
/// grows by w = a·sin(Σ fⱼ·qⱼ + φ).
struct CableWrenchOptions {
  static constexpr std::string_view kType = "wrench";
  std::string sensor;
  std::string component = "Fx";  ///< One of kWrenchComponents.
  double amplitude_n_nm = 0.0;   ///< a
  Labelled<double> angle = {};   ///< f, by joint.
  double phase_rad = 0.0;        ///< φ

  bool operator==(const CableWrenchOptions&) const = default;
};
FieldTable Visit(CableWrenchOptions& options);

/// What a cable does, a function of the pose alone.
using CableOptions = std::variant<CableTorqueOptions, CableWrenchOptions>;

/// Returns an issue for each cable at a joint or sensor that the robot has not.
/// @param where  JSON pointer of the list.
/// @param cuts   names of the force/torque sensors.
std::vector<Issue> CheckCables(const std::vector<CableOptions>& cables, const std::string& where,
                               const std::vector<std::string>& joints,
                               const std::vector<std::string>& cuts);

/// CableTorqueOptions of a robot.
struct CableSpring {
  int joint = 0;
  double stiffness = 0.0;  ///< k [N·m/rad or N/m]
  double rest = 0.0;       ///< q₀ [rad or m]

  /// Returns τ [N·m or N] at position q [rad or m].
  double Torque(double q) const { return stiffness * (q - rest); }
};

/// CableWrenchOptions of a robot.
struct CableWave {
  int component = 0;                    ///< Of force, then moment.
  double amplitude = 0.0;               ///< a [N or N·m]
  std::vector<Term::Share> angle = {};  ///< f
  double phase = 0.0;                   ///< φ [rad]

  /// Returns w [N or N·m] at positions q, n [rad or m].
  double At(const Eigen::VectorXd& q) const;
};

/// Return those of a robot: of its joints, and of the sensor at the cut of that name.
/// @throws std::invalid_argument if CheckCables() finds an issue.
std::vector<CableSpring> SpringsOf(const std::vector<CableOptions>& cables,
                                   const RobotModel& model);
std::vector<CableWave> WavesOf(const std::vector<CableOptions>& cables, const RobotModel& model,
                               std::string_view cut);

}  // namespace idbench
