#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bench/nightly.h"
#include "scenarios/options/json.h"

namespace idbench {

/// What is said of a night beside its results.
struct NightlyHeading {
  std::string suite;   ///< The suite's file.
  std::string time;    ///< When it began: "2026-03-01T02:00:00Z".
  std::string commit;  ///< Of idbench.
};

/// {"format": 1, "suite", "time", "commit", "exit_code", "scenarios": [{"label", "scenario",
/// "verdict", "exit_code", "sentence", "duration_s", "folder", "baseline"}]}; what there is not, is
/// "". Folders as they were given.
Json NightlyToJson(const NightlyHeading& heading, const std::vector<NightlyResult>& results);

/// JUnit's XML: a test case per scenario; a regression is a failure, skipped ones are skipped, and
/// what gives no verdict otherwise is an error.
std::string NightlyToJunit(const NightlyHeading& heading,
                           const std::vector<NightlyResult>& results);

/// The page of a night, linking the reports, the baselines' and `trends.html` beside it.
/// @param out  the folder it will lie in: links are relative to it.
std::string NightlyToHtml(const NightlyHeading& heading, const std::vector<NightlyResult>& results,
                          const std::filesystem::path& out);

/// A table for a terminal.
std::string NightlyToText(const std::vector<NightlyResult>& results);

}  // namespace idbench
