#include "bench/run/trial_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "bench/metrics/true_unknowns.h"
#include "estimators/batch/prior_only.h"
#include "reports/run/run_record.h"
#include "robots/plant/plant_error.h"
#include "scenarios/observer_options.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

Json ToJson(const MetricValue& metric) {
  if (!metric.failure.empty()) return {{metric.absent ? "absent" : "failed", metric.failure}};
  Json json = Json::object();
  if (metric.value) json["value"] = *metric.value;
  if (!metric.components.empty()) json["components"] = metric.components;
  if (metric.count) json["count"] = *metric.count;
  return json;
}

/// The robot itself, as observers are given it: its unknowns as far as they have true values.
Estimate TrueModel(const TrialData& data) {
  Estimate model;
  model.pi = *data.true_pi();
  model.x = data.problem().parameters.FromPi(model.pi);
  return model;
}

std::vector<double> ToVector(const Eigen::VectorXd& values) {
  return {values.begin(), values.end()};
}

}  // namespace

/// Collects what is kept of one trial.
class TrialRunner::Keeper {
 public:
  Keeper(KeptTrials& kept, const PreparedCell& context, std::size_t cell, const TrialData& data)
      : kept_(kept), cell_(cell), data_(data) {
    if (data.truth != nullptr) {
      TrueUnknowns truth(context.scenario(), context.problem());
      truth.SetTrial(data);
      trial_.x = truth.At(std::numeric_limits<double>::infinity());
    }
    trial_.left_out = LeftOutOf(data.problem(), data.datasets);
    if (!kept.HasSeries(data.trial)) return;
    tracer_.emplace(context, cell, data);
    if (kept.options().write_series) kept.options().write_series(cell, data);
  }

  std::vector<double> InstantsOf(const Estimator& estimator) const {
    return tracer_ ? tracer_->InstantsOf(estimator) : std::vector<double>();
  }

  /// @param traced_s  InstantsOf() the estimator.
  void Add(const std::string& label, const EstimatorRun& run, std::vector<double> traced_s,
           const StagedExperiments& staged) {
    trial_.estimates.push_back(run.last());
    trial_.estimates.back().series.clear();  // that of every sample is not kept
    if (tracer_) tracer_->Add(label, run, std::move(traced_s), staged);
  }

  void Add(const LabelledObserver& observer, const std::string& model, std::size_t dataset,
           const Observation& observation) {
    if (tracer_) tracer_->Add(observer, model, dataset, observation);
  }

  void Add(const LabelledObserver& observer, const std::string& model,
           const StagedExperiments& staged, const std::string& experiment,
           const Observation& observation) {
    if (tracer_) tracer_->Add(observer, model, staged, experiment, observation);
  }

  void Keep() {
    if (tracer_) trial_.traces = tracer_->traces();
    kept_.Keep(cell_, data_.trial, std::move(trial_));
  }

 private:
  KeptTrials& kept_;
  std::size_t cell_;
  const TrialData& data_;
  std::optional<TrialTracer> tracer_;
  KeptTrial trial_;
};

Trial TrialOfCell(const PreparedCell& context, std::int64_t trial) {
  return {.data = context.Run(trial)};
}

TrialRunner::TrialRunner(const PreparedCell& context, std::size_t cell,
                         const std::vector<RunMetric>& metrics, KeptTrials* kept,
                         const EstimatorSource& estimators, TrialSource trials)
    : context_(context),
      cell_(cell),
      methods_(estimators(context.scenario())),
      observers_(MakeObservers(context.scenario())),
      metrics_(context, metrics),
      observations_(context, metrics),
      motions_(context, metrics),
      kept_(kept),
      trials_(std::move(trials)) {}

std::string TrialRunner::Run(std::int64_t trial) {
  Trial made;
  try {
    made = trials_(context_, trial);
  } catch (const PlantError& error) {
    return Fail(trial, error.what());
  }
  const TrialData& data = made.data;
  std::optional<Keeper> keeper;
  if (kept_ != nullptr && kept_->IsKept(trial)) keeper.emplace(*kept_, context_, cell_, data);
  std::string lines;
  std::vector<Found> found;  // for observers
  FitMetrics::PriorFit prior_fit;
  for (const auto& [label, estimator] : methods_) {
    std::vector<double> traced_s;
    if (keeper) traced_s = keeper->InstantsOf(*estimator);
    EstimatorRun run = RunOnce(*estimator, data.problem(), made.datasets(),
                               {.checkpoints_s = context_.scenario().evaluate_at_s,
                                .traced_s = traced_s,
                                .after_every_sample = metrics_.needs_tracks()},
                               data.make_plant);
    if (run.last().ok()) {
      AddNotes(*estimator, data, prior_fit, run.estimates.back());
    } else {
      ++failures_;
    }
    StagedExperiments staged = RunStaged(data, run.last());
    lines += Record(label, run, data, staged).dump() + '\n';
    if (keeper) keeper->Add(label, run, std::move(traced_s), staged);
    if (observers_.empty()) continue;
    found.push_back({std::move(run.estimates.back()), std::move(staged)});
  }
  lines += Observe(std::move(found), data, made.datasets(), keeper ? &*keeper : nullptr);
  lines += JudgeMotions(data);
  if (keeper) keeper->Keep();
  return lines;
}

StagedExperiments TrialRunner::RunStaged(const TrialData& data, const Estimate& model) const {
  if (!model.ok()) return {};
  StagedExperiments staged = context_.RunStaged(data, model.pi);
  const std::string why_not = data.WhyNoJointTorques();
  if (why_not.empty()) return staged;
  for (StagedExperiment& each : staged) each = {.experiment = each.experiment, .failure = why_not};
  return staged;
}

std::string TrialRunner::Observe(std::vector<Found> found, const TrialData& data,
                                 const std::vector<Dataset>& datasets, Keeper* keeper) {
  // Behind the estimators come the prior and the truth, if an observer takes them.
  std::map<std::string, std::size_t> place;
  for (const auto& [label, estimator] : methods_) place.emplace(label, place.size());
  std::string lines;
  for (LabelledObserver& observer : observers_) {
    for (const std::string& model : observer.models) {
      if (place.emplace(model, found.size()).second) {
        Estimate estimate =
            model == kModelOfTruth ? TrueModel(data) : PriorOnly().Run(data.problem(), {});
        StagedExperiments staged = model == kModelOfTruth
                                       ? context_.RunStaged(data, data.truth->robot.recipe().pi)
                                       : RunStaged(data, estimate);
        found.push_back({std::move(estimate), std::move(staged)});
      }
      lines += ObserverRecord(observer, model, found[place[model]], data, datasets, keeper).dump();
      lines += '\n';
    }
  }
  return lines;
}

Json TrialRunner::ObserverRecord(LabelledObserver& observer, const std::string& model,
                                 const Found& found, const TrialData& data,
                                 const std::vector<Dataset>& datasets, Keeper* keeper) {
  const auto& [estimate, staged] = found;
  Json record = Head(observer, model, data.trial);
  record["rollout"] = data.rollout;
  AddMotion(record);
  record["outcome"] = ToString(estimate.outcome);
  record["metrics"] = Json::object();
  if (!estimate.ok()) {
    record["reason"] = "the model: " + estimate.reason;
    return record;
  }
  Observed observed{observer.observer->detects(), observer.observer->touched_body(), {}};
  const auto add = [&](const std::string& label, Observation observation) {
    observed.experiments.emplace_back(label, std::move(observation));
    const Observation& added = observed.experiments.back().second;
    if (added.ok() || record.contains("reason")) return;
    record["outcome"] = ToString(added.outcome);
    record["reason"] = fmt::format("in {}: {}", label, added.reason);
  };
  for (std::size_t d = 0; d < datasets.size(); ++d) {
    const Dataset& dataset = datasets[d];
    if (std::ranges::find(observer.watched, dataset.label()) == observer.watched.end()) continue;
    add(dataset.label(), observer.observer->Observe(data.problem(), estimate, datasets, dataset));
    const Observation& observation = observed.experiments.back().second;
    if (observation.ok() && keeper != nullptr) keeper->Add(observer, model, d, observation);
  }
  for (const StagedExperiment& stage : staged) {
    const std::string& label = stage.experiment;
    if (std::ranges::find(observer.watched, label) == observer.watched.end()) continue;
    add(label, stage.data
                   ? observer.observer->Observe(data.problem(), estimate, datasets, *stage.data)
                   : Observation{Outcome::kPlantFailed, stage.failure, {}, {}});
    const Observation& observation = observed.experiments.back().second;
    if (observation.ok() && keeper != nullptr) {
      keeper->Add(observer, model, staged, label, observation);
    }
  }
  for (const MetricValue& metric :
       observations_.Evaluate(observed, observer.observer->gives(), data, staged)) {
    record["metrics"][metric.name] = ToJson(metric);
  }
  return record;
}

Json TrialRunner::Head(const LabelledObserver& observer, const std::string& model,
                       std::int64_t trial) const {
  return {{"cell", cell_}, {"trial", trial}, {"observer", observer.label}, {"estimator", model}};
}

Json TrialRunner::HeadOfMotion(const std::string& experiment, std::int64_t trial) const {
  return {{"cell", cell_}, {"trial", trial}, {"experiment", experiment}};
}

std::string TrialRunner::JudgeMotions(const TrialData& data) const {
  std::string lines;
  for (const auto& [experiment, values] : motions_.Evaluate(data)) {
    Json record = HeadOfMotion(experiment, data.trial);
    record["rollout"] = data.rollout;
    AddMotion(record);
    record["outcome"] = kOutcomeOk;
    record["metrics"] = Json::object();
    for (const MetricValue& metric : values) record["metrics"][metric.name] = ToJson(metric);
    lines += record.dump() + '\n';
  }
  return lines;
}

void TrialRunner::AddNotes(Estimator& estimator, const TrialData& data,
                           FitMetrics::PriorFit& prior_fit, Estimate& estimate) {
  const auto add = [&estimate](const char* about, std::string note) {
    if (!note.empty()) estimate.notes[about] = std::move(note);
  };
  add("training", metrics_.WorseThanPrior(estimate, data, prior_fit));
  add(kPriorNote, metrics_.ConflictWithPrior(estimate, UseOfPrior(estimator), data));
}

std::string TrialRunner::Fail(std::int64_t trial, const std::string& why) {
  std::string lines;
  const auto add = [&](Json record, const std::string& reason) {
    record["rollout"] = kNoRollout;
    AddMotion(record);
    record["outcome"] = ToString(Outcome::kPlantFailed);
    record["reason"] = reason;
    record["metrics"] = Json::object();
    lines += record.dump() + '\n';
  };
  for (const auto& [label, estimator] : methods_) {
    ++failures_;
    add({{"cell", cell_}, {"trial", trial}, {"estimator", label}}, why);
  }
  for (const LabelledObserver& observer : observers_) {
    for (const std::string& model : observer.models) add(Head(observer, model, trial), why);
  }
  for (const std::string& experiment : motions_.Experiments()) {
    add(HeadOfMotion(experiment, trial), "not judged, for the trial failed: " + why);
  }
  if (kept_ != nullptr && kept_->IsKept(trial)) {
    kept_->Keep(cell_, trial, {.plant_failure = why, .estimates = {}, .x = {}, .traces = {}});
  }
  return lines;
}

void TrialRunner::AddMotion(Json& record) const {
  if (!context_.shared_motion().empty()) record["motion"] = context_.shared_motion();
}

Json TrialRunner::Record(const std::string& label, const EstimatorRun& run, const TrialData& data,
                         const StagedExperiments& staged) {
  const Estimate& estimate = run.last();
  Json record = {
      {"cell", cell_}, {"trial", data.trial}, {"estimator", label}, {"rollout", data.rollout}};
  AddMotion(record);
  record["outcome"] = ToString(estimate.outcome);
  if (!estimate.ok()) {
    record["reason"] = estimate.reason;
    record["metrics"] = Json::object();
    return record;
  }
  Json metrics = Json::object();
  for (const MetricValue& metric : metrics_.Evaluate(run.estimates, data, staged)) {
    metrics[metric.name] = ToJson(metric);
  }
  record["metrics"] = std::move(metrics);
  record["x"] = ToVector(estimate.x);
  if (const auto sigma = estimate.sigma()) record["sigma"] = ToVector(*sigma);
  record["diagnostics"] = estimate.diagnostics;
  if (!estimate.notes.empty()) record["notes"] = estimate.notes;
  return record;
}

}  // namespace idbench
