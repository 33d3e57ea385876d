#pragma once

#include <filesystem>
#include <functional>
#include <optional>

#include "bench/gate/record_source.h"
#include "reports/gate/gate.h"
#include "scenarios/options/json_fwd.h"

namespace idbench {

/// Returns a source whose records are those of another one, each changed.
RecordSource ChangedRecords(RecordSource source, std::function<void(Json& record)> change);

/// Returns true if a gate finds a regression of that kind. One of another kind is no answer: an
/// estimate that failed loses accuracy too, and a gate that were blind to failures would be red.
bool Finds(const GateReport& report, GateMemberKind kind);

/// Checks that the gate can fail. Runs a run's scenario again and plants, one after another,
/// - nothing, which must pass;
/// - one and a half times what the gate must find, of the first estimator's accuracy: its values of
///   the first metric are multiplied in every record, including the reserve trials, as if all its
///   errors had grown;
/// - failures: as many estimates of the first estimator are recorded as diverged as the gate needs
///   to tell them, at least 10 %;
/// - lost samples: in all trials, so many samples are withheld from all estimators that errors
///   which average noise grow as much as the loss of accuracy above. If the metric then changes by
///   less than must be found, as a coverage may, this is told, and there is nothing to detect.
///
/// What is planted has to be found as what it is: failures by their rate, see Finds().
///
/// Changes data, records and reserve trials, but not the gate. Repeats an inconclusive gate with as
/// many trials as it asks for.
///
/// Prints the result of each.
/// @return true if the gate detected all of them.
/// @throws UsageError for a run of recordings.
bool TellsPlantedRecords(const std::filesystem::path& run, int jobs);

/// As above for 10 % more work in one kernel, measured by instruction counts; see
/// bench/gate/instructions.h. Prints why and returns nothing if it cannot be planted: without
/// valgrind, say.
std::optional<bool> TellsPlantedSlowdown();

}  // namespace idbench
