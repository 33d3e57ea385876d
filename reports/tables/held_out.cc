#include "reports/tables/held_out.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>

#include "reports/run/metric_name.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

constexpr const char* kRelativeError = "joint_torque_relative_error";
constexpr std::string_view kTorqueMetrics = "joint_torque_";
constexpr const char* kPriorAlone = "prior_only";
constexpr const char* kRatioToPrior = "joint_torque_ratio_to_prior";
constexpr auto kRmse = std::to_array({"joint_torque_clean_rmse_nm", "joint_torque_rmse_nm"});

/// The experiments of a role.
std::vector<std::string> ExperimentsOf(const Json& scenario, std::string_view role) {
  std::vector<std::string> labels;
  const auto experiments = scenario.find("experiments");
  if (experiments == scenario.end()) return labels;
  for (const auto& [label, experiment] : experiments->items()) {
    if (experiment.value("role", "identification") == role) labels.push_back(label);
  }
  return labels;
}

/// Relative error of an estimator on an experiment, in the mean over trials.
std::optional<double> ErrorOn(const EstimatorSummary& estimator, const std::string& experiment) {
  const MetricSummary* metric = estimator.Find(fmt::format("{}@{}", kRelativeError, experiment));
  if (metric == nullptr || !metric->overall) return std::nullopt;
  return metric->overall->mean;
}

/// The largest over experiments.
std::optional<double> LargestErrorOn(const EstimatorSummary& estimator,
                                     const std::vector<std::string>& experiments) {
  std::optional<double> largest;
  for (const std::string& experiment : experiments) {
    const std::optional<double> error = ErrorOn(estimator, experiment);
    if (error && (!largest || *error > *largest)) largest = error;
  }
  return largest;
}

/// Whether the estimator of a label is the prior alone, whose type is its label unless it says so.
bool IsPriorAlone(const Json& scenario, const std::string& label) {
  const Json estimators = scenario.value("estimators", Json::object());
  if (!estimators.contains(label)) return false;
  return estimators[label].value("type", label) == kPriorAlone;
}

/// An estimator's errors on one experiment.
struct Compared {
  const EstimatorSummary* estimator;
  double held_out, training;
};

/// The estimator of a cell that is the prior alone; nullptr if there is none.
const EstimatorSummary* PriorOf(const Json& scenario, const CellSummary& cell) {
  for (const EstimatorSummary& estimator : cell.estimators) {
    if (IsPriorAlone(scenario, estimator.label)) return &estimator;
  }
  return nullptr;
}

/// Errors over the prior's, by joint.
Labelled<double> RatiosToPrior(const Json& scenario, const TableItem& item,
                               const std::string& experiment) {
  Labelled<double> ratios;
  const auto name = [&experiment](const char* metric) {
    return fmt::format("{}@{}", metric, experiment);
  };
  if (const MetricSummary* told = item.estimator->Find(name(kRatioToPrior))) {
    for (const auto& [joint, statistics] : told->components) {
      if (statistics.mean) ratios.emplace_back(joint, *statistics.mean);
    }
    return ratios;
  }
  const EstimatorSummary* prior = PriorOf(scenario, *item.cell);
  for (const char* metric : kRmse) {
    const MetricSummary* ours = item.estimator->Find(name(metric));
    const MetricSummary* its = prior == nullptr ? nullptr : prior->Find(name(metric));
    if (ours == nullptr || its == nullptr || ours->components.size() != its->components.size()) {
      continue;
    }
    for (std::size_t k = 0; k < ours->components.size(); ++k) {
      const auto error = ours->components[k].second.mean;
      const auto of_prior = its->components[k].second.mean;
      if (!error || !of_prior || !(*of_prior > 0.0)) continue;
      ratios.emplace_back(ours->components[k].first, *error / *of_prior);
    }
    return ratios;
  }
  return ratios;
}

/// Keeps the largest value of a label.
void KeepLargest(Labelled<double>& values, const std::string& label, double value) {
  const auto known = std::ranges::find(values, label, [](const auto& each) { return each.first; });
  if (known == values.end()) {
    values.emplace_back(label, value);
  } else {
    known->second = std::max(known->second, value);
  }
}

/// "joint6 (ols 1.3, wls 1.4)"
std::string TellWorse(const std::string& joint, const Labelled<double>& by_estimator) {
  std::vector<std::string> ratios;
  for (const auto& [label, ratio] : by_estimator) {
    ratios.push_back(fmt::format("{} {:.3g}", label, ratio));
  }
  return fmt::format("{} ({})", joint, fmt::join(ratios, ", "));
}

}  // namespace

std::vector<std::string> JointsWorseThanPrior(const RunManifest& manifest,
                                              const std::vector<TableItem>& items) {
  const Json& scenario = *manifest.scenario;
  std::vector<std::string> sentences;
  for (const std::string& experiment : ExperimentsOf(scenario, "validation")) {
    Labelled<Labelled<double>> joints;
    for (const TableItem& item : items) {
      const MetricName metric(item.metric.name);
      if (metric.experiment != experiment || !metric.quantity.starts_with(kTorqueMetrics)) continue;
      if (item.is_bound || IsPriorAlone(scenario, item.estimator->label)) continue;
      for (const auto& [joint, ratio] : RatiosToPrior(scenario, item, experiment)) {
        auto known = std::ranges::find(joints, joint, [](const auto& each) { return each.first; });
        if (known == joints.end()) known = joints.insert(known, {joint, {}});
        if (ratio > kWorseThanPrior) KeepLargest(known->second, item.estimator->label, ratio);
      }
    }
    std::vector<std::string> told;
    for (const auto& [joint, by_estimator] : joints) {
      if (!by_estimator.empty()) told.push_back(TellWorse(joint, by_estimator));
    }
    if (told.empty()) continue;
    sentences.push_back(fmt::format(
        "joints that the prior alone predicts better on {}, with errors over the prior's: {}",
        experiment, fmt::join(told, ", ")));
  }
  return sentences;
}

std::vector<std::string> HeldOutDoubts(const RunManifest& manifest,
                                       const std::vector<TableItem>& items) {
  if (!IsRecording(*manifest.scenario)) return {};
  const std::vector<std::string> training = ExperimentsOf(*manifest.scenario, "identification");
  std::vector<std::string> sentences;
  for (const std::string& experiment : ExperimentsOf(*manifest.scenario, "validation")) {
    std::vector<Compared> far;
    std::optional<double> prior;
    for (const TableItem& item : items) {
      const MetricName metric(item.metric.name);
      if (metric.experiment != experiment || !metric.quantity.starts_with(kTorqueMetrics)) continue;
      for (const EstimatorSummary& estimator : item.cell->estimators) {
        if (IsPriorAlone(*manifest.scenario, estimator.label)) {
          prior = ErrorOn(estimator, experiment);
        }
      }
      const std::optional<double> held_out = ErrorOn(*item.estimator, experiment);
      const std::optional<double> trained = LargestErrorOn(*item.estimator, training);
      if (!held_out || !trained || !(*held_out > kFarAboveTraining * *trained)) continue;
      const auto known = std::ranges::find_if(far, [&item](const Compared& each) {
        return each.estimator->label == item.estimator->label;
      });
      if (known == far.end()) {
        far.push_back({item.estimator, *held_out, *trained});
      } else if (*held_out * known->training > known->held_out * *trained) {  // of several cells
        *known = {item.estimator, *held_out, *trained};
      }
    }
    if (far.empty()) continue;
    std::vector<std::string> errors;
    for (const Compared& each : far) {
      errors.push_back(fmt::format("{} {:.3g} % against {:.3g} %", each.estimator->label,
                                   100 * each.held_out, 100 * each.training));
    }
    sentences.push_back(fmt::format(
        "held-out error far above that of training: {}: {}{}; what was fitted does not carry over "
        "to it, nor does its σ",
        experiment, fmt::join(errors, ", "),
        prior ? fmt::format(" (the prior alone: {:.3g} %)", 100 * *prior) : ""));
  }
  return sentences;
}

}  // namespace idbench
