#include "reports/run/run_manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "reports/run/metric_name.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

constexpr std::int64_t kManifestFormat = 1;

/// The manifest's fields; metrics keyed by name, as in the file.
FieldTable ManifestFields(RunManifest& manifest, Labelled<RunMetric>& metrics) {
  FieldTable table;
  table.Add("format", manifest.format, {.doc = "Version of the run folder", .required = true})
      .Add("scenario", manifest.scenario, {.doc = "Expanded scenario", .required = true})
      .Add("seed", manifest.seed, {.doc = "Seed of all random streams", .required = true})
      .Add("trials", manifest.trials,
           {.doc = "Trials of each cell and estimator", .lower = 1, .required = true})
      .Add("cells", manifest.cells, {.doc = "Cells of the sweep", .required = true})
      .Add("estimators", manifest.estimators, {.doc = "Labels of the estimators", .required = true})
      .Add("observers", manifest.observers, {.doc = "Observers, each with its models"})
      .Add("unbiased", manifest.unbiased, {.doc = "Estimators that declare themselves unbiased"})
      .Add("untaught", manifest.untaught, {.doc = "Estimators that take no data"})
      .Add("framed", manifest.framed,
           {.doc = "Estimators that depend on the choice of body frames, each with the reason"})
      .Add("metrics", metrics, {.doc = "Metrics of the records", .required = true})
      .Add("absent_metrics", manifest.absent_metrics,
           {.doc = "Metrics that the records lack, each with the reason"})
      .Add("marks", manifest.marks, {.doc = "Remarks on what the estimators were given"})
      .Add("commit", manifest.commit, {.doc = "Commit of idbench"})
      .Add("fingerprint", manifest.fingerprint,
           {.doc = "Fingerprint of the floating-point arithmetic"})
      .Add("versions", manifest.versions,
           {.doc = "Versions of idbench and of what it is built with"})
      .Add("build", manifest.build, {.doc = "How idbench was built"})
      .Add("machine", manifest.machine, {.doc = "Machine that computed the run"})
      .Add("shard", manifest.shard,
           {.doc = "Part of the run that this folder holds; null: all of it"});
  return table;
}

/// An object without the keys that a report has no use for; anything else as it is.
Json KnownPart(const Json& json, const FieldTable& table) {
  if (!json.is_object()) return json;
  const std::vector<std::string> names = table.Names();
  Json known = Json::object();
  for (const auto& [key, value] : json.items()) {
    if (std::ranges::find(names, key) != names.end()) known[key] = value;
  }
  return known;
}

void CheckFormat(const Json& json, const std::string& source) {
  const auto format = json.find("format");
  if (format == json.end() || *format == kManifestFormat) return;
  throw ConfigError(source, "/format", fmt::format("got {}", Describe(*format)),
                    {fmt::format("accepted here: {}", kManifestFormat),
                     "another version of idbench wrote this run folder: report with that one"});
}

void AddTwice(const std::string& label, std::string where, std::vector<Issue>& issues) {
  issues.push_back(
      {std::move(where), fmt::format("\"{}\" is there twice", label), {"labels are unique"}});
}

void CheckUnique(std::span<const std::string> labels, const std::string& where,
                 std::vector<Issue>& issues) {
  for (auto here = labels.begin(); here != labels.end(); ++here) {
    if (std::find(labels.begin(), here, *here) == here) continue;
    AddTwice(*here, fmt::format("{}/{}", where, here - labels.begin()), issues);
  }
}

/// What records and tables could not tell apart.
void CheckObservers(const RunManifest& manifest, std::vector<Issue>& issues) {
  const std::vector<RunObserver>& observers = manifest.observers;
  const std::size_t issues_before = issues.size();
  for (std::size_t i = 0; i < observers.size(); ++i) {
    const std::string where = fmt::format("/observers/{}", i);
    const auto here = observers.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::find_if(observers.begin(), here, [&](const RunObserver& other) {
          return other.label == here->label;
        }) != here) {
      AddTwice(here->label, where + "/label", issues);
    }
    if (here->models.empty()) {
      issues.push_back({where + "/models", "is empty", {"accepted here: one model or more"}});
    }
    CheckUnique(here->models, where + "/models", issues);
  }
  if (issues.size() != issues_before) return;
  const auto& labels = manifest.estimators;
  for (std::size_t e = manifest.EstimatorCount(); e < labels.size(); ++e) {
    const auto here = labels.begin() + static_cast<std::ptrdiff_t>(e);
    if (std::find(labels.begin(), here, *here) != here) AddTwice(*here, "/observers", issues);
  }
}

void CheckContents(const RunManifest& manifest, const std::string& source) {
  std::vector<Issue> issues;
  const auto check_object = [&](const char* pointer, const Json& json) {
    if (json.is_object()) return;
    issues.push_back(
        {pointer, fmt::format("got {}", Describe(json)), {"accepted here: an object {…}"}});
  };
  check_object("/scenario", *manifest.scenario);
  check_object("/versions", *manifest.versions);
  check_object("/build", *manifest.build);
  check_object("/machine", *manifest.machine);
  for (std::size_t i = 0; i < manifest.cells.size(); ++i) {
    if (manifest.cells[i].index == static_cast<std::int64_t>(i)) continue;
    issues.push_back({fmt::format("/cells/{}/index", i),
                      fmt::format("got {}", manifest.cells[i].index),
                      {fmt::format("accepted here: {}, its place in the list", i)}});
  }
  CheckUnique(std::span(manifest.estimators).first(manifest.EstimatorCount()), "/estimators",
              issues);
  CheckObservers(manifest, issues);
  if (!issues.empty()) throw ConfigError(source, std::move(issues));
}

std::string TextOf(const Json& scenario, const char* key) {
  const auto text = scenario.find(key);
  return text != scenario.end() && text->is_string() ? text->get<std::string>() : std::string();
}

}  // namespace

const char* RecordNoun(MetricSubject subject) {
  switch (subject) {
    case MetricSubject::kEstimator:
      return "estimate";
    case MetricSubject::kObserver:
      return "observation";
    case MetricSubject::kMotion:
      return "motion";
  }
  return "";
}

FieldTable Visit(RunMetric& metric) {
  FieldTable table;
  table.Add("unit", metric.unit, {.doc = "SI unit; \"1\" for a pure number", .required = true})
      .Add("components", metric.components,
           {.doc = "Labels of joints, links or unknowns; empty: one number alone"})
      .Add("better", metric.better,
           {.doc = "Values that count as better; null: neither more nor less is better in itself"})
      .Add("bounds", metric.bounds, {.doc = "Metric that this one bounds from below; empty: none"})
      .Add("bounded", metric.bounded,
           {.doc = "Statistic of that metric over trials that is bounded; null: it is no bound"})
      .Add("law", metric.law,
           {.doc = "Distribution of the values as far as it is known beforehand; null: it is not"})
      .Add("ranks_with", metric.ranks_with,
           {.doc = "Metrics that must agree on the best estimators for these to count as best"})
      .Add("framed", metric.framed, {.doc = "Values depend on the choice of body frames"})
      .Add("doubt", metric.doubt,
           {.doc = "Reason why the values are not what they are for; empty: they are"})
      .Add("headline", metric.headline,
           {.doc = "Shown in the tables of a scenario that declares none"})
      .Add("observed", metric.observed, {.doc = "Metric of observers, not of estimators"})
      .Add("of_motion", metric.of_motion, {.doc = "Metric of the motion of an experiment"})
      .Add("interval_scale", metric.interval_scale,
           {.doc = "Differences of values mean something, ratios nothing"});
  return table;
}

bool RunMetric::IsRequestedBy(const std::string& request) const {
  if (Requests(request, name)) return true;
  if (!observed) return false;
  const MetricName parts(name);
  return Requests(request, parts.base() + name.substr(parts.quantity.size()));
}

FieldTable Visit(RunObserver& observer) {
  FieldTable table;
  table.Add("label", observer.label, {.doc = "Label of the observer", .required = true})
      .Add("models", observer.models, {.doc = "Models that it was given", .required = true});
  return table;
}

std::string ObservationLabel(const std::string& observer, const std::string& model) {
  return fmt::format("{} of {}", observer, model);
}

std::string MotionLabel(const std::string& experiment) {
  return fmt::format("motion of {}", experiment);
}

std::vector<std::string> MotionsOf(const std::vector<RunMetric>& metrics) {
  std::vector<std::string> experiments;
  for (const RunMetric& metric : metrics) {
    if (metric.subject() != MetricSubject::kMotion) continue;
    std::string experiment = MetricName(metric.name).experiment;
    if (std::ranges::find(experiments, experiment) != experiments.end()) continue;
    experiments.push_back(std::move(experiment));
  }
  return experiments;
}

void RunManifest::AppendOtherLabels() {
  for (const RunObserver& observer : observers) {
    for (const std::string& model : observer.models) {
      estimators.push_back(ObservationLabel(observer.label, model));
    }
  }
  for (const std::string& experiment : MotionsOf(metrics)) {
    estimators.push_back(MotionLabel(experiment));
  }
}

std::size_t RunManifest::ObservationCount() const {
  std::size_t observations = 0;
  for (const RunObserver& observer : observers) observations += observer.models.size();
  return observations;
}

MetricSubject RunManifest::SubjectAt(std::size_t estimator) const {
  const std::size_t observations = EstimatorCount();
  if (estimator < observations) return MetricSubject::kEstimator;
  return estimator < observations + ObservationCount() ? MetricSubject::kObserver
                                                       : MetricSubject::kMotion;
}

std::vector<std::string> RunManifest::Labels(MetricSubject subject) const {
  std::vector<std::string> labels;
  for (std::size_t e = 0; e < estimators.size(); ++e) {
    if (SubjectAt(e) == subject) labels.push_back(estimators[e]);
  }
  return labels;
}

std::optional<RunObservation> RunManifest::ObservationAt(std::size_t estimator) const {
  std::size_t begin = EstimatorCount();  // of the observer's labels
  if (estimator < begin) return std::nullopt;
  for (const RunObserver& observer : observers) {
    if (estimator < begin + observer.models.size()) {
      return RunObservation{observer.label, observer.models[estimator - begin]};
    }
    begin += observer.models.size();
  }
  return std::nullopt;
}

std::optional<std::string> RunManifest::MotionAt(std::size_t estimator) const {
  const std::size_t begin = EstimatorCount() + ObservationCount();
  const std::vector<std::string> motions = MotionsOf(metrics);
  if (estimator < begin || estimator - begin >= motions.size()) return std::nullopt;
  return motions[estimator - begin];
}

FieldTable Visit(RunCell& cell) {
  FieldTable table;
  table.Add("index", cell.index, {.doc = "Place in the list, from 0", .required = true})
      .Add("axes", cell.axes, {.doc = "Value of each axis of the sweep", .required = true})
      .Add("parameters", cell.parameters, {.doc = "Names of the unknowns"})
      .Add("units", cell.units, {.doc = "Units of the unknowns"})
      .Add("sensors", cell.sensors, {.doc = "Sensors with one number per part, noise as σ"});
  return table;
}

std::string RunCell::Label() const {
  std::string label;
  for (const auto& [axis, value] : axes) {
    label += fmt::format("{}{} {}", label.empty() ? "" : ", ", axis, value);
  }
  return label.empty() ? fmt::format("cell {}", index) : label;
}

const std::string* RunCell::Find(const std::string& axis) const {
  const auto found = std::ranges::find(axes, axis, &std::pair<std::string, std::string>::first);
  return found == axes.end() ? nullptr : &found->second;
}

std::string RunManifest::Name() const { return TextOf(*scenario, "name"); }

std::string RunManifest::Title() const {
  const std::string title = TextOf(*scenario, "title");
  return title.empty() ? Name() : title;
}

const Json* ScenarioOfManifest(const Json& json, const std::string& source) {
  if (!json.is_object() || !json.contains("format")) return nullptr;
  const auto scenario = json.find("scenario");
  if (scenario == json.end() || !scenario->is_object()) return nullptr;
  CheckFormat(json, source);
  return &*scenario;
}

bool IsRecording(const Json& scenario) {
  const auto recording = scenario.find("recording");
  return recording != scenario.end() && !recording->is_null();
}

RunManifest ReadManifest(const std::filesystem::path& file) {
  const Json json = ReadJsonFile(file);
  if (json.is_object()) CheckFormat(json, file.string());
  RunManifest manifest;
  Labelled<RunMetric> metrics;
  RunCell cell;
  Json known = KnownPart(json, ManifestFields(manifest, metrics));
  if (const auto cells = known.find("cells"); cells != known.end() && cells->is_array()) {
    for (Json& item : *cells) item = KnownPart(item, Visit(cell));
  }
  std::vector<Issue> issues;
  ReadFields(ManifestFields(manifest, metrics), known, "", issues);
  if (!issues.empty()) throw ConfigError(file.string(), std::move(issues));
  for (auto& [name, metric] : metrics) manifest.metrics.push_back(std::move(metric));
  manifest.AppendOtherLabels();
  CheckContents(manifest, file.string());
  if (manifest.shard) {
    manifest.marks.insert(manifest.marks.begin(),
                          fmt::format("a part of the run: shard {} of {}", manifest.shard->index,
                                      manifest.shard->count));
  }
  return manifest;
}

}  // namespace idbench
