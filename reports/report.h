#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace idbench {

enum class ReportFormat {
  kMarkdown,  ///< `report.md`
  kHtml,      ///< `report.html`, see RenderHtml().
  kLatex,  ///< `report.tex`, which reads `tables/NN_caption.tex`, and figures made with it as PDF.
  kCsv,    ///< `tables/statistics.csv`, all in long form, and `tables/NN_caption.csv` as printed.
  kJson,   ///< `summary.json`, and of a run that was timed `benchmark.json`, see BenchmarkJson().
  kJunit,  ///< `junit.xml`, see RenderJunit().
  kSvg,    ///< `figures/….svg`, see RenderFigures().
  kPdf,    ///< `figures/….pdf`, likewise.
};

/// "md", "html", "tex", "csv", "json", "junit", "svg" or "pdf".
/// @throws std::invalid_argument naming these for another text.
ReportFormat ParseReportFormat(std::string_view name);

/// What a run writes: all that costs next to nothing.
inline const std::set<ReportFormat> kDefaultFormats = {ReportFormat::kMarkdown, ReportFormat::kHtml,
                                                       ReportFormat::kCsv, ReportFormat::kJson};

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
/// @throws std::runtime_error if figures are wanted and cannot be rendered; all else is written
/// then.
Report WriteReport(const std::filesystem::path& run_directory,
                   const std::set<ReportFormat>& formats = kDefaultFormats);

}  // namespace idbench
