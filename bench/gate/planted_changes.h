#pragma once

#include <filesystem>
#include <functional>

#include "bench/gate/record_source.h"
#include "scenarios/options/json_fwd.h"

namespace idbench {

/// Returns a source whose records are those of another one, each changed.
RecordSource ChangedRecords(RecordSource source, std::function<void(Json& record)> change);

/// Checks that the gate can fail. Runs a run's scenario again and plants, one after another,
/// - nothing, which must pass;
/// - 5 % less accuracy of the first estimator: its values of the headline metric are multiplied by
///   1.05 in every record, including the reserve trials, as if all its errors had grown;
/// - failures: as many estimates of the first estimator are recorded as diverged as McNemar's test
///   needs to detect them, at least 10 %;
/// - 10 % lost samples: in all trials, a tenth of the samples is withheld from all estimators.
///
/// Changes data, records and reserve trials, but not the gate. Repeats an inconclusive gate with as
/// many trials as it asks for.
///
/// Prints the result of each.
/// @return true if the gate detected all of them.
/// @throws UsageError for a run of recordings.
bool TellsPlantedRecords(const std::filesystem::path& run, int jobs);

/// As above for 10 % more work in one kernel, measured by instruction counts; see
/// bench/gate/instructions.h. Returns false without valgrind.
bool TellsPlantedSlowdown();

}  // namespace idbench
