#include "bench/trial_runner.h"

#include "robots/plant/plant.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// As an estimate's outcome stands in a record where there were no data to estimate from.
constexpr std::string_view kPlantFailed = "plant_failed";

Json ToJson(const MetricValue& metric) {
  if (!metric.failure.empty()) return {{"failed", metric.failure}};
  Json json = Json::object();
  if (metric.value) json["value"] = *metric.value;
  if (!metric.components.empty()) json["components"] = metric.components;
  if (metric.count) json["count"] = *metric.count;
  return json;
}

std::vector<double> ToVector(const Eigen::VectorXd& values) {
  return {values.begin(), values.end()};
}

}  // namespace

TrialRunner::TrialRunner(const CellContext& context, std::size_t cell,
                         const std::vector<RunMetric>& metrics, DatasetChange change)
    : context_(context),
      cell_(cell),
      methods_(MakeEstimators(context.scenario())),
      metrics_(context, metrics),
      change_(std::move(change)) {}

std::string TrialRunner::Run(std::int64_t trial) {
  std::string lines;
  TrialData data;
  std::string plant_failure;
  try {
    data = context_.Run(trial);
  } catch (const PlantError& error) {
    plant_failure = error.what();
    data.rollout = "failed";
  }
  std::vector<Dataset> changed;
  if (change_) changed = change_(data.datasets, trial);
  const std::vector<Dataset>& given = change_ ? changed : data.datasets;
  for (const auto& [label, estimator] : methods_) {
    if (!plant_failure.empty()) {
      ++failures_;
      const Json record = {{"cell", cell_},
                           {"trial", trial},
                           {"estimator", label},
                           {"rollout", data.rollout},
                           {"outcome", kPlantFailed},
                           {"reason", plant_failure},
                           {"metrics", Json::object()}};
      lines += record.dump() + '\n';
      continue;
    }
    const std::vector<Estimate> estimates =
        estimator->RunAt(data.problem(), given, context_.scenario().evaluate_at_s);
    if (!estimates.back().ok()) ++failures_;
    EstimateTrack track;
    auto* const online = dynamic_cast<OnlineEstimator*>(estimator.get());
    const bool is_tracked = online != nullptr && metrics_.needs_tracks() && estimates.back().ok();
    if (is_tracked) track = online->Track(data.problem(), given);
    lines += Record(trial, label, estimates, data, is_tracked ? &track : nullptr).dump() + '\n';
  }
  return lines;
}

Json TrialRunner::Record(std::int64_t trial, const std::string& label,
                         const std::vector<Estimate>& estimates, const TrialData& data,
                         const EstimateTrack* track) {
  const Estimate& estimate = estimates.back();
  Json record = {{"cell", cell_},
                 {"trial", trial},
                 {"estimator", label},
                 {"rollout", data.rollout},
                 {"outcome", ToString(estimate.outcome)}};
  if (!estimate.ok()) {
    record["reason"] = estimate.reason;
    record["metrics"] = Json::object();
    return record;
  }
  Json metrics = Json::object();
  for (const MetricValue& metric : metrics_.Evaluate(estimates, data, track)) {
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
