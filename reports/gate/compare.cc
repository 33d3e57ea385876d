#include "reports/gate/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <stdexcept>

#include "reports/gate/compare_notes.h"
#include "reports/statistics/holm.h"
#include "reports/statistics/sign_flip.h"
#include "reports/statistics/unpaired.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

ComparedSide DescribeSide(const std::string& label, std::span<const double> values, bool ratios) {
  ComparedSide side;
  side.label = label;
  side.trials = values.size();
  double sum = 0;
  for (const double value : values) {
    if (!std::isfinite(value)) {
      ++side.failed;
    } else {
      sum += ratios ? std::log(value) : value;
    }
  }
  if (side.failed == side.trials) return side;
  const double mean = sum / static_cast<double>(side.trials - side.failed);
  side.average = ratios ? std::exp(mean) : mean;
  return side;
}

double FailureP(const Pairs& pairs, const Units& units, const SignFlipOptions& options) {
  const std::vector<double> change = pairs.FailureChange();
  if (units.size() < pairs.size()) return SignFlipTest(units.Sums(change), options).p;
  return McNemarP(static_cast<std::size_t>(std::ranges::count(change, -1.0)),
                  static_cast<std::size_t>(std::ranges::count(change, 1.0)));
}

ComparedPair ComparePair(const MatchedSamples& samples, Better better,
                         const SignFlipOptions& options) {
  const Pairs pairs = samples.MakePairs(better);
  const Units units(pairs.rollouts);
  const MeanChange change = DescribeChange(pairs.change, units);
  const double sign = better == Better::kLower ? 1.0 : -1.0;
  ComparedPair pair;
  pair.cell = samples.cell;
  // The longer side is cut: averages are of the trials of which the change is.
  const auto paired = [&pairs](const MetricSamples& side) {
    return std::span(side.overall).first(pairs.size());
  };
  pair.a = DescribeSide(samples.a_label, paired(samples.a), pairs.ratios);
  pair.b = DescribeSide(samples.b_label, paired(samples.b), pairs.ratios);
  pair.left_out = {samples.a.overall.size() - pairs.size(),
                   samples.b.overall.size() - pairs.size()};
  pair.identical = pairs.identical;
  pair.units = units.size();
  pair.ratios = pairs.ratios;
  pair.change = RelativeChange(sign * change.mean, pairs.ratios);
  if (change.ci95) {
    const double lower = RelativeChange(sign * change.ci95->lower, pairs.ratios);
    const double upper = RelativeChange(sign * change.ci95->upper, pairs.ratios);
    pair.interval = {std::min(lower, upper), std::max(lower, upper)};
  }
  pair.p = SignFlipTest(units.Sums(pairs.change), options).p;
  pair.failure_p = FailureP(pairs, units, options);
  pair.probability_of_improvement = ProbabilityOfImprovement(pairs);
  pair.least_p = LeastSignFlipP(units.size(), options);
  pair.b_is_better = change.mean < 0;
  return pair;
}

/// Means of the survivors of each unit: of each roll-out, or of each trial if all share one.
std::vector<double> UnitMeans(const MetricSamples& side, bool ratios) {
  const Units units(side.rollouts);
  std::vector<double> sums(units.size(), 0.0), counts(units.size(), 0.0), means;
  for (std::size_t t = 0; t < side.overall.size(); ++t) {
    if (!std::isfinite(side.overall[t])) continue;
    sums[units.of(t)] += ratios ? std::log(side.overall[t]) : side.overall[t];
    counts[units.of(t)] += 1.0;
  }
  for (std::size_t u = 0; u < sums.size(); ++u) {
    if (counts[u] > 0.0) means.push_back(sums[u] / counts[u]);
  }
  return means;
}

bool MovedOnce(const MetricSamples& side) {
  return std::ranges::adjacent_find(side.rollouts, std::not_equal_to()) == side.rollouts.end();
}

/// False if a side has a single motion, and not that of the other side.
bool MovedAlike(const MatchedSamples& samples) {
  return samples.same_motions || !(MovedOnce(samples.a) || MovedOnce(samples.b));
}

/// Of sides that are independent samples.
ComparedPair CompareUnpaired(const MatchedSamples& samples, Better better) {
  const auto positive = [](double value) { return !std::isfinite(value) || value > 0.0; };
  ComparedPair pair;
  pair.cell = samples.cell;
  pair.ratios = !samples.interval_scale && std::ranges::all_of(samples.a.overall, positive) &&
                std::ranges::all_of(samples.b.overall, positive);
  pair.a = DescribeSide(samples.a_label, samples.a.overall, pair.ratios);
  pair.b = DescribeSide(samples.b_label, samples.b.overall, pair.ratios);
  const std::vector<double> a = UnitMeans(samples.a, pair.ratios);
  const std::vector<double> b = UnitMeans(samples.b, pair.ratios);
  pair.units = std::min(a.size(), b.size());
  pair.tested = false;
  if (pair.units == 0) return pair;
  const UnpairedChange change = DescribeUnpaired(a, b);
  const bool as_it_is = pair.ratios || samples.interval_scale;
  const double scale =
      as_it_is ? 1.0 : 0.5 * (std::abs(*pair.a.average) + std::abs(*pair.b.average));
  if (!(scale > 0.0)) return pair;
  pair.change = RelativeChange(change.mean / scale, pair.ratios);
  pair.b_is_better = (change.mean < 0.0) == (better == Better::kLower);
  if (!change.p || !MovedAlike(samples)) return pair;
  pair.tested = true;
  pair.p = *change.p;
  pair.least_p = LeastRearrangedP(a.size(), b.size());
  pair.interval = {RelativeChange(change.ci95->lower / scale, pair.ratios),
                   RelativeChange(change.ci95->upper / scale, pair.ratios)};
  return pair;
}

ComparedPair CompareOne(const MatchedSamples& samples, Better better,
                        const SignFlipOptions& options, Pairing pairing) {
  ComparedPair pair = pairing == Pairing::kNone ? CompareUnpaired(samples, better)
                                                : ComparePair(samples, better, options);
  if (pairing == Pairing::kRecordings) pair.tested = false;
  pair.same_rollouts = samples.same_rollouts;
  pair.one_motion = !MovedAlike(samples);
  return pair;
}

/// The metrics beside that one by which a pair is compared that do not see the same side ahead.
std::vector<ChangeBeside> Disagreeing(const MatchedSamples& samples, const ComparedPair& pair,
                                      Better better, const SignFlipOptions& options,
                                      Pairing pairing) {
  std::vector<ChangeBeside> disagreeing;
  for (const SamplesBeside& beside : samples.beside) {
    if (const auto other = samples.By(beside); !other) {
      disagreeing.push_back({beside.metric, std::nullopt});
    } else {
      const ComparedPair by = CompareOne(*other, better, options, pairing);
      const bool same = by.change == 0.0 || by.b_is_better == pair.b_is_better;
      if (!same) disagreeing.push_back({beside.metric, by.change});
    }
  }
  return disagreeing;
}

std::optional<NoWinner> WhyNoWinner(const ComparedPair& pair, const Comparison& comparison) {
  if (!pair.tested) return NoWinner::kUntested;
  if (pair.least_p > comparison.alpha) return NoWinner::kTooFew;
  if (comparison.framed) return NoWinner::kFramed;
  if (!pair.disagreeing.empty()) return NoWinner::kDisagreeing;
  if (pair.change == 0.0) return NoWinner::kEqual;
  return std::nullopt;
}

/// Adjusts p for all pairs. Holm's method is monotone: of the least p of each pair it makes the
/// least adjusted ones.
void AdjustByHolm(std::vector<ComparedPair>& pairs) {
  std::vector<double> p, least;
  for (const ComparedPair& pair : pairs) {
    p.push_back(pair.p);
    least.push_back(pair.least_p);
  }
  p = HolmAdjusted(p);
  least = HolmAdjusted(least);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    pairs[i].adjusted_p = p[i];
    pairs[i].least_p = least[i];
  }
}

}  // namespace

std::string ComparedPair::Estimators() const {
  return a.label == b.label ? a.label : fmt::format("{} → {}", a.label, b.label);
}

Comparison Compare(const std::vector<MatchedSamples>& samples, const RunMetric& metric,
                   Better better, double alpha, Pairing pairing) {
  Comparison comparison{.metric = metric.name,
                        .unit = metric.unit,
                        .alpha = alpha,
                        .better = better,
                        .a = "A",
                        .b = "B",
                        .pairs = {},
                        .notes = {},
                        .pairing = pairing,
                        .framed = metric.framed,
                        .interval_scale = metric.interval_scale};
  const SignFlipOptions options{.level = alpha, .family = std::max<std::size_t>(1, samples.size())};
  for (const MatchedSamples& sample : samples) {
    ComparedPair pair = CompareOne(sample, better, options, pairing);
    if (!pair.identical) pair.disagreeing = Disagreeing(sample, pair, better, options, pairing);
    comparison.pairs.push_back(std::move(pair));
  }
  AdjustByHolm(comparison.pairs);
  for (ComparedPair& pair : comparison.pairs) {
    pair.no_winner = WhyNoWinner(pair, comparison);
    const bool equal = pair.no_winner == NoWinner::kEqual;
    if (pair.no_winner && !equal) pair.probability_of_improvement.reset();
  }
  comparison.notes = NotesOf(comparison);
  return comparison;
}

std::vector<MatchedSamples> MatchEstimators(const RunFolder& folder, const std::string& metric,
                                            const std::vector<std::string>& labels) {
  const std::vector<std::string>& all = folder.manifest().estimators;
  std::vector<std::size_t> indices;
  for (const std::string& label : labels) {
    const auto found = std::ranges::find(all, label);
    if (found == all.end()) {
      std::string message = fmt::format("the run has no estimator \"{}\"", label);
      for (const std::string& detail : AcceptedNames(label, all)) message += "\n  " + detail;
      throw std::invalid_argument(message);
    }
    indices.push_back(static_cast<std::size_t>(found - all.begin()));
  }
  const std::vector<MatchedSamples> same = MatchRuns(folder, folder, metric);
  const auto find = [&](const RunCell& cell, const std::string& label) {
    return std::ranges::find_if(same, [&](const MatchedSamples& samples) {
      return samples.cell.index == cell.index && samples.b_label == label;
    });
  };
  std::vector<MatchedSamples> matched;
  for (const RunCell& cell : folder.manifest().cells) {
    const auto first = find(cell, labels.front());
    for (std::size_t i = 1; i < labels.size(); ++i) {
      const auto other = find(cell, labels[i]);
      if (first == same.end() || other == same.end()) continue;
      MatchedSamples both{cell, labels.front(), labels[i], first->a, other->b};
      both.interval_scale = first->interval_scale;
      for (std::size_t k = 0; k < first->beside.size(); ++k) {
        both.beside.push_back({first->beside[k].metric, first->beside[k].a, other->beside[k].b});
      }
      matched.push_back(std::move(both));
    }
  }
  return matched;
}

}  // namespace idbench
