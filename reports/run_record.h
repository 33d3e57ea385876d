#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/run_manifest.h"

namespace idbench {

/// The outcome of an estimate that did not fail.
inline constexpr std::string_view kOutcomeOk = "ok";

/// One metric of one estimate. What failed or is not finite is NaN.
struct RecordedMetric {
  std::string name;
  std::optional<double> value;  ///< Over all components; nothing if the metric has no such value.
  std::vector<double> components;  ///< As many as the manifest names, or none if the metric failed.
  std::optional<std::size_t> count;  ///< What the value counts over, such as directions.
  std::string failure;               ///< Why it failed, "" if it did not.
};

/// One line of `records.jsonl`: one estimator in one trial of one cell.
struct RunRecord {
  std::size_t cell = 0;
  std::size_t trial = 0;
  std::size_t estimator = 0;  ///< Index in the manifest's list.
  std::string rollout;        ///< Identifies the roll-out it was identified from.
  std::string outcome;        ///< kOutcomeOk or the kind of failure.
  std::string reason;         ///< The failure in a sentence, "" if none was given.
  std::vector<RecordedMetric> metrics;

  bool ok() const { return outcome == kOutcomeOk; }
  const RecordedMetric* Find(std::string_view metric) const;  ///< nullptr if there is none.
};

/// Reads the text of one record; x, sigma and diagnostics are skipped.
///
/// @param source  name of the file, `line` number in it, from 1: both for messages.
/// @throws ConfigError for what is not JSON, and all contradictions to the manifest at once.
RunRecord ParseRecord(std::string_view text, const RunManifest& manifest, const std::string& source,
                      std::size_t line);

}  // namespace idbench
