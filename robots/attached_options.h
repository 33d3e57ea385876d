#pragma once

#include <optional>
#include <string>
#include <vector>

#include "robots/robot.h"
#include "scenarios/options/config_error.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// Inertia of a body, in its own frame.
struct BodyInertiaOptions {
  double mass_kg = 0.0;
  std::vector<double> com_m = {0.0, 0.0, 0.0};  ///< Centre of mass.
  /// About the centre of mass: Ixx, Iyy, Izz, optionally followed by Ixy, Ixz, Iyz; a point
  /// without.
  std::vector<double> inertia_com_kgm2 = {0.0, 0.0, 0.0};

  bool operator==(const BodyInertiaOptions&) const = default;
};
FieldTable Visit(BodyInertiaOptions& options);

/// A body B that can be fixed to a body L of the model file, see AttachedBody.
struct AttachedBodyOptions {
  std::string link;  ///< L, a link or fused into one.
  std::vector<double> p_LB_L_m = {0.0, 0.0, 0.0};
  std::vector<double> rpy_rad = {0.0, 0.0, 0.0};  ///< R_LB, see RotationOfRpy().
  bool known = false;                             ///< `prior` is what it has, nothing is estimated.
  std::optional<BodyInertiaOptions> prior = std::nullopt;  ///< What is assumed of it; absent: 0.
  std::optional<BodyInertiaOptions> truth =
      std::nullopt;    ///< In a simulation; absent: that of the prior.
  bool drawn = false;  ///< In place of `truth`: the prior's, with the errors of the robot's truth.

  bool operator==(const AttachedBodyOptions&) const = default;
};
FieldTable Visit(AttachedBodyOptions& options);

/// What is attached in some experiments, and which terms have a value of their own there.
struct ConfigurationOptions {
  std::vector<std::string> attached = {};  ///< Names of bodies.
  /// Names of terms, as patterns; `<sensor>.offset` is short for the six of a sensor.
  std::vector<std::string> own = {};
  /// Body that something touches, a link, one that is fused into a link, or an attached one; "":
  /// none.
  std::string touched = "";

  bool operator==(const ConfigurationOptions&) const = default;
};
FieldTable Visit(ConfigurationOptions& options);

/// By name.
using AttachedBodies = Labelled<AttachedBodyOptions>;
using Configurations = Labelled<ConfigurationOptions>;

/// An experiment's configuration.
struct ConfigurationUse {
  std::string name;  ///< "": nothing is attached.
  bool identified = false;
};

/// Gives a robot bodies that can be attached, with what is assumed of them in all of its sets, and
/// the configurations that are used, in the order of `configurations`; before them one without a
/// name if that is used, or if none is.
///
/// Appends issues for an unknown link or one without a body in the model file, a name that a body
/// of the file has (but a part of that link, at its place) or that holds a ".", a known body
/// without a prior, a body that no experiment uses, an unknown body that no identification
/// experiment has, a configuration with a body that is not declared or is named twice or that is
/// touched where there is none, and one called "".
/// @param uses  of the experiments, in their order; their names are checked by the caller.
void AddAttached(const AttachedBodies& bodies, const Configurations& configurations,
                 const std::vector<ConfigurationUse>& uses, Robot& robot,
                 std::vector<Issue>& issues);

/// Returns which bodies are always attached, and are bodies of the model file that stand where the
/// file has them: parts of a link that a force/torque sensor splits.
std::vector<int> SplitFromLinks(const Robot& robot);
/// Returns π with those as parts of their links again: π_link += X·π_body. Theirs becomes 0.
Eigen::VectorXd WithLinksWhole(const Robot& robot, Eigen::VectorXd pi);

/// Gives a robot, after all its terms, a term `<name>@<configuration>` for each that a
/// configuration has of its own, with the values of the shared one in all sets. Configurations that
/// nobody uses get none.
///
/// Appends issues for a name that no term has, one that is named twice, and for configurations
/// without data for identification, of which nothing could be learnt.
void AddOwnTerms(const Configurations& configurations, Robot& robot, std::vector<Issue>& issues);

/// Returns the robot without anything that can be attached, and without terms of configurations.
Robot WithoutAttached(const Robot& robot);
/// Returns π of that robot.
Eigen::VectorXd WithoutAttached(const RobotModel& model,
                                const Eigen::Ref<const Eigen::VectorXd>& pi);

}  // namespace idbench
