#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hw/recording_options.h"
#include "reports/gate_options.h"
#include "reports/table_options.h"
#include "robots/dynamics/rows.h"
#include "robots/recording/aligned_view.h"
#include "robots/recording/processing.h"
#include "scenarios/error_law.h"
#include "scenarios/motion/options.h"
#include "scenarios/options/fields.h"
#include "sim/mujoco_options.h"
#include "sim/payload.h"
#include "sim/sensors.h"
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
};
FieldTable Visit(PriorOptions& options);

/// The simulated robot.
struct TruthOptions : SetOptions {
  TrueJointOptions joints;  ///< Its fields stand beside those of the set.

  bool operator==(const TruthOptions&) const = default;
};
FieldTable Visit(TruthOptions& options);

/// The point at which the robot meets its environment.
struct EndEffectorOptions {
  std::string link;                               ///< "" for the last one.
  std::vector<double> point_m = {0.0, 0.0, 0.0};  ///< In the link's frame.
};
FieldTable Visit(EndEffectorOptions& options);

struct RobotOptions {
  std::string model;  ///< Name in the catalogue, or path of an MJCF or URDF file.
  std::optional<EndEffectorOptions> end_effector;  ///< Absent: the origin of the last link.
  std::optional<TruthOptions> truth;               ///< Nothing for a recording.
};
FieldTable Visit(RobotOptions& options);

/// A body of unknown mass and moments on a link of a robot that is known.
struct PayloadUnknownsOptions {
  std::string link;                             ///< "": the robot's last one.
  std::vector<double> com_m = {0.0, 0.0, 0.0};  ///< Its known centre, in the link's frame.
  std::vector<double> mass_bounds_kg = {};      ///< Lower and upper.
  std::vector<double> moment_bounds_kgm2 = {};  ///< Of all three moments.
  double prior_range_fraction = 0.5;            ///< Prior mean, from lower to upper bound.
};
FieldTable Visit(PayloadUnknownsOptions& options);

/// What the unknowns are.
struct ParametrisationOptions {
  std::string type = "base";
  std::vector<std::string> friction;  ///< Of viscous, coulomb, offset.
  bool rotor_inertia = false;
  /// Width of tanh(q̇/w) in the Coulomb columns; 0 for sign(q̇). Absent: as the simulated friction,
  /// or 0 for a recording.
  std::optional<double> coulomb_width_rad_s;
  // Bounds; what they are of stands at SetBounds().
  std::optional<double> lower_prior_factor;
  std::optional<double> upper_prior_factor;
  std::optional<PayloadUnknownsOptions> payload;  ///< Of type "payload".
  std::optional<double> first_moment_reach_m;
  Labelled<std::vector<double>> bounds;

  bool bounded() const;
};
FieldTable Visit(ParametrisationOptions& options);

struct ProblemOptions {
  ParametrisationOptions parametrisation;
  std::optional<PriorOptions> prior;
  std::vector<std::string> equations = {"joint_torque"};
  AlignmentOptions alignment;
};
FieldTable Visit(ProblemOptions& options);
/// In the order in which regressors have them: joint torques, then the base wrench.
std::vector<Equation> EquationsOf(const ProblemOptions& options);

struct ExperimentOptions {
  std::string role = "identification";
  std::optional<MotionOptions> motion;      ///< Of a simulation.
  std::optional<ControlOptions> control;    ///< Of a simulation; absent: the scenario's.
  std::optional<std::string> file;          ///< Of a recording, relative to its root.
  std::vector<PayloadEventOptions> events;  ///< Of a simulation: what the model does not know of.
};
FieldTable Visit(ExperimentOptions& options);
/// "identification", "tuning" or "validation".
Role RoleOf(const ExperimentOptions& options);

/// A part of the identification time in which unknowns are compared with the truth after every
/// sample.
struct WindowOptions {
  double from_s = 0.0;
  double until_s = 0.0;
  std::vector<std::string> unknowns = {};  ///< Their names.
  double settled_fraction = 0.05;          ///< Error, relative to the truth, of a settled unknown.
};
FieldTable Visit(WindowOptions& options);

/// A method with its options spelled out.
struct EstimatorOptions {
  std::string type;
  Json options = Json::object();

  void SetLabel(const std::string& label) { type = label; }
  bool operator==(const EstimatorOptions&) const = default;
};
template <>
struct Binding<EstimatorOptions> {
  static void Read(const Json& json, const std::string& pointer, const FieldInfo& info,
                   EstimatorOptions& value, std::vector<Issue>& issues);
  static Json Write(const EstimatorOptions& value);
  static Json Schema(const FieldInfo& info, const EstimatorOptions& value);
};

/// One axis of a sweep: what `set` names advances together, value by value.
struct AxisOptions {
  std::string name;
  std::vector<Json> values;         ///< How the values are called; empty: the first list of `set`.
  Labelled<std::vector<Json>> set;  ///< By JSON pointer, one value each per step.

  std::vector<std::string> ValueLabels() const;
};
FieldTable Visit(AxisOptions& options);

/// A declared benchmark: what a scenario file says.
struct Scenario {
  std::string name;
  std::string title;
  RobotOptions robot;
  std::optional<RecordingOptions> recording;
  std::optional<PlantOptions> plant;  ///< Of a simulation, like control, sensors and trials.
  std::optional<ControlOptions> control;
  std::optional<SensorOptions> sensors;
  Labelled<ExperimentOptions> experiments;
  ProcessingOptions processing;
  ProblemOptions problem;
  Labelled<EstimatorOptions> estimators;
  /// Identification time at which estimates are judged, beside the end.
  std::vector<double> evaluate_at_s;
  Labelled<WindowOptions> windows;   ///< In which online estimators are followed.
  std::vector<std::string> metrics;  ///< Empty: all that the scenario can have.
  std::optional<std::int64_t> trials;
  std::uint64_t seed = 1;
  std::int64_t timing_trials = 20;
  std::optional<double> deadline_rate_hz;  ///< Absent: the sensors' rate.
  std::vector<std::int64_t> keep_series = {0};
  std::vector<TableOptions> tables;
  GateOptions gate;
  std::vector<AxisOptions> sweep;

  bool simulated() const { return !recording; }
  std::int64_t trial_count() const { return trials.value_or(1); }
  /// nullptr if there is none of that label.
  const WindowOptions* FindWindow(const std::string& label) const;
};
FieldTable Visit(Scenario& scenario);

/// The control of an experiment: its own, or that of its scenario, which is a simulation.
const ControlOptions& ControlOf(const Scenario& scenario, const ExperimentOptions& experiment);

/// "t=5" for each of `evaluate_at_s`, as it stands in a metric's name.
std::vector<std::string> CheckpointLabels(const Scenario& scenario);

/// JSON Schema (2020-12) of a scenario file.
Json ScenarioSchema();

}  // namespace idbench
