#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/run/run_manifest.h"

namespace idbench {

/// Outcome of an estimate that did not fail.
inline constexpr std::string_view kOutcomeOk = "ok";
/// Roll-out of a trial whose plant failed.
inline constexpr std::string_view kNoRollout = "failed";

/// One metric of one estimate. Values that failed or are not finite are NaN.
struct RecordedMetric {
  std::string name;
  std::optional<double> value;  ///< Over all components; nothing if the metric has no such value.
  std::vector<double> components;  ///< As many as the manifest names, or none if the metric failed.
  /// Number of things that the value counts over, such as directions.
  std::optional<std::size_t> count;
  std::string failure;  ///< Why there is no value, "" if there is one.
  /// With a failure: nothing failed, such a value cannot be had of this method, problem or data.
  bool absent = false;
};

/// Subject of the note that data contradict the prior: behind its first semicolon stand the
/// unknowns, "joint2.fc (z = 12), joint1.fv (z = -6)".
inline constexpr const char* kPriorNote = "prior";

/// One line of `records.jsonl`: one estimator, one observer with one model, or the motion of one
/// experiment, in one trial of one cell.
struct RunRecord {
  std::size_t cell = 0;
  std::size_t trial = 0;
  std::size_t estimator = 0;  ///< Index in the manifest's list, whatever the record is of.
  std::string rollout;        ///< Identifies the roll-out of the data, or kNoRollout.
  std::string motion;         ///< Identifies the motion that several roll-outs share; else "".
  std::string outcome;        ///< kOutcomeOk or the kind of failure.
  std::string reason;         ///< Sentence about the failure, "" if none was given.
  std::vector<RecordedMetric> metrics;
  std::map<std::string, std::string> notes =
      {};  ///< Sentences of the estimate, by what they are about.

  bool ok() const { return outcome == kOutcomeOk; }
  /// Identifies what trials have in common, so that they are not independent of each other: the
  /// motion, if the record tells it, else the roll-out. A trial without one has a unit of its own.
  std::string Unit() const;
  const RecordedMetric* Find(std::string_view metric) const;  ///< Returns nullptr if there is none.
};

/// Reads the text of one record; skips x, sigma and diagnostics.
///
/// @param source  name of the file, for messages.
/// @param line    number of the line in it, from 1, for messages.
/// @throws ConfigError if the text is not JSON, and with all contradictions to the
///         manifest at once.
RunRecord ParseRecord(std::string_view text, const RunManifest& manifest, const std::string& source,
                      std::size_t line);

}  // namespace idbench
