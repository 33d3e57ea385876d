#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bench/nightly/nightly_result.h"
#include "scenarios/options/json_fwd.h"

namespace idbench {

/// Heading of a night's results.
struct NightlyHeading {
  std::string suite;   ///< File of the suite.
  std::string time;    ///< Start time: "2026-03-01T02:00:00Z".
  std::string commit;  ///< Commit of idbench.
};

/// Returns {"format": 1, "suite", "time", "commit", "exit_code", "scenarios": [{"label",
/// "scenario", "verdict", "exit_code", "sentence", "duration_s", "folder", "baseline",
/// "comparisons": [{"against", "folder", "verdict", "sentence"}]}]}; "" for what is absent. Folders
/// as they were given; "baseline" is that of the worst comparison.
Json NightlyToJson(const NightlyHeading& heading, const std::vector<NightlyResult>& results);

/// Returns JUnit XML with one test case per scenario: a regression is a failure, a skipped scenario
/// is skipped, and any other missing verdict is an error.
std::string NightlyToJunit(const NightlyHeading& heading,
                           const std::vector<NightlyResult>& results);

/// Returns the page of a night, with links to the reports, those of the baselines, and
/// `trends.html` beside it.
/// @param out  the folder of the page: links are relative to it.
std::string NightlyToHtml(const NightlyHeading& heading, const std::vector<NightlyResult>& results,
                          const std::filesystem::path& out);

/// Writes `nightly.json`, `junit.xml` and, last, `index.html`, each as a whole or not at all.
/// @param out  folder; made if it is not there.
void WriteNightlyPages(const NightlyHeading& heading, const std::vector<NightlyResult>& results,
                       const std::filesystem::path& out);

/// Returns a table for a terminal.
std::string NightlyToText(const std::vector<NightlyResult>& results);

}  // namespace idbench
