#pragma once

#include <string_view>
#include <vector>

#include "estimators/interface/observer.h"
#include "estimators/observers/detection.h"
#include "estimators/observers/residual_statistic.h"

namespace idbench {

struct ContactStatisticOptions {
  std::vector<Equation> equations;
  ResidualStatisticOptions statistic = {};
  DetectionOptions detection = {};

  bool operator==(const ContactStatisticOptions&) const = default;
};
FieldTable Visit(ContactStatisticOptions& options);

/// Tells contacts by Hotelling's statistic of the residual rows of the problem's equations, or of
/// those of some kinds: T² of a ResidualStatistic. The threshold is that of ThresholdOf(). Without
/// identification data S holds the declared σ², and `threshold` has to be given. Causal, if the
/// problem does not resample and no low-pass of zero phase looks ahead.
///
/// Source: Traversaro, Del Prete, Muradore, Natale & Nori, 2013, equations 17 and 18: samples 1,
/// diagonal covariance, no tracking, and the threshold of f_degrees; that of 48 there.
class ContactStatistic : public ConfiguredObserver<ContactStatisticOptions> {
 public:
  EstimatorNeeds needs() const override { return FilteredNeeds(options_.statistic.lowpass); }
  std::vector<std::string_view> gives() const override { return {kStatistic}; }
  Detects detects() const override { return Detects::kContact; }
  bool causal() const override {
    return !options_.statistic.lowpass || !options_.statistic.lowpass->zero_phase;
  }

 protected:
  void CheckProblem(const Problem& problem) const override;
  Observation Watch(const Problem& problem, const Estimate& model,
                    std::span<const Dataset> training, const Dataset& watched) override;
};

}  // namespace idbench
