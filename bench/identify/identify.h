#pragma once

#include <atomic>
#include <string>

#include "bench/identify/lab_logs.h"

namespace idbench {

/// What became of `idbench identify`.
struct IdentifyResult {
  bool interrupted = false;
  bool exported = false;  ///< False if the identified model could not be written; `text` says why.
  std::string text;       ///< The verdict and where everything is, for a terminal.
};

/// Identifies a robot from a lab's logs, into options.folder:
///
/// - `tuning/`: the runs that chose a preparation, see ChoosePreparation();
/// - the run of IdentifyScenario(): `scenario.json`, which runs again as it is, `report.html`,
///   `summary.json` …;
/// - `identified.urdf` or `.xml` with `robot.json` beside it: the model file with what was
///   identified, of consistent_wls, checked as ExportRun() does;
/// - `checks.json`: what looks wrong in the logs, see CheckLogs(); nothing of it is corrected;
/// - `verdict.json`, see VerdictMarkdown(), and of the same `verdict.md`: what was found, assumed
/// and
///   chosen, and how good the model is; report.html shows it too.
/// @throws ConfigError where the logs cannot be read or the run cannot be made, with what looks
/// wrong
///         in the logs.
IdentifyResult Identify(const IdentifyOptions& options, const std::atomic<bool>* stop);

}  // namespace idbench
