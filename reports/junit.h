#pragma once

#include <string>

#include "reports/run_folder.h"
#include "reports/summary.h"

namespace idbench {

/// A run as a JUnit report, which GitLab, Jenkins and others read: one `testsuite` per cell, one
/// `testcase` per estimator, whose `time` is the median of an estimate [s] where it was timed.
///
/// A case fails if estimates failed: the reasons, with counts and a sentence each, are its text.
/// One that was not run is skipped. `gate.json` of the run folder, where it is there, is a further
/// suite `gate` with a case per comparison: a regression fails, what could not be decided is
/// skipped.
/// @throws ConfigError if `gate.json` is damaged.
std::string RenderJunit(const RunFolder& folder, const Summary& summary);

}  // namespace idbench
