#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reports/run/run_folder.h"
#include "reports/statistics/paired.h"
#include "scenarios/options/enum_names.h"
#include "scenarios/options/json_fwd.h"

namespace idbench {

/// What trials of a number have in common on both sides of a comparison.
enum class Pairing {
  kTrials,      ///< They are the same trials, see WhyIncomparable().
  kSeeds,       ///< Seeds and first trial, and with them those draws of which the names agree.
  kNone,        ///< They are other draws.
  kRecordings,  ///< A side is a recording: it has no draws, and one value.
};
template <>
inline constexpr auto kEnumNames<Pairing> =
    std::to_array<EnumName<Pairing>>({{Pairing::kTrials, "trials"},
                                      {Pairing::kSeeds, "seeds"},
                                      {Pairing::kNone, "none"},
                                      {Pairing::kRecordings, "recordings"}});

/// Returns true if trials of a number are compared with each other.
constexpr bool ArePaired(Pairing pairing) {
  return pairing == Pairing::kTrials || pairing == Pairing::kSeeds;
}

/// What both sides have of another metric.
struct SamplesBeside {
  std::string metric;
  MetricSamples a;  ///< Does not apply where the side has no such metric. Likewise b.
  MetricSamples b;
};

/// One estimator of one cell that two runs have in common: cells match by the values of their axes,
/// estimators by label.
struct MatchedSamples {
  RunCell cell;  ///< As in the second run.
  std::string a_label;
  std::string b_label;  ///< Differs if two estimators of one run are compared.
  MetricSamples a;
  MetricSamples b;
  bool same_motions = true;  ///< Both sides moved alike: the same roll-outs, or one motion for all.
  /// Both sides have the same roll-outs; nothing where one has more trials, and so may have more.
  std::optional<bool> same_rollouts = true;
  /// Of the metrics that must agree on which side is better, see RunMetric::ranks_with.
  std::vector<SamplesBeside> beside = {};
  bool interval_scale = false;  ///< See RunMetric::interval_scale.

  Pairs MakePairs(Better better) const;
  /// Returns these samples with those of a metric beside them in place of their own; nothing if a
  /// side has no value of it.
  std::optional<MatchedSamples> By(const SamplesBeside& other) const;
};

/// Returns all that the runs have in common, in the order of the second one. Leaves out samples for
/// which the metric has no meaning.
/// @throws ConfigError (source: the run's records) if records are missing, or the metric has
///         only components.
/// @throws std::invalid_argument for a metric that one of the runs does not have.
std::vector<MatchedSamples> MatchRuns(const RunFolder& a, const RunFolder& b,
                                      const std::string& metric);

/// Returns the cells and estimators that the runs have in common, and of which only the first has
/// values of the metric: estimates of the second succeed without it.
/// @throws as MatchRuns().
std::vector<std::pair<RunCell, std::string>> LostIn(const RunFolder& a, const RunFolder& b,
                                                    const std::string& metric);

/// Returns the names of cells and estimators of the first run that the second does not have, and of
/// motions of which some of `metrics` are: without one a motion has no records, and says nothing.
std::vector<std::string> MissingFrom(const RunFolder& has, const RunFolder& lacks,
                                     const std::vector<std::string>& metrics);

/// Returns, as sentences, what MissingFrom() tells of the second run, and vice versa.
std::vector<std::string> Unmatched(const RunFolder& a, const RunFolder& b,
                                   const std::vector<std::string>& metrics);

/// Returns, as sentences, the labels under which the runs have estimators or observers with other
/// options.
/// @param a, b  documents manifest.json as for WhyIncomparable().
/// @param a_name, b_name  what the sentences call the runs, e.g. "the baseline" and "the run".
std::vector<std::string> ReplacedEstimators(const Json& a, const std::string& a_name, const Json& b,
                                            const std::string& b_name);

/// Returns why trials of two runs are not the same trials, "" if they are.
///
/// The reasons are another MuJoCo version, another input file, or another scenario; the sentence
/// gives the first that differs. These may differ: name, title, tables, gate, metrics,
/// timing_trials, keep_series and trials, which change no record of a trial; and estimators and
/// observers, which are what is compared: they match by label whatever their options. No estimator
/// reads a file, so every input counts: by its content, wherever it lies (see DifferentInputs()).
/// If one manifest does not tell its inputs, paths are compared. A key that is null in one scenario
/// and not there in the other is no difference, nor is what such a key stands for. Another program
/// (see ProgramDifferences()) and another floating-point fingerprint are comparable.
/// @param a, b  documents manifest.json, each scenario as the same program spells it out (see
///         ExpandedScenario()).
std::string WhyIncomparable(const Json& a, const Json& b);

/// Returns what trials of a number have in common in two runs: without the same seeds and the same
/// first trial, pairing them by number means nothing.
/// @param a, b  documents manifest.json as for WhyIncomparable().
Pairing PairingOf(const Json& a, const Json& b);

}  // namespace idbench
