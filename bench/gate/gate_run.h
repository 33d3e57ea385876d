#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

#include "bench/gate/record_source.h"
#include "reports/gate/gate.h"

namespace idbench {

/// Returns the exit code that tells a verdict: kExitFine, kExitRegression, kExitInconclusive or
/// kExitIncomparable.
int ExitCodeOf(GateVerdict verdict);

/// Gates the accuracy and the failures of a run folder against a baseline folder, as the run's
/// scenario declares in `gate`, and writes `gate.json` into the run folder.
///
/// See reports/gate/gate.h for what counts as a regression.
/// @param baseline  from WriteBaseline(), or any run folder of the same scenario: without reserve
///         records, every second trial serves as reserve.
/// @param records  makes the records of the reserve trials of flagged cells.
/// @throws ConfigError if a folder is damaged.
GateReport GateRun(const std::filesystem::path& run, const std::filesystem::path& baseline,
                   const RecordSource& records = RecordsRunHere(1));

/// How often the gate raises an alarm if nothing changed.
struct AaReport {
  std::size_t subjects = 0;  ///< Cells and estimators.
  std::uint64_t baseline_seed = 0;
  std::uint64_t run_seed = 0;
  double alpha = 0.05;
  PseudoGates result;
};

/// Runs an A/A test: measures how often the gate raises an alarm if nothing changed. Applies
/// `gates` gates to the run's trials and the reserve trials of the baseline (or the baseline's own
/// trials if they have another seed), with labels exchanged at random; even trials make the first
/// stage, odd ones the reserve. Runs no trials.
/// @throws UsageError if both sides have the same seed and there are no reserve trials.
AaReport GateAgainstItself(const std::filesystem::path& run, const std::filesystem::path& baseline,
                           int gates);

/// Returns the rates of alarms with their 95 % intervals.
std::string RenderAa(const AaReport& report);

}  // namespace idbench
