#include "bench/metrics/wrench_metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "bench/metrics/scored_channel.h"
#include "robots/dynamics/calibration.h"
#include "scenarios/problem/problem_parts.h"

namespace idbench {
namespace {

/// Part of a mean wrench below which a mean error of its prediction is rounding.
constexpr double kWrenchRounding = 1e-9;

/// |F| or |M| of each sample.
Eigen::VectorXd NormsOf(const Eigen::MatrixXd& wrenches, WrenchPart part) {
  const Eigen::Index first = part == WrenchPart::kForce ? 0 : 3;
  return wrenches.middleCols(first, 3).rowwise().norm();
}

void Centre(Eigen::MatrixXd& wrenches) {
  const Eigen::RowVectorXd mean = wrenches.colwise().mean();
  wrenches.rowwise() -= mean;
}

/// Unbiased; NaN of a single value.
double StandardDeviation(const Eigen::VectorXd& values) {
  if (values.size() < 2) return std::numeric_limits<double>::quiet_NaN();
  const double mean = values.mean();
  return std::sqrt((values.array() - mean).square().sum() / static_cast<double>(values.size() - 1));
}

}  // namespace

WrenchMetrics::WrenchMetrics(const Problem& problem, PayloadChanges changes)
    : problem_(problem), changes_(std::move(changes)), model_(problem) {
  const std::vector<EquationRows> rows = problem.rows_in_order();
  for (const int cut : CutsOf(problem.equations())) {
    const auto first = std::ranges::find_if(rows, [cut](const EquationRows& each) {
      return each.equation == Equation::kCut && each.cut == cut;
    });
    sensors_.push_back({cut, std::string(first->measured())});
  }
}

void WrenchMetrics::SetTrial(const TrialData& data) {
  data_ = &data;
  model_.SetProblem(data.problem());
  cad_.clear();
}

void WrenchMetrics::SetEstimate(const Estimate& estimate) {
  estimate_ = &estimate;
  errors_.clear();
}

MetricValue WrenchMetrics::Error(const std::string& experiment, WrenchPart part) {
  return MeanNorm(experiment, part, Against::kMeasured);
}

MetricValue WrenchMetrics::CentredError(const std::string& experiment, WrenchPart part) {
  return MeanNorm(experiment, part, Against::kCleanCentred);
}

MetricValue WrenchMetrics::RatioToCad(const std::string& experiment, WrenchPart part) {
  return Ratio(experiment, part, Against::kMeasured);
}

MetricValue WrenchMetrics::CentredRatioToCad(const std::string& experiment, WrenchPart part) {
  return Ratio(experiment, part, Against::kCleanCentred);
}

MetricValue WrenchMetrics::MeanNorm(const std::string& experiment, WrenchPart part,
                                    Against against) {
  const Errors& errors = OfEstimate(experiment, against);
  if (!errors.failure.empty()) return errors.Failure();
  Eigen::VectorXd means(std::ssize(errors.sensors));
  for (Eigen::Index k = 0; k < means.size(); ++k) {
    means[k] = errors.sensors[static_cast<std::size_t>(k)][static_cast<std::size_t>(part)].mean;
  }
  return MetricOf(means.mean(), means);
}

MetricValue WrenchMetrics::ErrorSd(const std::string& experiment, WrenchPart part) {
  const Errors& errors = OfEstimate(experiment, Against::kMeasured);
  if (!errors.failure.empty()) return errors.Failure();
  Eigen::VectorXd deviations(std::ssize(errors.sensors));
  for (Eigen::Index k = 0; k < deviations.size(); ++k) {
    deviations[k] = errors.sensors[static_cast<std::size_t>(k)][static_cast<std::size_t>(part)].sd;
  }
  return MetricOf(deviations.mean(), deviations);
}

MetricValue WrenchMetrics::Ratio(const std::string& experiment, WrenchPart part, Against against) {
  const Errors& errors = OfEstimate(experiment, against);
  if (!errors.failure.empty()) return errors.Failure();
  if (!data_->problem().parameters.prior) return AbsentMetric("no prior");
  const Errors& cad = OfCad(experiment, against);
  if (!cad.failure.empty()) return cad.Failure();
  Eigen::VectorXd ratios(std::ssize(errors.sensors));
  double ours = 0.0, of_cad = 0.0;
  for (Eigen::Index k = 0; k < ratios.size(); ++k) {
    const auto sensor = static_cast<std::size_t>(k);
    const Norms& norms = errors.sensors[sensor][static_cast<std::size_t>(part)];
    const Norms& prior = cad.sensors[sensor][static_cast<std::size_t>(part)];
    if (prior.mean <= kWrenchRounding * prior.signal) {
      return AbsentMetric("no ratio: the prior predicts the wrenches exactly");
    }
    ratios[k] = norms.mean / prior.mean;
    ours += norms.mean;
    of_cad += prior.mean;
  }
  return MetricOf(ours / of_cad, ratios);
}

const WrenchMetrics::Errors& WrenchMetrics::OfEstimate(const std::string& experiment,
                                                       Against against) {
  const auto [at, added] = errors_.try_emplace({experiment, against});
  Errors& errors = at->second;
  if (!added) return errors;
  const auto change = std::ranges::find(changes_, experiment, &PayloadChanges::value_type::first);
  if (change != changes_.end()) {
    errors.failure =
        change->second.Describe(experiment) + ": no one estimate predicts its wrenches";
    errors.absent = true;
    return errors;
  }
  const Eigen::VectorXd& p = model_.Of(*estimate_);
  for (const Sensor& sensor : sensors_) {
    Add(ResidualsOf(sensor, p, experiment, against), errors);
    if (!errors.failure.empty()) break;
  }
  return errors;
}

const WrenchMetrics::Errors& WrenchMetrics::OfCad(const std::string& experiment, Against against) {
  const auto [at, added] = cad_.try_emplace({experiment, against});
  Errors& errors = at->second;
  if (!added) return errors;
  const Eigen::VectorXd p = model_.OfUnknowns(data_->problem().parameters.prior->mean);
  for (const Sensor& sensor : sensors_) {
    AddCad(sensor, p, experiment, against, errors);
    if (!errors.failure.empty()) break;
  }
  return errors;
}

void WrenchMetrics::AddCad(const Sensor& sensor, const Eigen::VectorXd& p,
                           const std::string& experiment, Against against, Errors& errors) {
  Residuals residuals = ResidualsOf(sensor, p, experiment, against);
  if (residuals.failure.empty() && against == Against::kMeasured) {
    const std::vector<std::string> identified = IdentifiedWithOffsetsOf(experiment, sensor.cut);
    if (identified.empty()) {
      errors.failure =
          fmt::format("no data for identification have the offsets of the sensor {} in {}",
                      problem_.model.cuts()[static_cast<std::size_t>(sensor.cut)].name, experiment);
      errors.absent = true;
      return;
    }
    Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(residuals.left.cols());
    Eigen::Index samples = 0;
    for (const std::string& each : identified) {
      const Residuals of = ResidualsOf(sensor, p, each, against);
      if (!of.failure.empty()) {
        errors.failure = of.failure;
        return;
      }
      sum += of.left.colwise().sum();
      samples += of.left.rows();
    }
    residuals.left.rowwise() -= sum / static_cast<double>(samples);
  }
  Add(residuals, errors);
}

WrenchMetrics::Residuals WrenchMetrics::ResidualsOf(const Sensor& sensor, const Eigen::VectorXd& p,
                                                    const std::string& experiment,
                                                    Against against) {
  model_.SetConfiguration(ConfigurationOf(experiment));
  const auto predict = [&](const StateSamples& states) {
    Eigen::MatrixXd wrenches(states.size(), 6);
    if (against == Against::kMeasured) {
      model_.Predict({Equation::kCut, sensor.cut}, p, states, wrenches);
    } else {
      model_.CutWrench(sensor.cut, p, states, wrenches);
    }
    return wrenches;
  };
  if (against == Against::kMeasured) {
    ScoredChannel scored =
        ScoreChannel(*data_, problem_.alignment, experiment, sensor.channel, predict);
    if (!scored.failure.empty()) return {{}, {}, std::move(scored.failure)};
    return {scored.measured, scored.measured - scored.predicted, ""};
  }
  const auto dataset = std::ranges::find(data_->datasets, experiment, &Dataset::label);
  const Signals& clean = *data_->clean[static_cast<std::size_t>(dataset - data_->datasets.begin())];
  Residuals residuals{clean[sensor.channel], {}, ""};
  residuals.left = residuals.signal - predict({clean[kJointPosition], clean[kJointVelocity],
                                               clean[kJointAcceleration]});
  Centre(residuals.signal);
  Centre(residuals.left);
  return residuals;
}

void WrenchMetrics::Add(const Residuals& residuals, Errors& errors) {
  if (!residuals.failure.empty()) {
    errors.failure = residuals.failure;
    return;
  }
  std::array<Norms, 2> parts;
  for (const WrenchPart part : {WrenchPart::kForce, WrenchPart::kMoment}) {
    const Eigen::VectorXd norms = NormsOf(residuals.left, part);
    parts[static_cast<std::size_t>(part)] = {norms.mean(), StandardDeviation(norms),
                                             NormsOf(residuals.signal, part).mean()};
  }
  errors.sensors.push_back(parts);
}

std::vector<std::string> WrenchMetrics::IdentifiedWithOffsetsOf(const std::string& experiment,
                                                                int cut) const {
  const std::vector<int> offsets = OffsetsIn(ConfigurationOf(experiment), cut);
  std::vector<std::string> labels;
  for (const Dataset& dataset : data_->datasets) {
    if (dataset.role() != Role::kIdentification) continue;
    if (!labels.empty() && labels.back() == dataset.label()) continue;  // another segment of it
    if (OffsetsIn(ConfigurationOf(dataset.label()), cut) == offsets) {
      labels.push_back(dataset.label());
    }
  }
  return labels;
}

int WrenchMetrics::ConfigurationOf(const std::string& experiment) const {
  const auto dataset = std::ranges::find(data_->datasets, experiment, &Dataset::label);
  return problem_.model.ConfigurationIndex(dataset->configuration());
}

std::vector<int> WrenchMetrics::OffsetsIn(int configuration, int cut) const {
  const std::vector<Term> terms = TermsOf(problem_.model);
  const std::vector<int> absent = problem_.model.AbsentTerms(configuration);
  std::vector<int> offsets;
  for (int k = 0; k < static_cast<int>(terms.size()); ++k) {
    const Term& term = terms[static_cast<std::size_t>(k)];
    if (term.rows != TermRows::kCut || term.cut != cut || IsCalibration(term)) continue;
    if (!std::ranges::binary_search(absent, k)) offsets.push_back(k);
  }
  return offsets;
}

}  // namespace idbench
