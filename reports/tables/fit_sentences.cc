#include "reports/tables/fit_sentences.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "reports/run/metric_name.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// Standard deviations of a mean that chance explains: 0.1 %, on both sides.
constexpr double kChance = 3.3;

enum class Verdict { kHolds, kTooLarge, kTooSmall };

/// What a number that should be 1 does not reach by chance in every trial, nor does its inverse.
constexpr double kFarFromOne = 2.0;

/// Mean over trials of a number that should be 1.
struct ShouldBeOne {
  double mean = 1.0;
  double tolerance = kFitTolerance;

  Verdict verdict() const {
    if (mean > 1.0 + tolerance) return Verdict::kTooLarge;
    return mean < 1.0 - tolerance ? Verdict::kTooSmall : Verdict::kHolds;
  }
};

/// Of what has a spread over trials, which tells its standard deviation.
std::optional<ShouldBeOne> FromSpread(const MetricSummary& metric) {
  if (!metric.overall || !metric.overall->mean) return std::nullopt;
  ShouldBeOne number{.mean = *metric.overall->mean};
  // Where no trial is near 1, their spread, which one extreme trial can make, excuses none.
  const bool none_near =
      *metric.overall->min > kFarFromOne || *metric.overall->max < 1.0 / kFarFromOne;
  const auto& variance = metric.overall->variance;
  if (variance && !none_near) {
    const double of_mean = std::sqrt(*variance / static_cast<double>(metric.overall->n));
    number.tolerance = std::max(number.tolerance, kChance * of_mean);
  }
  return number;
}

/// Of a sum of squares, whose degrees of freedom tell it.
std::optional<ShouldBeOne> FromCount(const MetricSummary& metric) {
  if (!metric.overall || !metric.overall->mean || !metric.count_range) return std::nullopt;
  const auto [least, largest] = *metric.count_range;
  const double freedom = 0.5 * static_cast<double>(least + largest);
  if (freedom <= 0.0) return std::nullopt;
  const double chance =
      kChance * std::sqrt(2.0 / (freedom * static_cast<double>(metric.overall->n)));
  return ShouldBeOne{*metric.overall->mean / freedom, std::max(kFitTolerance, chance)};
}

/// The number that is farther from 1.
void KeepWorse(std::optional<ShouldBeOne> number, std::optional<ShouldBeOne>& worst) {
  const auto distance = [](const ShouldBeOne& one) { return std::abs(std::log(one.mean)); };
  if (number && (!worst || distance(*number) > distance(*worst))) worst = number;
}

/// What the records of an estimator in a cell say of its fit.
struct Fit {
  std::optional<ShouldBeOne> chi_square, over_sigma, nis;

  /// χ² has the degrees of freedom that the other lacks.
  const std::optional<ShouldBeOne>& residuals() const {
    return chi_square ? chi_square : over_sigma;
  }
};

bool IsForIdentification(const RunManifest& manifest, const std::string& experiment) {
  const Json experiments = manifest.scenario->value("experiments", Json::object());
  const Json options = experiments.value(experiment, Json::object());
  return options.value("role", Json()) == Json("identification");
}

Fit FitOf(const EstimatorSummary& estimator, const RunManifest& manifest) {
  Fit fit;
  for (const MetricSummary& metric : estimator.metrics) {
    const MetricName name(metric.name);
    if (!name.checkpoint.empty()) continue;
    if (name.quantity == "chi_square") fit.chi_square = FromCount(metric);
    if (name.quantity == "nis") fit.nis = FromSpread(metric);
    if (name.quantity == "joint_torque_rmse_over_sigma" &&
        IsForIdentification(manifest, name.experiment)) {
      KeepWorse(FromSpread(metric), fit.over_sigma);
    }
  }
  return fit;
}

/// Smallest and largest of some numbers in print, "85" or "0.96–162".
class Range {
 public:
  void Add(double number) {
    least_ = std::min(least_, number);
    largest_ = std::max(largest_, number);
    empty_ = false;
  }
  bool empty() const { return empty_; }
  std::string Text() const {
    const std::string least = fmt::format("{:.3g}", least_);
    const std::string largest = fmt::format("{:.3g}", largest_);
    return least == largest ? least : least + "–" + largest;
  }

 private:
  double least_ = HUGE_VAL, largest_ = -HUGE_VAL;
  bool empty_ = true;
};

/// What is said of one estimator, over the cells in which it is to be said.
struct Finding {
  std::string label;
  Range sigmas, chi_square, over_sigma, nis;
  std::size_t cells = 0;

  void Add(const Fit& fit) {
    ++cells;
    if (const auto& residuals = fit.residuals()) {
      sigmas.Add(fit.chi_square ? std::sqrt(residuals->mean) : residuals->mean);
    }
    if (fit.chi_square) chi_square.Add(fit.chi_square->mean);
    if (fit.over_sigma) over_sigma.Add(fit.over_sigma->mean);
    if (fit.nis) nis.Add(fit.nis->mean);
  }

  /// "ols 85 σ (χ²/dof 7.22e+03, rms over σ 85)"
  std::string Text(bool of_residuals, std::size_t all_cells) const {
    std::vector<std::string> numbers;
    if (!chi_square.empty()) numbers.push_back("χ²/dof " + chi_square.Text());
    if (!over_sigma.empty()) numbers.push_back("rms over σ " + over_sigma.Text());
    if (!nis.empty()) numbers.push_back("NIS " + nis.Text());
    if (all_cells > 1) numbers.push_back(fmt::format("in {} of {} cells", cells, all_cells));
    return fmt::format("{}{} ({})", label, of_residuals ? " " + sigmas.Text() + " σ" : "",
                       fmt::join(numbers, ", "));
  }
};

/// What can be said, in this order, and of whom.
struct Findings {
  std::vector<Finding> too_large, too_small, innovations;

  void Add(const std::string& label, const Fit& fit) {
    const auto& residuals = fit.residuals();
    const Verdict verdict = residuals ? residuals->verdict() : Verdict::kHolds;
    if (verdict == Verdict::kTooLarge) Find(too_large, label).Add(fit);
    if (verdict == Verdict::kTooSmall) Find(too_small, label).Add(fit);
    const bool doubtful = fit.nis && fit.nis->verdict() != Verdict::kHolds;
    if (verdict == Verdict::kHolds && doubtful) Find(innovations, label).Add(fit);
  }

  static Finding& Find(std::vector<Finding>& findings, const std::string& label) {
    const auto known = std::ranges::find(findings, label, &Finding::label);
    if (known != findings.end()) return *known;
    findings.emplace_back().label = label;
    return findings.back();
  }
};

}  // namespace

std::vector<std::string> FitSentences(const std::vector<TableItem>& items,
                                      const RunManifest& manifest) {
  Findings findings;
  std::set<std::pair<const CellSummary*, const EstimatorSummary*>> seen;
  std::map<std::string, std::size_t> cells;
  for (const TableItem& item : items) {
    const std::string& label = item.estimator->label;
    const auto& untaught = manifest.untaught;
    if (item.is_bound || std::ranges::find(untaught, label) != untaught.end()) continue;
    if (!seen.emplace(item.cell, item.estimator).second) continue;
    ++cells[label];
    findings.Add(label, FitOf(*item.estimator, manifest));
  }
  std::vector<std::string> sentences;
  const auto say = [&](const std::vector<Finding>& found, bool of_residuals, const char* what,
                       const char* why) {
    std::vector<std::string> each;
    for (const Finding& finding : found) {
      each.push_back(finding.Text(of_residuals, cells[finding.label]));
    }
    if (each.empty()) return;
    sentences.push_back(fmt::format(
        "{}: {}; accepted is {} of {:g}–{:g}, more where data are few: {}", what,
        fmt::join(each, ", "), of_residuals ? "χ²/dof or, without it, rms over σ" : "NIS",
        1.0 - kFitTolerance, 1.0 + kFitTolerance, why));
  };
  say(findings.too_large, true, "residuals are larger than the declared σ",
      "the model lacks something that moves the torques, or σ is too small");
  say(findings.too_small, true, "residuals are smaller than the declared σ",
      "σ is too large, or what was measured was smoothed after it was declared");
  say(findings.innovations, false, "innovations do not have the size that filters state",
      "their prior or process noise does not fit, or σ does not");
  return sentences;
}

}  // namespace idbench
