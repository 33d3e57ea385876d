#pragma once

#include <optional>
#include <string>
#include <vector>

#include "robots/cut_options.h"
#include "robots/robot_part.h"
#include "robots/term_options.h"
#include "scenarios/options/draw.h"
#include "scenarios/options/fields.h"
#include "scenarios/problem/error_law.h"
#include "sim/truth/true_joints.h"

namespace idbench {

/// Published parameter set of a robot, scaled, and its drawn errors: see DrawTrueSet().
struct SetOptions {
  std::string set;                        ///< "" for the robot's nominal set.
  double mass_scale = 1.0;                ///< Factor of masses; centres of mass stay.
  double inertia_scale = 1.0;             ///< Factor of inertias about the centres of mass.
  std::optional<ErrorLaw> density_error;  ///< Of mass and inertia together.
  std::optional<ErrorLaw> mass_error;
  std::optional<ErrorLaw> com_error;      ///< In radii of gyration, one draw per coordinate.
  std::optional<double> com_error_std_m;  ///< Beside it: σ of one more draw per coordinate.
  std::optional<ErrorLaw> inertia_error;  ///< One draw per principal moment.
  Draw draw = Draw::kCell;                ///< kTrial: each trial draws its own errors.
  Labelled<double> terms;                 ///< Values of the robot's own terms; else the set's.

  /// Returns whether centres of mass have errors.
  bool draws_com() const { return com_error.has_value() || com_error_std_m.has_value(); }
  bool operator==(const SetOptions&) const = default;
};
FieldTable Visit(SetOptions& options);

/// How the error of a prior's mean is drawn.
enum class MeanError {
  kDeclared,  ///< The truth is a draw from what the prior states: see DrawPriorMean().
};
template <>
inline constexpr auto kEnumNames<MeanError> =
    std::to_array<EnumName<MeanError>>({{MeanError::kDeclared, "declared"}});

/// Of a greater relative σ, many draws would have to be drawn again: see DrawTrueSet().
inline constexpr double kGreatestDeclared = 0.25;
/// Masses, moments and eigenvalues are never drawn below this part of what they are without error.
inline constexpr double kLeastFactor = 0.05;

/// Prior: what is assumed before any data.
struct PriorOptions : SetOptions {
  /// σ of a parameter relative to its prior value; for a parameter that is 0, relative to the
  /// largest of its kind. Absent: the prior has no covariance.
  std::optional<double> relative_std;
  /// σ by kind or name of a parameter, in its unit, see EntryFor(); of bodies see BodyCovariance().
  /// They come before relative_std, which holds for the rest. Absent: nothing is known of it.
  Labelled<std::optional<double>> std;
  /// Means of what no body holds, by kind or name, in place of those of the set.
  Labelled<double> mean;
  /// What is not estimated but held at its mean, by kind or name, see KnownOf().
  NamePatterns known;
  std::optional<MeanError> mean_error;  ///< Of what `std` has a σ of; absent: no error is drawn.
  /// Alternative: σ by a parameter's position between its bounds, see SigmaWithinBounds().
  std::optional<double> std_of_bounds;
  std::vector<double> unknown_scale;  ///< Factors of the mean, one per unknown; empty: 1.
  /// Of the mean of each unknown about its true value, in place of that of the set.
  std::optional<ErrorLaw> unknown_error;

  /// Returns whether the prior has a covariance.
  bool has_covariance() const { return relative_std || std_of_bounds || !std.empty(); }

  bool operator==(const PriorOptions&) const = default;
};
FieldTable Visit(PriorOptions& options);

/// Returns true if means are drawn about the truth.
inline bool DrawsAboutTruth(const PriorOptions& prior) {
  return prior.mean_error.has_value() || prior.unknown_error.has_value();
}

/// Options of the simulated robot.
struct TruthOptions : SetOptions {
  TrueJointOptions joints;  ///< Its fields are in the same JSON object as those of the set.
  /// True position of the IMU relative to the point in RobotOptions, in the link's frame.
  std::vector<double> imu_offset_m = {0.0, 0.0, 0.0};

  bool operator==(const TruthOptions&) const = default;
};
FieldTable Visit(TruthOptions& options);

/// Returns true if each trial has a robot of its own.
bool DrawnPerTrial(const TruthOptions& options);

/// Point at which the robot meets its environment.
struct EndEffectorOptions {
  std::string link;                               ///< "" for the last link.
  std::vector<double> point_m = {0.0, 0.0, 0.0};  ///< In the link's frame.
};
FieldTable Visit(EndEffectorOptions& options);

/// Position of the inertial measurement unit, as far as estimators know it.
struct ImuOptions {
  std::string link;
  std::vector<double> point_m = {0.0, 0.0, 0.0};  ///< In the link's frame.
};
FieldTable Visit(ImuOptions& options);

/// Position and direction of a distance meter.
struct DistanceMeterOptions {
  std::string link;
  std::vector<double> point_m = {0.0, 0.0, 0.0};  ///< In the link's frame.
  std::vector<double> axis = {0.0, 0.0, -1.0};    ///< In the link's frame, of any length except 0.
};
FieldTable Visit(DistanceMeterOptions& options);

struct RobotOptions {
  std::string model;  ///< Name in the catalogue, or path of an MJCF or URDF file.
  RobotPart part;     ///< Its fields are in the same JSON object.
  std::optional<EndEffectorOptions> end_effector;  ///< Absent: the origin of the last link.
  std::optional<ImuOptions> imu;                   ///< Absent: there is none.
  std::optional<DistanceMeterOptions> distance_meter;
  ForceTorqueSensors force_torque_sensors;  ///< Beside those of its robot.json.
  std::vector<TermOptions> terms;           ///< Beside those of its robot.json and of the problem.
  std::optional<TruthOptions> truth;        ///< Absent for a recording.
};
FieldTable Visit(RobotOptions& options);

}  // namespace idbench
