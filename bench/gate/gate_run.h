#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "bench/gate/record_source.h"
#include "reports/gate/gate.h"
#include "reports/run/run_folder.h"

namespace idbench {

/// Returns the exit code that tells a verdict: kExitFine, kExitRegression, kExitInconclusive or
/// kExitIncomparable.
int ExitCodeOf(GateVerdict verdict);

/// Returns the subjects of a gate of two folders: each metric of the rules, of each cell and
/// estimator that both have. One that the baseline alone has is lost.
/// @throws ConfigError if a folder is damaged.
std::vector<GateSubject> SubjectsOf(const RunFolder& baseline, const RunFolder& run,
                                    const GateRules& rules);

/// Gates the accuracy and the failures of a run folder against a baseline folder, as both declare
/// in `gate`, and writes `gate.json` into the run folder; that of an earlier call goes first, so
/// that none is left beside a refusal.
///
/// See reports/gate/gate.h for what counts as a regression. Incomparable are runs of other trials,
/// a run whose gate is another one than its baseline's, and one that lacks a cell or an estimator,
/// unless `choices` allow it.
/// @param baseline  from WriteBaseline(), or any run folder of the same scenario: without reserve
///         records, every second trial serves as reserve.
/// @param records  makes the records of the reserve trials of flagged cells.
/// @throws ConfigError if a folder is damaged.
GateReport GateRun(const std::filesystem::path& run, const std::filesystem::path& baseline,
                   const RecordSource& records = RecordsRunHere(1),
                   const GateChoices& choices = {});

/// The reserve of a gate without reserve trials: takes every second trial from the subjects.
GateReserve HalvedReserve(std::vector<GateSubject>& subjects);

/// Returns true if a baseline keeps reserve trials.
bool HasReserve(const std::filesystem::path& baseline);

}  // namespace idbench
