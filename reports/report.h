#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "reports/run/lost_estimators.h"
#include "scenarios/options/enum_names.h"

namespace idbench {

/// Output of a report.
enum class ReportFormat {
  kMarkdown,  ///< `report.md`
  kHtml,      ///< `report.html`, see RenderHtml().
  kLatex,     ///< `report.tex`, which reads `tables/NN_caption.tex`, and PDF figures made with it.
  /// `tables/statistics.csv`, everything in long form, and `tables/NN_caption.csv` as printed.
  kCsv,
  kJson,   ///< `summary.json`, and `benchmark.json` if the run was timed, see BenchmarkJson().
  kJunit,  ///< `junit.xml`, see RenderJunit().
  kSvg,    ///< `figures/….svg`, see RenderFigures().
  kPdf,    ///< `figures/….pdf`, see RenderFigures().
};

template <>
inline constexpr auto kEnumNames<ReportFormat> =
    std::to_array<EnumName<ReportFormat>>({{ReportFormat::kMarkdown, "md"},
                                           {ReportFormat::kHtml, "html"},
                                           {ReportFormat::kLatex, "tex"},
                                           {ReportFormat::kCsv, "csv"},
                                           {ReportFormat::kJson, "json"},
                                           {ReportFormat::kJunit, "junit"},
                                           {ReportFormat::kSvg, "svg"},
                                           {ReportFormat::kPdf, "pdf"}});

/// Returns the format of that name.
/// @throws std::invalid_argument naming all of them for another text.
ReportFormat ParseReportFormat(std::string_view name);

/// Formats that a run writes: all that cost next to nothing.
inline const std::set<ReportFormat> kDefaultFormats = {ReportFormat::kMarkdown, ReportFormat::kHtml,
                                                       ReportFormat::kCsv, ReportFormat::kJson};

struct Report {
  std::string markdown;                      ///< All tables, for a terminal.
  std::vector<std::filesystem::path> files;  ///< Files in the order of writing.
  LostEstimators lost;
};

/// Makes statistics and tables of a run folder and writes them into it, each file atomically. The
/// same records give the same bytes.
/// @throws ConfigError if the folder is damaged or its tables contradict it; then
///         nothing is written.
/// @throws std::filesystem::filesystem_error if a file cannot be written.
/// @throws std::runtime_error if figures are requested and cannot be rendered; then all
///         else is written.
Report WriteReport(const std::filesystem::path& run_directory,
                   const std::set<ReportFormat>& formats = kDefaultFormats);

}  // namespace idbench
