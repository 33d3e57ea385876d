#include "scenarios/scenario.h"

#include <fmt/format.h>

#include <algorithm>

#include "estimators/interface/estimate.h"
#include "estimators/registry.h"
#include "scenarios/motion/controllers.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

std::string TextOf(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// Names of all outcomes of a record but that of success.
std::vector<std::string> FailedOutcomes() {
  using enum Outcome;
  std::vector<std::string> names;
  for (const Outcome outcome :
       {kRankDeficient, kNotConverged, kDiverged, kNonFinite, kRefused, kCrashed, kPlantFailed}) {
    names.emplace_back(ToString(outcome));
  }
  return names;
}

}  // namespace

FieldTable Visit(ExperimentOptions& o) {
  FieldTable table;
  table
      .Add(
          "role", o.role,
          {.doc = "Use of the data: estimators see identification data only, nothing may be chosen "
                  "on validation data, and application data show what models are used for"})
      .Add("motion", o.motion, {.doc = "Desired motion of a simulation"})
      .Add("control", o.control,
           {.doc = "Controller of this experiment; null: that of the scenario"})
      .Add("file", o.file,
           {.doc = "File of a recording, relative to the recording's root; or an object that names "
                   "the file of each channel"})
      .Add(
          "window", o.window,
          {.doc =
               "Part of the recording that the experiment is, cut out before anything is filtered; "
               "null: all of it"})
      .Add("events", o.events,
           {.doc =
                "Events in which payloads of the simulated robot are attached, detached or filled"})
      .Add(
          "environment", o.environment,
          {.doc =
               "Touches, pushes and walls that act on the simulated robot from outside, unknown to "
               "controllers and models; null: nothing can touch it"})
      .Add("release", o.release,
           {.doc = "Time after the end of the motion in which the controller lets the robot go, as "
                   "in push and let go; null: the experiment ends with the motion"})
      .Add("configuration", o.configuration,
           {.doc = "Name in /configurations of the bodies that are attached to the robot; empty: "
                   "nothing is"});
  return table;
}

FieldTable Visit(WindowOptions& o) {
  FieldTable table;
  table
      .Add("from_s", o.from_s,
           {.doc = "Identification time at which the window begins", .unit = "s", .lower = 0.0})
      .Add("until_s", o.until_s,
           {.doc = "Identification time at which the window ends; a sample at it lies outside",
            .unit = "s",
            .required = true})
      .Add("unknowns", o.unknowns,
           {.doc = "Names of the unknowns that are compared with the truth", .required = true})
      .Add("settled_fraction", o.settled_fraction,
           {.doc = "Error, relative to the truth, below which an unknown counts as settled",
            .lower = 0.0,
            .lower_open = true})
      .Check([&o](std::vector<Issue>& issues) {
        if (o.until_s <= o.from_s) {
          issues.push_back({"/until_s", fmt::format("is {} s, not after from_s", o.until_s), {}});
        }
        if (o.unknowns.empty()) {
          issues.push_back({"/unknowns", "is empty", {"name at least one unknown"}});
        }
      });
  return table;
}

void Binding<EstimatorOptions>::Read(const Json& json, const std::string& pointer, const FieldInfo&,
                                     EstimatorOptions& value, std::vector<Issue>& issues) {
  if (!binding_internal::ExpectObject(json, pointer, issues)) return;
  if (const auto type = json.find("type"); type != json.end()) {
    const std::string at = PointerTo(pointer, "type");
    const std::size_t before = issues.size();
    Binding<std::string>::Read(*type, at, FieldInfo{}, value.type, issues);
    if (issues.size() != before) return;
  }
  const EstimatorEntry* entry = FindEstimator(value.type);
  if (entry == nullptr) {
    std::vector<std::string> details = AcceptedNames(value.type, EstimatorTypes());
    details.emplace_back("a label that is not the name of an estimator needs a \"type\"");
    issues.push_back({pointer, fmt::format("no such estimator: \"{}\"", value.type), details});
    return;
  }
  const std::unique_ptr<Estimator> estimator = entry->make();
  const FieldTable fields = estimator->Fields();
  ReadFields(fields, json, pointer, issues, "type");
  value.options = WriteFields(fields);
}

void Binding<EstimatorOptions>::Write(const EstimatorOptions& value, Json& json) {
  json = {{"type", value.type}};
  json.update(*value.options);
}

void Binding<EstimatorOptions>::Schema(const FieldInfo&, const EstimatorOptions&, Json& schema) {
  Json choices = Json::array();
  for (const EstimatorEntry& entry : EstimatorRegistry()) {
    choices.push_back(
        binding_internal::WithType(SchemaOf(entry.make()->Fields()), entry.type, false));
  }
  schema = {{"anyOf", choices}};
}

std::vector<std::string> AxisOptions::ValueLabels() const {
  std::vector<std::string> labels;
  const std::vector<JsonValue>& source =
      values.empty() && !set.empty() ? set.front().second : values;
  for (const JsonValue& value : source) labels.push_back(TextOf(*value));
  return labels;
}

FieldTable Visit(AxisOptions& o) {
  FieldTable table;
  table.Add("name", o.name, {.doc = "Name of the axis in tables", .required = true})
      .Add("values", o.values,
           {.doc = "Labels of the axis's values; empty: the first list of `set`"})
      .Add("set", o.set,
           {.doc = "Lists of values, one per step, by JSON pointer into the scenario",
            .required = true})
      .Check([&o](std::vector<Issue>& issues) {
        if (o.set.empty()) {
          issues.push_back({"/set",
                            "sweeps over nothing",
                            {"name at least one JSON pointer with a list of values"}});
        }
        const std::size_t steps = o.ValueLabels().size();
        for (const auto& [pointer, list] : o.set) {
          if (list.empty()) {
            issues.push_back({PointerTo("/set", pointer),
                              "sweeps over nothing",
                              {"a list with at least one value is needed"}});
          } else if (list.size() != steps) {
            issues.push_back(
                {PointerTo("/set", pointer),
                 fmt::format("got a list of {}, but the axis has {} values", list.size(), steps),
                 {"the lists of an axis advance together: give them the same length"}});
          }
        }
      });
  return table;
}

FieldTable Visit(Scenario& o) {
  FieldTable table;
  table.Add("name", o.name, {.doc = "Name of the scenario", .required = true})
      .Add("title", o.title,
           {.doc = "One line that tells what the scenario shows; empty: its name"})
      .Add("extends", o.extends,
           {.doc = "Scenario file, its path from the folder of this one, that this one lies over: "
                   "objects merge key by key, what is no object or of another type is replaced, "
                   "and null takes out an experiment, estimator, observer, configuration or "
                   "attached body; null: none"})
      .Add("robot", o.robot,
           {.doc = "Robot of the experiments, and its true parameters in a simulation",
            .required = true})
      .Add("attached", o.attached,
           {.doc = "Bodies by name that can be attached to the robot, known or to be identified: "
                   "tools, loads, the part of a link beyond its force/torque sensor"})
      .Add("configurations", o.configurations,
           {.doc = "Sets of attached bodies, by the name that experiments refer to"})
      .Add("recording", o.recording,
           {.doc = "Recordings of a real robot, in place of a simulation; null: a simulation"})
      .Add("plant", o.plant, {.doc = "Simulator that the experiments run on"})
      .Add("control", o.control, {.doc = "Controller that makes the robot follow its motion"})
      .Add("sensors", o.sensors, {.doc = "Channels that are measured, and their errors"})
      .Add("laboratory", o.laboratory,
           {.doc = "Plant on which estimators make experiments of their own in a simulation, one "
                   "for each of them in each trial; null: with the defaults of this object"})
      .Add("experiments", o.experiments, {.doc = "Experiments by label", .required = true})
      .Add("processing", o.processing, {.doc = "Processing of the data before estimators get them"})
      .Add("scoring", o.scoring,
           {.doc = "Comparison of all estimates with measured torques, wrenches at force/torque "
                   "sensors and duty cycles; null: with the defaults of this object for "
                   "recordings, with the processed data as they are in a simulation"})
      .Add("problem", o.problem, {.doc = "Unknowns to estimate, and prior knowledge"})
      .Add("estimators", o.estimators,
           {.doc = "Estimators by label; `type` defaults to the label", .required = true})
      .Add("observers", o.observers,
           {.doc = "Observers by label: they tell what acts on the robot in experiments of role "
                   "application, from models; `type` defaults to the label"})
      .Add("expected_failures", o.expected_failures,
           {.doc =
                "Outcomes by label of estimators that are to fail so in every trial: a run without "
                "a success of theirs is fine",
            .choices = FailedOutcomes()})
      .Add("evaluate_at_s", o.evaluate_at_s,
           {.doc = "Checkpoints: estimates from the identification data up to each of these times "
                   "are judged too, as `metric@experiment@t=5`",
            .unit = "s",
            .lower = 0.0,
            .lower_open = true})
      .Add("windows", o.windows,
           {.doc = "Windows by label: parts of the identification time in which online estimators "
                   "are compared with the truth after every sample"})
      .Add("metrics", o.metrics,
           {.doc = "Metrics to record; empty: all that the scenario can have, of which tables that "
                   "none declares show the headline ones; all: they show all"})
      .Add("overall_ratio_to_prior", o.overall_ratio_to_prior,
           {.doc = "Overall value of joint_torque_ratio_to_prior: the ratio of the norms of the "
                   "errors, or the mean over joints, which one light joint can decide"})
      .Add("trials", o.trials,
           {.doc = "Monte Carlo trials of each cell; null: 100 in a simulation, 1 for recordings",
            .lower = 1})
      .Add("seed", o.seed, {.doc = "Seed of all random numbers"})
      .Add("noise_seed", o.noise_seed,
           {.doc = "Seed of the sensors' noise alone: fresh noise for the same robots, priors and "
                   "motions; null: the seed"})
      .Add(
          "first_trial", o.first_trial,
          {.doc = "Trial of the scenario that the run begins with: of two runs of 100 trials, the "
                  "one from 100 draws further ones than that from 0, and both number their records "
                  "from 0; null: 0",
           .lower = 0,
           .upper = 1e15})
      .Add("timing_trials", o.timing_trials,
           {.doc = "Estimates to time for each estimator and cell, alone on one thread; null: 20, "
                   "as far "
                   "as they take no longer than the accuracy pass",
            .lower = 0})
      .Add("deadline_rate_hz", o.deadline_rate_hz,
           {.doc = "Rate that single updates have to keep up with; those that miss it are counted; "
                   "null: the sensors' rate in a simulation, none for recordings",
            .unit = "Hz",
            .lower = 0.0,
            .lower_open = true})
      .Add("keep_series", o.keep_series,
           {.doc = "Indices of the trials whose time series are written to series/", .lower = 0})
      .Add("tables", o.tables,
           {.doc = "Tables of the report; empty: one for each headline metric, the sweep's axes × "
                   "estimators"})
      .Add("published_rates", o.published_rates,
           {.doc = "Rates of detection printed elsewhere: crosses in the chart of detection_roc"})
      .Add("gate", o.gate, {.doc = "Criteria of `idbench gate` and `idbench compare`"})
      .Add("sweep", o.sweep,
           {.doc = "Axes of the sweep; every combination of their values is a cell"})
      .Check([&o](std::vector<Issue>& issues) {
        if (o.extends) {
          issues.push_back({"/extends",
                            "only a file can lie over another one",
                            {"put it into the scenario's file"}});
        }
        const auto& times = o.evaluate_at_s;
        if (std::ranges::adjacent_find(times, std::greater_equal{}) == times.end()) return;
        issues.push_back({"/evaluate_at_s",
                          "times do not increase",
                          {"sort the times, and list each of them once"}});
      });
  return table;
}

const WindowOptions* Scenario::FindWindow(const std::string& label) const {
  const auto found =
      std::ranges::find(windows, label, &std::pair<std::string, WindowOptions>::first);
  return found == windows.end() ? nullptr : &found->second;
}

std::vector<std::string> CheckpointLabels(const Scenario& scenario) {
  std::vector<std::string> labels;
  for (const double t : scenario.evaluate_at_s) labels.push_back(fmt::format("t={}", t));
  return labels;
}

const ControlOptions& ControlOf(const Scenario& scenario, const ExperimentOptions& experiment) {
  return experiment.control ? *experiment.control : *scenario.control;
}

bool IsTorqueReplay(const Scenario& scenario, const ExperimentOptions& experiment) {
  return scenario.simulated() &&
         std::holds_alternative<TorqueReplayOptions>(ControlOf(scenario, experiment));
}

bool IsStaged(const Scenario& scenario, const ExperimentOptions& experiment) {
  if (!scenario.simulated()) return false;
  const ControlLoopOptions* const loop = LoopOf(ControlOf(scenario, experiment));
  return loop != nullptr && loop->model == ControlModel::kEstimate;
}

Json ScenarioSchema() {
  Scenario scenario;
  Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                 {"title", "idbench scenario"}};
  schema.update(SchemaOf(Visit(scenario)));
  // What is required may stand in the file that this one lies over.
  schema["anyOf"] =
      Json::array({{{"required", Json::array({"extends"})}}, {{"required", schema["required"]}}});
  schema.erase("required");
  return schema;
}

}  // namespace idbench
