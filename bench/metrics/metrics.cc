#include "bench/metrics/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "reports/run/metric_name.h"
#include "scenarios/metric_list.h"

namespace idbench {

MetricEvaluator::MetricEvaluator(const PreparedCell& context, const std::vector<RunMetric>& metrics)
    : unknowns_(context.problem().parameters.names), judges_(context) {
  const std::vector<std::string> checkpoints = CheckpointLabels(context.scenario());
  const PayloadChanges changes = ChangesIn(context);
  for (const RunMetric& metric : metrics) {
    if (metric.subject() != MetricSubject::kEstimator) continue;
    const MetricName parts(metric.name);
    // Behind the checkpoints stands the end, which has no label.
    const auto checkpoint = std::ranges::find(checkpoints, parts.checkpoint);
    const auto index = static_cast<std::size_t>(checkpoint - checkpoints.begin());
    requested_.push_back({.metric = MetricNamed(parts.quantity),
                          .name = metric.name,
                          .part = parts.experiment,
                          .estimate = index,
                          .checkpoint_s = index < checkpoints.size()
                                              ? context.scenario().evaluate_at_s[index]
                                              : std::numeric_limits<double>::infinity(),
                          .components = metric.components,
                          .absent = WhyAbsent(MetricNamed(parts.quantity).info, parts,
                                              context.scenario(), context.robot())});
    const Requested& requested = requested_.back();
    tracks_changes_ |=
        requested.metric.info.per_experiment() && index == checkpoints.size() &&
        std::ranges::any_of(changes, [&](const auto& change) {
          return change.first == requested.part && change.second.role == Role::kIdentification;
        });
  }
}

bool MetricEvaluator::needs_tracks() const {
  return tracks_changes_ || std::ranges::any_of(requested_, [](const Requested& requested) {
           return requested.metric.info.per_window();
         });
}

std::string MetricEvaluator::WorseThanPrior(const Estimate& estimate, const TrialData& data,
                                            FitMetrics::PriorFit& prior_fit) {
  judges_.fits.SetTrial(data);
  return judges_.fits.WorseThanPrior(estimate, prior_fit);
}

std::string MetricEvaluator::ConflictWithPrior(const Estimate& estimate, PriorUse use,
                                               const TrialData& data) {
  judges_.fits.SetTrial(data);
  return PriorConflict(data.problem(), use, estimate,
                       [&] { return judges_.fits.Misfit(estimate); });
}

void MetricEvaluator::MatchComponents(const Requested& requested, MetricValue& value) const {
  const MetricInfo& info = requested.metric.info;
  const bool of_unknowns = info.components == MetricInfo::Components::kUnknowns &&
                           !info.per_window() && value.components.size() == unknowns_.size();
  if (of_unknowns && value.value && requested.components != unknowns_) {
    std::vector<double> matched(requested.components.size(),
                                std::numeric_limits<double>::quiet_NaN());
    for (std::size_t k = 0; k < matched.size(); ++k) {
      const auto here = std::ranges::find(unknowns_, requested.components[k]) - unknowns_.begin();
      if (here < std::ssize(unknowns_)) {
        matched[k] = value.components[static_cast<std::size_t>(here)];
      }
    }
    value.components = std::move(matched);
  } else if (value.components.size() != requested.components.size()) {
    value = FailedMetric("this cell has other components than the scenario before its sweep");
  }
}

std::vector<MetricValue> MetricEvaluator::Evaluate(std::span<const Estimate> estimates,
                                                   const TrialData& data,
                                                   const StagedExperiments& staged) {
  judges_.SetTrial(data);
  judges_.following.SetStaged(staged);
  const bool has_track = FindNamed(estimates.back().series, kParameters) != nullptr;
  std::vector<MetricValue> values(requested_.size());
  for (std::size_t e = 0; e < estimates.size(); ++e) {
    const Estimate& estimate = estimates[e];
    judges_.SetEstimate(estimate);
    for (std::size_t k = 0; k < requested_.size(); ++k) {
      const Requested& requested = requested_[k];
      if (requested.estimate != e) continue;
      const bool follows = requested.metric.info.per_window();
      if (follows && !has_track) continue;
      MetricValue& value = values[k];
      if (!requested.absent.empty()) {
        value = AbsentMetric(requested.absent);
      } else if (follows || estimate.ok()) {
        value =
            requested.metric.evaluate(judges_, {estimate, requested.part, requested.checkpoint_s});
      } else {
        value = FailedMetric(fmt::format("{}: {}", ToString(estimate.outcome), estimate.reason));
      }
      if (value.value && !std::isfinite(*value.value)) value = FailedMetric("not finite");
      if (value.failure.empty()) MatchComponents(requested, value);
      value.name = requested.name;
    }
  }
  std::erase_if(values, [](const MetricValue& value) { return value.name.empty(); });
  return values;
}

}  // namespace idbench
