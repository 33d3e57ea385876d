#pragma once

#include <string>

#include "reports/run/run_folder.h"
#include "reports/run/summary.h"

namespace idbench {

/// Returns a run as a JUnit report, which GitLab, Jenkins and others read: one `testsuite` per
/// cell, one `testcase` per estimator, whose `time` is the median duration of an estimate [s]
/// if it was timed.
///
/// A case fails if estimates failed; its text gives the reasons, with counts and a sentence
/// each. A case that was not run is skipped. `gate.json` of the run folder, if present, becomes
/// a further suite `gate` with one case per comparison: a regression fails, an undecided
/// comparison is skipped.
/// @throws ConfigError if `gate.json` is damaged.
std::string RenderJunit(const RunFolder& folder, const Summary& summary);

}  // namespace idbench
