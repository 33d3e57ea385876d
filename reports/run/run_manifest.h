#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "reports/run/shard.h"
#include "reports/statistics/better.h"
#include "reports/statistics/statistic.h"
#include "reports/statistics/value_law.h"
#include "scenarios/options/enum_names.h"
#include "scenarios/options/fields.h"
#include "scenarios/options/json_value.h"

namespace idbench {

/// What a metric, and a record, is of.
enum class MetricSubject : std::uint8_t {
  kEstimator,
  kObserver,  ///< What an observer found with one of its models.
  kMotion,    ///< The motion of an experiment.
};
template <>
inline constexpr auto kEnumNames<MetricSubject> =
    std::to_array<EnumName<MetricSubject>>({{MetricSubject::kEstimator, "estimator"},
                                            {MetricSubject::kObserver, "observer"},
                                            {MetricSubject::kMotion, "motion"}});

/// Returns the noun for a record of it: "estimate", "observation", "motion".
const char* RecordNoun(MetricSubject subject);

/// Metric that the records of a run may hold.
struct RunMetric {
  /// `quantity`, `quantity@experiment`, `quantity@experiment@t=5` or `quantity@window`.
  std::string name;
  /// SI, "1" for a pure number; "SI" if each component has its own.
  std::string unit;
  /// Labels of joints, links or unknowns; empty for a single number.
  std::vector<std::string> components;
  /// Values that count as better; nothing where neither more nor less is better in itself.
  std::optional<Better> better = std::nullopt;
  std::string bounds = "";  ///< Name of the metric that it bounds from below; "" if it is no bound.
  std::optional<ValueLaw> law = std::nullopt;  ///< What is known of the values' distribution.
  /// Metrics that must agree on the best estimators for these to count as best; empty: none.
  std::vector<std::string> ranks_with = {};
  bool framed = false;     ///< Other frames of the bodies give the same estimate another value.
  std::string doubt = "";  ///< What keeps its values from what they are for; "" if nothing does.
  bool headline = false;   ///< Shown in the tables of a scenario that declares none.
  bool observed = false;   ///< Of observers, not of estimators.
  bool of_motion = false;  ///< Of the motion of an experiment.
  bool interval_scale = false;  ///< Differences of values mean something, ratios nothing.
  /// What of the metric `bounds` over trials it bounds; nothing if it is no bound.
  std::optional<Statistic> bounded = std::nullopt;

  /// Returns what it is of.
  MetricSubject subject() const {
    if (of_motion) return MetricSubject::kMotion;
    return observed ? MetricSubject::kObserver : MetricSubject::kEstimator;
  }

  /// Returns true if `request` is the name, or its beginning up to an @; of a metric of observers,
  /// without its argument too.
  bool IsRequestedBy(const std::string& request) const;

  /// Returns the values that rank estimators: those that count as better, nothing if other body
  /// frames may rank them otherwise.
  std::optional<Better> RanksBy() const { return framed ? std::nullopt : better; }
  void SetLabel(const std::string& label) { name = label; }
  bool operator==(const RunMetric&) const = default;
};
FieldTable Visit(RunMetric& metric);

/// Cell of the sweep: the value of each axis.
struct RunCell {
  std::int64_t index = 0;      ///< Position in the list.
  Labelled<std::string> axes;  ///< In the order of the scenario; empty without a sweep.
  std::vector<std::string> parameters = {};  ///< Names of the unknowns.
  std::vector<std::string> units = {};       ///< Units of the unknowns.
  /// Resolved sensors, as a scenario writes them; an empty object for recordings.
  JsonValue sensors = JsonValue::EmptyObject();

  /// Returns "torque noise 0.1, duration 5", or "cell 0" without axes.
  std::string Label() const;
  /// Returns the value of an axis, nullptr if there is no such axis.
  const std::string* Find(const std::string& axis) const;
};
FieldTable Visit(RunCell& cell);

/// An observer, and the models that it was given.
struct RunObserver {
  std::string label;
  std::vector<std::string> models;
};
FieldTable Visit(RunObserver& observer);

/// What an observer found with one of its models.
struct RunObservation {
  std::string observer;
  std::string model;
};

/// The robot itself as an observer's model, which is no rival of others.
inline constexpr const char* kTruthModel = "truth";

/// Returns "T2 of ols": what an observer found with a model, beside estimators in tables.
std::string ObservationLabel(const std::string& observer, const std::string& model);
/// Returns "motion of excitation", likewise.
std::string MotionLabel(const std::string& experiment);

/// Returns the experiments whose motions have metrics, in the order of these.
std::vector<std::string> MotionsOf(const std::vector<RunMetric>& metrics);

/// Description of a run, as far as a report needs it.
struct RunManifest {
  std::int64_t format = 1;
  JsonValue scenario = JsonValue::EmptyObject();  ///< Expanded: with all defaults.
  std::uint64_t seed = 0;
  std::int64_t trials = 0;  ///< Planned for each cell and estimator.
  std::vector<RunCell> cells;
  /// Labels, in the order of their records: estimators, then an ObservationLabel() for each
  /// observer and model, then a MotionLabel() for each of MotionsOf().
  std::vector<std::string> estimators;
  std::vector<RunObserver> observers;
  std::vector<std::string> unbiased;  ///< Those that claim to be unbiased.
  std::vector<std::string> untaught;  ///< Those that take no data, as a prior does.
  /// Those that depend on the choice of body frames, each with what makes it so.
  Labelled<std::string> framed;
  std::vector<RunMetric> metrics;        ///< Those that records may hold.
  Labelled<std::string> absent_metrics;  ///< Requested metrics that are impossible, and why.
  std::vector<std::string> marks;        ///< What the estimators got; for captions.
  std::string commit;                    ///< Of idbench; "" if unknown.
  std::string fingerprint;               ///< Fingerprint of the floating-point arithmetic.
  /// Versions of idbench and its libraries: name, version.
  JsonValue versions = JsonValue::EmptyObject();
  /// How idbench was built: type, flags, optimised, assertions; empty in older run folders.
  JsonValue build = JsonValue::EmptyObject();
  JsonValue machine = JsonValue::EmptyObject();  ///< Machine of the run: item, value.
  std::optional<Shard> shard;                    ///< For a part of a run; a mark says so too.

  /// Appends the labels of observations and motions to `estimators`, which has those of estimators
  /// alone.
  void AppendOtherLabels();
  /// Returns how many of `estimators` are estimators; observations and motions stand behind them.
  std::size_t EstimatorCount() const {
    return estimators.size() - ObservationCount() - MotionCount();
  }
  /// Returns observer and model of an index into `estimators` that is of an observation.
  std::optional<RunObservation> ObservationAt(std::size_t estimator) const;
  /// Returns the experiment of an index into `estimators` that is of a motion.
  std::optional<std::string> MotionAt(std::size_t estimator) const;
  /// True if there are observations or motions.
  bool HasOthers() const { return EstimatorCount() < estimators.size(); }
  /// Returns what an index into `estimators` is of.
  MetricSubject SubjectAt(std::size_t estimator) const;
  /// Returns those of `estimators` that are of a subject.
  std::vector<std::string> Labels(MetricSubject subject) const;

  std::string Name() const;   ///< The scenario's `name`, "" if it has none.
  std::string Title() const;  ///< The scenario's `title`, else its name.

 private:
  std::size_t ObservationCount() const;
  std::size_t MotionCount() const { return MotionsOf(metrics).size(); }
};

/// Returns the expanded scenario in the content of a `manifest.json`; nullptr if `json` is none.
/// @throws ConfigError (source: `source`) if it has another format.
const Json* ScenarioOfManifest(const Json& json, const std::string& source);

/// Returns true if an expanded scenario is of recordings, which have no random draws.
bool IsRecording(const Json& scenario);

/// Reads the file `manifest.json` of a run folder; skips keys that a report does not need.
/// @throws ConfigError if it cannot be read, is damaged, or has another format.
RunManifest ReadManifest(const std::filesystem::path& file);

}  // namespace idbench
