#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hw/recording_options.h"
#include "reports/gate/gate_options.h"
#include "reports/run/published_rates.h"
#include "reports/tables/table_options.h"
#include "robots/attached_options.h"
#include "robots/recording/data_window.h"
#include "robots/recording/processing.h"
#include "scenarios/laboratory_options.h"
#include "scenarios/motion/options.h"
#include "scenarios/observer_options.h"
#include "scenarios/options/fields.h"
#include "scenarios/options/json_value.h"
#include "scenarios/problem/problem_options.h"
#include "scenarios/problem/robot_options.h"
#include "scenarios/scoring.h"
#include "sim/sensors/sensors.h"
#include "sim/truth/environment_options.h"
#include "sim/truth/mujoco_options.h"
#include "sim/truth/payload.h"

namespace idbench {

struct ExperimentOptions {
  Role role = Role::kIdentification;
  std::optional<MotionOptions> motion;      ///< For a simulation.
  std::optional<ControlOptions> control;    ///< For a simulation; absent: the scenario's.
  std::optional<RecordingFiles> file;       ///< For a recording, relative to its root.
  std::optional<DataWindowOptions> window;  ///< For a recording; absent: all of it.
  std::vector<PayloadEventOptions> events;  ///< For a simulation: changes unknown to the model.
  /// For a simulation: forces from outside; absent: nothing can touch the robot.
  std::optional<EnvironmentOptions> environment;
  /// For a simulation: what follows the motion; absent: nothing.
  std::optional<ReleaseOptions> release;
  std::string configuration;  ///< What is attached, by name; "": nothing.
};
FieldTable Visit(ExperimentOptions& options);

/// Part of the identification time, from `from_s` on and before `until_s`, in which unknowns are
/// compared with the truth after every sample.
struct WindowOptions {
  double from_s = 0.0;
  double until_s = 0.0;
  std::vector<std::string> unknowns = {};  ///< Names of the unknowns.
  /// An unknown has settled when its error relative to the truth is below this.
  double settled_fraction = 0.05;
};
FieldTable Visit(WindowOptions& options);

/// Estimator type with all its options.
struct EstimatorOptions {
  std::string type;
  JsonValue options = JsonValue::EmptyObject();

  void SetLabel(const std::string& label) { type = label; }
  bool operator==(const EstimatorOptions&) const = default;
};
template <>
struct Binding<EstimatorOptions> {
  static void Read(const Json& json, const std::string& pointer, const FieldInfo& info,
                   EstimatorOptions& value, std::vector<Issue>& issues);
  static void Write(const EstimatorOptions& value, Json& json);
  static void Schema(const FieldInfo& info, const EstimatorOptions& value, Json& schema);
};

/// Axis of a sweep: everything that `set` names advances together, value by value.
struct AxisOptions {
  std::string name;
  std::vector<JsonValue> values;         ///< Labels of the values; empty: the first list of `set`.
  Labelled<std::vector<JsonValue>> set;  ///< By JSON pointer, one value each per step.

  std::vector<std::string> ValueLabels() const;
};
FieldTable Visit(AxisOptions& options);

/// What a scenario's random numbers are drawn with: streams are numbered by seed and draw. Streams
/// of noise differ in nothing but their seed from those of what is drawn besides.
struct Seeds {
  std::uint64_t all = 1;         ///< Of robots, priors and motions.
  std::uint64_t noise = 1;       ///< Of the sensors, also where they are fed back.
  std::int64_t first_trial = 0;  ///< Draw of trial 0.

  /// Returns the draw of a trial of the run; −1, of what trials share, is itself.
  std::int64_t DrawOf(std::int64_t trial) const { return trial < 0 ? trial : first_trial + trial; }
};

/// What `joint_torque_ratio_to_prior` is over all joints, with e_j and p_j the errors of estimate
/// and prior at joint j (root mean squares).
enum class OverallRatio : std::uint8_t {
  /// ‖e‖/‖p‖. Heavy joints weigh as much as their torque does; one light joint, of which the prior
  /// errs by next to nothing, decides nothing. (Over each joint's own torque it would again.)
  kOfNorms,
  /// The mean of e_j/p_j over joints: a joint that the prior knows well decides it.
  kMeanOverJoints,
};
template <>
inline constexpr auto kEnumNames<OverallRatio> = std::to_array<EnumName<OverallRatio>>(
    {{OverallRatio::kOfNorms, "of_norms"}, {OverallRatio::kMeanOverJoints, "mean_over_joints"}});

/// Benchmark declared by a scenario file.
struct Scenario {
  std::optional<std::string> extends;  ///< Of a file alone, see ExtendScenario().
  std::string name;
  std::string title;
  RobotOptions robot;
  AttachedBodies attached;        ///< What can be attached to the robot.
  Configurations configurations;  ///< What is attached in experiments.
  std::optional<RecordingOptions> recording;
  std::optional<PlantOptions> plant;  ///< For a simulation, like control, sensors and trials.
  std::optional<ControlOptions> control;
  std::optional<SensorOptions> sensors;
  /// Where estimators of a simulation experiment; absent: its defaults.
  std::optional<LaboratoryOptions> laboratory;
  Labelled<ExperimentOptions> experiments;
  ProcessingOptions processing;
  /// How estimates are compared with measured torques; absent: with those of the processed data, as
  /// they are.
  std::optional<ScoringOptions> scoring;
  ProblemOptions problem;
  Labelled<EstimatorOptions> estimators;
  Labelled<ObserverOptions> observers;  ///< They watch experiments of role application.
  /// Outcomes (names of Outcome) of estimators that are to fail in every trial.
  Labelled<std::string> expected_failures;
  /// Identification times [s] at which estimates are judged, besides the end.
  std::vector<double> evaluate_at_s;
  Labelled<WindowOptions> windows;   ///< In which online estimators are tracked.
  std::vector<std::string> metrics;  ///< Empty: all that the scenario can have; see kAllMetrics.
  OverallRatio overall_ratio_to_prior = OverallRatio::kOfNorms;
  std::optional<std::int64_t> trials;
  std::uint64_t seed = 1;
  std::optional<std::uint64_t> noise_seed;
  std::optional<std::int64_t> first_trial;
  /// Absent: 20, as far as they take no longer than the accuracy pass.
  std::optional<std::int64_t> timing_trials;
  std::optional<double> deadline_rate_hz;  ///< Absent: the sensors' rate.
  std::vector<std::int64_t> keep_series = {0};
  std::vector<TableOptions> tables;
  std::vector<PublishedRates> published_rates;
  GateOptions gate;
  std::vector<AxisOptions> sweep;

  bool simulated() const { return !recording; }
  Seeds seeds() const {
    return {
        .all = seed, .noise = noise_seed.value_or(seed), .first_trial = first_trial.value_or(0)};
  }
  std::int64_t trial_count() const { return trials.value_or(1); }
  /// Returns the window with that label, or nullptr if there is none.
  const WindowOptions* FindWindow(const std::string& label) const;
};
FieldTable Visit(Scenario& scenario);

/// Returns the control of a simulated experiment: its own, or that of the scenario.
const ControlOptions& ControlOf(const Scenario& scenario, const ExperimentOptions& experiment);
/// Returns true if the experiment is simulated with open-loop torque.
bool IsTorqueReplay(const Scenario& scenario, const ExperimentOptions& experiment);
/// Returns true if the experiment is controlled with what an estimator found, and so is made for
/// each estimator after its estimate.
bool IsStaged(const Scenario& scenario, const ExperimentOptions& experiment);

/// Returns "t=5" for each of `evaluate_at_s`, in the form of a metric's name.
std::vector<std::string> CheckpointLabels(const Scenario& scenario);

/// Returns the JSON Schema (2020-12) of a scenario file.
Json ScenarioSchema();

}  // namespace idbench
