#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace idbench {

enum class ReportFormat {
  kMarkdown,  ///< `report.md`
  kHtml,      ///< `report.html`
  kCsv,   ///< `tables/statistics.csv`, all in long form, and `tables/NN_caption.csv` as printed.
  kJson,  ///< `summary.json`
};

/// "md", "html", "csv" or "json". @throws std::invalid_argument naming these for another text.
ReportFormat ParseReportFormat(std::string_view name);

struct Report {
  std::string markdown;                      ///< All tables, for a terminal.
  std::vector<std::filesystem::path> files;  ///< Written, in the order of their writing.
};

/// Makes statistics and tables of a run folder and writes them into it, each file in one piece.
///
/// The same records give the same bytes.
/// @throws ConfigError if the folder is damaged or its tables contradict it; nothing is written
/// then.
/// @throws std::filesystem::filesystem_error if a file cannot be written.
Report WriteReport(const std::filesystem::path& run_directory,
                   const std::set<ReportFormat>& formats = {ReportFormat::kMarkdown,
                                                            ReportFormat::kHtml, ReportFormat::kCsv,
                                                            ReportFormat::kJson});

}  // namespace idbench
