#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenarios/error_law.h"
#include "scenarios/options/fields.h"
#include "sim/true_joints.h"

namespace idbench {

/// A published parameter set of a robot, scaled, and the errors that it is given: DrawTrueSet().
struct SetOptions {
  std::string set;             ///< "" for the robot's nominal set.
  double mass_scale = 1.0;     ///< Of masses; centres of mass stay.
  double inertia_scale = 1.0;  ///< Of inertias about the centres of mass.
  std::optional<ErrorLaw> mass_error;
  std::optional<ErrorLaw> com_error;      ///< In radii of gyration, each coordinate its own.
  std::optional<ErrorLaw> inertia_error;  ///< Each principal moment its own.
  std::string draw = "cell";              ///< Or "trial": each draws errors of its own.

  bool operator==(const SetOptions&) const = default;
};
FieldTable Visit(SetOptions& options);

/// What is taken for known before any data.
struct PriorOptions : SetOptions {
  /// σ of a parameter relative to its prior value; of a parameter that is 0, relative to the
  /// largest of its kind. Absent: the prior has no covariance.
  std::optional<double> relative_std;
  /// Instead: σ by where in its bounds a parameter is, see SigmaWithinBounds().
  std::optional<double> std_of_bounds;
  std::vector<double> unknown_scale;  ///< Factors of the mean, one per unknown; empty: 1.
};
FieldTable Visit(PriorOptions& options);

/// The simulated robot.
struct TruthOptions : SetOptions {
  TrueJointOptions joints;  ///< Its fields stand beside those of the set.
  /// Where the IMU is beyond the point that RobotOptions say, in the link's frame.
  std::vector<double> imu_offset_m = {0.0, 0.0, 0.0};

  bool operator==(const TruthOptions&) const = default;
};
FieldTable Visit(TruthOptions& options);

/// The point at which the robot meets its environment.
struct EndEffectorOptions {
  std::string link;                               ///< "" for the last one.
  std::vector<double> point_m = {0.0, 0.0, 0.0};  ///< In the link's frame.
};
FieldTable Visit(EndEffectorOptions& options);

/// Where the inertial measurement unit is, as far as estimators know.
struct ImuOptions {
  std::string link;
  std::vector<double> point_m = {0.0, 0.0, 0.0};  ///< In the link's frame.
};
FieldTable Visit(ImuOptions& options);

/// Where a distance meter is, and where it looks.
struct DistanceMeterOptions {
  std::string link;
  std::vector<double> point_m = {0.0, 0.0, 0.0};  ///< In the link's frame.
  std::vector<double> axis = {0.0, 0.0, -1.0};    ///< In the link's frame, of any length but 0.
};
FieldTable Visit(DistanceMeterOptions& options);

struct RobotOptions {
  std::string model;  ///< Name in the catalogue, or path of an MJCF or URDF file.
  std::optional<EndEffectorOptions> end_effector;  ///< Absent: the origin of the last link.
  std::optional<ImuOptions> imu;                   ///< Absent: there is none.
  std::optional<DistanceMeterOptions> distance_meter;
  std::optional<TruthOptions> truth;  ///< Nothing for a recording.
};
FieldTable Visit(RobotOptions& options);

}  // namespace idbench
