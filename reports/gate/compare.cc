#include "reports/gate/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>

#include "reports/files/number_format.h"
#include "reports/statistics/holm.h"
#include "reports/statistics/sign_flip.h"
#include "reports/tables/render.h"
#include "reports/tables/table.h"
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
  pair.least_p =
      std::min(1.0, static_cast<double>(options.family) * LeastSignFlipP(units.size(), options));
  pair.b_is_better = change.mean < 0;
  return pair;
}

std::string DescribeCut(const ComparedPair& pair) {
  const auto& [of_a, of_b] = pair.left_out;
  const std::size_t trials = pair.a.trials;
  return fmt::format(
      "the sides have {} and {} trials: the first {} of each are compared, with averages of these, "
      "and nothing is said of the others",
      trials + of_a, trials + of_b, trials);
}

/// What a change is: values that are not all positive have no ratios.
std::string Measure(const std::vector<ComparedPair>& pairs) {
  constexpr const char* kRatios = "geometric mean of the ratios";
  constexpr const char* kDifferences = "mean difference over the mean of both sides";
  std::size_t ratios = 0, others = 0;
  for (const ComparedPair& pair : pairs) {
    if (pair.identical) continue;
    ++(pair.ratios ? ratios : others);
  }
  if (ratios > 0 && others > 0) {
    return fmt::format("{}; where not all values are positive, {} (at most 200 %)", kRatios,
                       kDifferences);
  }
  return ratios > 0 ? kRatios : kDifferences;
}

void AddNotes(Comparison& comparison) {
  const auto any = [&comparison](auto&& holds) {
    return std::ranges::any_of(comparison.pairs, holds);
  };
  std::vector<std::string>& notes = comparison.notes;
  const auto cut = std::ranges::find_if(comparison.pairs, &ComparedPair::cut);
  if (cut != comparison.pairs.end()) notes.push_back(DescribeCut(*cut));
  if (comparison.pairs.empty()) {
    notes.emplace_back("nothing to compare: the two sides have no cell and estimator in common");
    return;
  }
  if (!any([](const ComparedPair& pair) { return !pair.identical; })) {
    notes.emplace_back(cut == comparison.pairs.end()
                           ? "nothing changed: all values are the same, bit for bit"
                           : "nothing changed in these: their values are the same, bit for bit");
    return;
  }
  const auto identical = std::ranges::count(comparison.pairs, true, &ComparedPair::identical);
  if (identical > 0) {
    notes.push_back(fmt::format("{} of {} are identical, bit for bit, and not shown", identical,
                                comparison.pairs.size()));
  }
  notes.push_back(
      fmt::format("paired by trial; change: {} with its 95 % interval; p: sign-flip test, adjusted "
                  "by Holm over "
                  "{} comparisons; ≈: not told apart at {}",
                  Measure(comparison.pairs), comparison.pairs.size(), comparison.alpha));
  if (any([](const ComparedPair& pair) { return pair.a.failed + pair.b.failed > 0; })) {
    notes.emplace_back(
        "averages are of survivors; in a pair a failure loses by as much as the worst pair, and at "
        "least by a factor of 2");
  }
  if (any([](const ComparedPair& pair) {
        return pair.units < pair.a.trials && pair.units < pair.b.trials;
      })) {
    notes.emplace_back("trials share roll-outs: these, not the trials, are what is tested");
  }
  for (const ComparedPair& pair : comparison.pairs) {
    if (pair.identical || pair.least_p <= comparison.alpha) continue;
    notes.push_back(fmt::format("{} {} cannot tell anything apart: the least adjusted p is {:.2g}",
                                pair.units, pair.units == 1 ? "pair" : "pairs", pair.least_p));
    break;
  }
}

std::string ChangeText(const ComparedPair& pair) {
  std::string text = fmt::format("{:+.3g} %", 100 * pair.change);
  if (pair.interval) {
    text +=
        fmt::format(" [{:+.3g}, {:+.3g}]", 100 * pair.interval->lower, 100 * pair.interval->upper);
  }
  return text;
}

std::string PrintSide(const ComparedPair& pair, bool is_b, double alpha,
                      const NumberFormat& format) {
  const std::optional<double>& average = (is_b ? pair.b : pair.a).average;
  std::string text = average ? format.Print(*average) : kNothing;
  if (pair.b_is_better == is_b) return "**" + text + "**";
  return pair.distinguishable(alpha) ? text : text + " ≈";
}

Json SideToJson(const ComparedSide& side) {
  Json json = {{"label", side.label}, {"trials", side.trials}, {"failed", side.failed}};
  if (side.average) json["average"] = *side.average;
  return json;
}

}  // namespace

Comparison Compare(const std::vector<MatchedSamples>& samples, const std::string& metric,
                   const std::string& unit, Better better, double alpha) {
  Comparison comparison{metric, unit, alpha, better, "A", "B", {}, {}};
  const SignFlipOptions options{.level = alpha, .family = std::max<std::size_t>(1, samples.size())};
  std::vector<double> p;
  for (const MatchedSamples& sample : samples) {
    comparison.pairs.push_back(ComparePair(sample, better, options));
    p.push_back(comparison.pairs.back().p);
  }
  const std::vector<double> adjusted = HolmAdjusted(p);
  for (std::size_t i = 0; i < adjusted.size(); ++i) comparison.pairs[i].adjusted_p = adjusted[i];
  AddNotes(comparison);
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
      matched.push_back({cell, labels.front(), labels[i], first->a, other->b});
    }
  }
  return matched;
}

std::string RenderComparison(const Comparison& comparison) {
  Table table;
  const std::string unit = comparison.unit == "1" ? "" : fmt::format(" [{}]", comparison.unit);
  table.caption = fmt::format("{}{}", comparison.metric, unit);
  table.row_header = "cell";
  table.columns = {{"estimator", {}},     {comparison.a, {}}, {comparison.b, {}},
                   {"change [95 %]", {}}, {"p", {}},          {"p (Holm)", {}},
                   {"P(B better)", {}},   {"failed", {}}};
  std::vector<double> averages;
  for (const ComparedPair& pair : comparison.pairs) {
    for (const ComparedSide* side : {&pair.a, &pair.b}) {
      if (side->average) averages.push_back(*side->average);
    }
  }
  const NumberFormat format = ChooseFormat(averages, 4);
  for (const ComparedPair& pair : comparison.pairs) {
    if (pair.identical) continue;
    table.row_labels.push_back(pair.cell.Label());
    const std::string label = pair.a.label == pair.b.label
                                  ? pair.a.label
                                  : fmt::format("{} → {}", pair.a.label, pair.b.label);
    std::string failed = fmt::format("{}/{}", pair.a.failed, pair.b.failed);
    if (pair.a.failed != pair.b.failed) failed += fmt::format(", p {:.2g}", pair.failure_p);
    const std::vector<std::string> texts = {
        label,
        PrintSide(pair, false, comparison.alpha, format),
        PrintSide(pair, true, comparison.alpha, format),
        ChangeText(pair),
        fmt::format("{:.2g}", pair.p),
        fmt::format("{:.2g}", pair.adjusted_p),
        fmt::format("{:.2f}", pair.probability_of_improvement.value_or(0.5)),
        failed};
    for (std::size_t i = 0; i < texts.size(); ++i) {
      table.columns[i].entries.push_back({texts[i], {}, {}});
    }
  }
  table.notes = comparison.notes;
  if (table.row_labels.empty()) table.columns.clear();
  return RenderMarkdown(table);
}

Json ToJson(const Comparison& comparison) {
  Json pairs = Json::array();
  for (const ComparedPair& pair : comparison.pairs) {
    Json json = {{"cell", pair.cell.index},     {"axes", WriteValue(pair.cell.axes)},
                 {"a", SideToJson(pair.a)},     {"b", SideToJson(pair.b)},
                 {"identical", pair.identical}, {"units", pair.units},
                 {"change", pair.change}};
    if (pair.cut()) json["left_out"] = {{"a", pair.left_out.first}, {"b", pair.left_out.second}};
    if (pair.interval) json["interval"] = {pair.interval->lower, pair.interval->upper};
    json["p"] = pair.p;
    json["adjusted_p"] = pair.adjusted_p;
    json["failure_p"] = pair.failure_p;
    if (pair.probability_of_improvement) {
      json["probability_of_improvement"] = *pair.probability_of_improvement;
    }
    pairs.push_back(std::move(json));
  }
  return {{"format", 1},
          {"metric", comparison.metric},
          {"unit", comparison.unit},
          {"alpha", comparison.alpha},
          {"a", comparison.a},
          {"b", comparison.b},
          {"pairs", std::move(pairs)},
          {"notes", comparison.notes}};
}

}  // namespace idbench
