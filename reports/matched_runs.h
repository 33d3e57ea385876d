#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "reports/paired.h"
#include "reports/run_folder.h"

namespace idbench {

/// One estimator of one cell that two runs have in common: cells by the values of their axes,
/// estimators by label.
struct MatchedSamples {
  RunCell cell;  ///< As the second run has it.
  std::string a_label;
  std::string b_label;  ///< Differs where two estimators of one run are compared.
  MetricSamples a;
  MetricSamples b;

  Pairs MakePairs(Better better) const;
};

/// All that the runs have in common, in the order of the second one. Samples that the metric has
/// no meaning for are left out.
/// @throws ConfigError (source: the run's records) if records are missing, or the metric has
///         components alone.
/// @throws std::invalid_argument for a metric that one of the runs has not.
std::vector<MatchedSamples> MatchRuns(const RunFolder& a, const RunFolder& b,
                                      const std::string& metric);

/// Cells and estimators of the second run that the first has not, and of the first that the second
/// has not, as sentences.
std::vector<std::string> Unmatched(const RunFolder& a, const RunFolder& b);

/// JSON pointer of the first place, in the order of `a`, where two documents differ; nothing if
/// they are equal. Numbers are equal by value, objects in any order of their keys.
std::optional<std::string> FirstDifference(const Json& a, const Json& b);

/// Why trials of two runs are not the same trials, "" if they are.
///
/// Another MuJoCo version, or another scenario: the sentence tells the first JSON pointer that
/// differs. What may differ: name, title, tables, gate, metrics, timing_trials, keep_series and
/// trials, which change no record of a trial; and estimators, which are what is judged: they are
/// matched by label whatever their options. Another floating-point fingerprint is comparable.
/// @param a, b  documents manifest.json.
std::string WhyIncomparable(const Json& a, const Json& b);

}  // namespace idbench
