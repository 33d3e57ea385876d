#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hw/recording_options.h"
#include "reports/gate_options.h"
#include "reports/table_options.h"
#include "robots/recording/processing.h"
#include "scenarios/motion/options.h"
#include "scenarios/options/fields.h"
#include "scenarios/problem_options.h"
#include "scenarios/robot_options.h"
#include "sim/mujoco_options.h"
#include "sim/payload.h"
#include "sim/sensors.h"

namespace idbench {

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
/// True if the experiment is simulated with open-loop torque.
bool IsTorqueReplay(const Scenario& scenario, const ExperimentOptions& experiment);

/// "t=5" for each of `evaluate_at_s`, as it stands in a metric's name.
std::vector<std::string> CheckpointLabels(const Scenario& scenario);

/// JSON Schema (2020-12) of a scenario file.
Json ScenarioSchema();

}  // namespace idbench
