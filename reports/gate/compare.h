#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reports/gate/matched_runs.h"
#include "scenarios/options/enum_names.h"
#include "scenarios/options/json_fwd.h"

namespace idbench {

/// One side of a comparison: result of a metric over its trials.
struct ComparedSide {
  std::string label;
  std::size_t trials = 0;  ///< Those that the other side has, too.
  std::size_t failed = 0;
  /// Geometric mean of the survivors if all values are positive, else their mean.
  std::optional<double> average;
};

/// What another metric says of two sides.
struct ChangeBeside {
  std::string metric;
  /// Relative change from a to b; nothing where a side has no value.
  std::optional<double> change;
};

/// Why neither side of a pair counts as better.
enum class NoWinner {
  kUntested,     ///< ComparedPair::tested is false.
  kTooFew,       ///< No result of so few units could tell the sides apart: least_p is above α.
  kFramed,       ///< Other body frames may rank the sides otherwise, see RunMetric::RanksBy().
  kDisagreeing,  ///< ComparedPair::disagreeing is not empty.
  kEqual,        ///< The mean change is none.
};
template <>
inline constexpr auto kEnumNames<NoWinner> =
    std::to_array<EnumName<NoWinner>>({{NoWinner::kUntested, "nothing is tested"},
                                       {NoWinner::kTooFew, "too few units"},
                                       {NoWinner::kFramed, "body frames may decide"},
                                       {NoWinner::kDisagreeing, "other scores disagree"},
                                       {NoWinner::kEqual, "no change"}});

/// Two sides of one cell, paired by the number of a trial if ArePaired() says so.
struct ComparedPair {
  RunCell cell;
  ComparedSide a;
  ComparedSide b;
  /// Trials of a and b that the other side does not have, and that are not compared.
  std::pair<std::size_t, std::size_t> left_out = {0, 0};
  bool identical = false;  ///< The trials that are compared have the same values, bit for bit.
  std::size_t units = 0;   ///< Independent units: trials, or roll-outs that trials share.
  bool tested = true;      ///< False of recordings, and where unpaired sides allow no test.
  std::optional<bool> same_rollouts = std::nullopt;  ///< As in MatchedSamples.
  bool one_motion = false;  ///< A side has a single motion, and not that of the other side.
  bool ratios = true;       ///< Changes are log-ratios (reports/statistics/paired.h).
  /// Relative change of the metric from a to b; the change itself if Comparison::interval_scale.
  double change = 0;
  std::optional<ConfidenceInterval> interval;  ///< Its 95 % interval.
  double p = 1;                                ///< Sign-flip test, two-sided.
  double adjusted_p = 1;  ///< With Holm's adjustment over all pairs of the comparison.
  double failure_p = 1;   ///< McNemar test of the failure rates.
  /// P(b better than a) of paired sides of which one may count as better, or that are equal.
  std::optional<double> probability_of_improvement;
  double least_p = 1;        ///< Least adjusted p that the numbers of units of all pairs allow.
  bool b_is_better = false;  ///< By the mean change.
  /// Metrics in RunMetric::ranks_with by which the other side is better, or that tell nothing:
  /// where there is one, no side counts as better.
  std::vector<ChangeBeside> disagreeing = {};
  std::optional<NoWinner> no_winner = std::nullopt;  ///< Nothing: b is better, or else a.

  /// Returns false if a side has no value: its failures lose, but the metric does not change.
  bool HasChange() const { return a.average && b.average; }
  /// Returns false where nothing is tested, or p of so few units could be no other than large.
  bool HasP() const { return tested && no_winner != NoWinner::kTooFew; }
  /// Returns "ols", or "ols → wls" of two estimators.
  std::string Estimators() const;
  bool distinguishable(double alpha) const { return adjusted_p <= alpha; }
  /// Returns true if one side has more trials than the other.
  bool cut() const { return left_out.first + left_out.second > 0; }
};

struct Comparison {
  std::string metric;
  std::string unit;
  double alpha = 0.05;
  Better better = Better::kLower;
  std::string a;  ///< Names of the sides.
  std::string b;
  std::vector<ComparedPair> pairs;
  std::vector<std::string> notes;
  Pairing pairing = Pairing::kTrials;
  bool framed = false;          ///< See RunMetric::framed.
  bool interval_scale = false;  ///< See RunMetric::interval_scale.
};

/// Compares matched samples as one family of tests.
/// @param metric  its name and unit, and whether it depends on body frames or has no ratios.
/// @param better  the values that count as better, whatever those of the metric are.
/// @param pairing  what trials of a number have in common. If nothing, sides are compared as
///         independent samples (see DescribeUnpaired()): of roll-outs, where trials share them; of
///         trials, where both sides share one motion; and not tested at all where one has a motion
///         of its own. Nor are recordings: they have no draws.
Comparison Compare(const std::vector<MatchedSamples>& samples, const RunMetric& metric,
                   Better better, double alpha, Pairing pairing = Pairing::kTrials);

/// Returns the samples of two estimators of one run, cell by cell: every label against
/// the first one.
/// @throws std::invalid_argument for a label that the run does not have.
std::vector<MatchedSamples> MatchEstimators(const RunFolder& folder, const std::string& metric,
                                            const std::vector<std::string>& labels);

/// Returns a table with pipes: the better side of each pair is bold, and ≈ follows the other one if
/// the two cannot be told apart. No side is bold where there is a NoWinner, and a note says why.
/// Leaves out identical pairs; notes follow below.
std::string RenderComparison(const Comparison& comparison);

/// Returns {"format": 1, "metric": "…", "unit": "…", "alpha": 0.05, "better": "lower", "a": "…",
/// "b": "…", "paired": true, "pairing": "trials", "relative": true, "pairs": [{"cell": 0, "axes":
/// {}, "a": {"label", "trials", "failed", "average"}, "b": {…}, "identical": false, "units": 100,
/// "change": 0.05, "interval": [lo, hi], "p", "adjusted_p", "least_p", "failure_p",
/// "probability_of_improvement"}], "notes": ["…"]}.
///
/// Where "relative" is false, of a metric of an interval scale, "change" and "interval" are
/// differences in its unit. Where neither side counts as better "no_winner" says why, and there is
/// no "probability_of_improvement" unless they are equal. Where it says "too few units", or nothing
/// is tested, there is no p either; "least_p" is there of what is tested. "change" and "interval"
/// are not there where all trials of a side failed. A pair of sides with unequal numbers of trials
/// has "left_out": {"a": 0, "b": 6}; one on which metrics disagree has "disagreeing": [{"metric":
/// "…", "change": 0.12}]. Of sides that are not paired, "paired" is false, and there is no
/// "failure_p".
Json ToJson(const Comparison& comparison);

}  // namespace idbench
