#pragma once

#include <filesystem>

namespace idbench {

/// Can the gate fail? Runs a run's scenario anew and plants, one after another,
///   - nothing, which must pass;
///   - 5 % less accuracy of the first estimator: its values of the headline metric are 1.05 times
///     as large in every record, those of the reserve trials too, as if all its errors were;
///   - failures: as many estimates of the first estimator are recorded as diverged as McNemar's
///     test needs to tell them, at least 10 %;
///   - 10 % lost samples: in all trials, a tenth of the samples is kept from all estimators.
/// Data, records and reserve trials are changed, the gate is not. A gate that is inconclusive is
/// repeated with as many trials as it asks for.
///
/// Prints what became of each. @returns true if the gate told all of them.
/// @throws UsageError for a run of recordings.
bool TellsPlantedRecords(const std::filesystem::path& run, int jobs);

/// The same of 10 % more work in one kernel, as counts of instructions tell; see
/// bench/instructions.h. Without valgrind the answer is no.
bool TellsPlantedSlowdown();

}  // namespace idbench
