#include "reports/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "reports/benchmark_json.h"
#include "reports/charts/chart.h"
#include "reports/charts/figures.h"
#include "reports/charts/following_chart.h"
#include "reports/charts/friction_chart.h"
#include "reports/charts/observation_charts.h"
#include "reports/charts/parameter_chart.h"
#include "reports/charts/recorded_charts.h"
#include "reports/charts/series_charts.h"
#include "reports/charts/spread_charts.h"
#include "reports/charts/sweep_charts.h"
#include "reports/charts/swing_chart.h"
#include "reports/charts/torque_chart.h"
#include "reports/files/atomic_file.h"
#include "reports/junit.h"
#include "reports/page/html.h"
#include "reports/run/run_folder.h"
#include "reports/run/summary.h"
#include "reports/tables/latex.h"
#include "reports/tables/render.h"
#include "reports/tables/table.h"
#include "reports/tables/timing_table.h"
#include "scenarios/options/json.h"
#include "scenarios/options/utf8.h"

namespace idbench {
namespace {

std::string ReportHeading(const RunManifest& manifest, const Summary& summary) {
  std::string text;
  if (!manifest.Title().empty()) text += fmt::format("# {}\n\n", manifest.Title());
  if (!manifest.Name().empty()) text += fmt::format("scenario `{}`, ", manifest.Name());
  text += fmt::format("seed {}", manifest.seed);
  if (!manifest.commit.empty()) text += fmt::format(", idbench {}", manifest.commit);
  text += '\n';
  if (manifest.shard) {
    text += fmt::format(
        "\n**A part of a run**: shard {} of {}, some trials of each cell. `idbench merge` makes "
        "the whole of all shards.\n",
        manifest.shard->index, manifest.shard->count);
  }
  for (const std::string& alarm : AlarmsOf(summary)) text += fmt::format("\n**{}**\n", alarm);
  if (manifest.absent_metrics.empty()) return text;
  text += "\nNot to be had here:\n\n";
  for (const auto& [metric, reason] : manifest.absent_metrics) {
    text += fmt::format("- {}: {}\n", metric, reason);
  }
  return text;
}

/// Torques, friction and parameters of a single trial come first: of one trial statistics tell
/// little.
std::vector<Chart> MakeCharts(const RunFolder& folder, const Summary& summary) {
  std::vector<Chart> charts = MakeSweepCharts(summary, folder.manifest());
  std::ranges::move(MakeSpreadCharts(summary, folder.manifest()), std::back_inserter(charts));
  std::ranges::move(MakeObservationCharts(summary, folder), std::back_inserter(charts));
  std::vector<Chart> first = MakeTorqueChart(folder);
  std::ranges::move(MakeSwingChart(folder), std::back_inserter(first));
  std::ranges::move(MakeFollowingChart(folder), std::back_inserter(first));
  std::ranges::move(MakeFrictionChart(folder), std::back_inserter(first));
  std::ranges::move(MakeParameterChart(folder), std::back_inserter(first));
  charts.insert(folder.manifest().trials == 1 ? charts.begin() : charts.end(),
                std::make_move_iterator(first.begin()), std::make_move_iterator(first.end()));
  std::ranges::move(MakeSeriesCharts(folder), std::back_inserter(charts));
  std::ranges::move(MakeRecordedCharts(folder), std::back_inserter(charts));
  return charts;
}

/// All that a report is made of, and what of it was made already.
class ReportMaker {
 public:
  ReportMaker(const std::filesystem::path& directory, const std::set<ReportFormat>& formats)
      : folder_(directory),
        formats_(formats),
        summary_(Summarise(folder_)),
        tables_(MakeTables(summary_, folder_.manifest())) {
    if (std::optional<Table> timing = MakeTimingTable(summary_)) {
      tables_.push_back(std::move(*timing));
    }
    if (Wants(ReportFormat::kHtml) || !FigureSuffixes().empty()) {
      charts_ = MakeCharts(folder_, summary_);
    }
  }

  Report Make() && {
    Report report;
    report.markdown = ReportHeading(folder_.manifest(), summary_) + RenderMarkdown(tables_);
    if (Wants(ReportFormat::kJson)) {
      Add("summary.json", JsonText(ToJson(summary_), 1) + '\n');
      const Json benchmarks = BenchmarkJson(folder_);
      if (!benchmarks["benchmarks"].empty()) Add("benchmark.json", JsonText(benchmarks, 1) + '\n');
    }
    if (Wants(ReportFormat::kCsv)) Add("tables/statistics.csv", RenderStatisticsCsv(summary_));
    if (Wants(ReportFormat::kCsv)) AddTables("csv", RenderCsv);
    if (Wants(ReportFormat::kMarkdown)) Add("report.md", report.markdown);
    if (Wants(ReportFormat::kHtml)) {
      Add("report.html", RenderHtml(folder_, summary_, tables_, charts_, ChartScript()));
    }
    if (Wants(ReportFormat::kJunit)) Add("junit.xml", RenderJunit(folder_, summary_));
    if (Wants(ReportFormat::kLatex)) AddTables("tex", RenderLatex);
    for (const auto& [name, contents] : contents_) {
      report.files.push_back(folder_.directory() / name);
      WriteAtomically(report.files.back(), contents);
    }
    report.lost = FindLostEstimators(summary_, folder_.manifest());
    AddFigures(report);
    if (Wants(ReportFormat::kLatex)) AddLatexDocument(report);
    return report;
  }

 private:
  bool Wants(ReportFormat format) const { return formats_.contains(format); }

  std::set<std::string> FigureSuffixes() const {
    std::set<std::string> suffixes;
    if (Wants(ReportFormat::kSvg)) suffixes.insert("svg");
    if (Wants(ReportFormat::kPdf)) suffixes.insert("pdf");
    return suffixes;
  }

  void Add(const std::string& name, std::string contents) {
    contents_.emplace_back(name, std::move(contents));
  }

  /// `tables/NN_caption.SUFFIX` of each table with columns.
  void AddTables(const char* suffix, std::string (*render)(const Table&)) {
    for (std::size_t i = 0; i < tables_.size(); ++i) {
      if (tables_[i].columns.empty()) continue;
      Add(fmt::format("tables/{:02}_{}.{}", i + 1, FileStem(tables_[i].caption, "table"), suffix),
          render(tables_[i]));
    }
  }

  void AddFigures(Report& report) const {
    const std::set<std::string> suffixes = FigureSuffixes();
    if (suffixes.empty()) return;
    std::ranges::move(RenderFigures(charts_, folder_.directory() / "figures", suffixes),
                      std::back_inserter(report.files));
  }

  /// `report.tex`, which reads the tables and the figures that were written.
  void AddLatexDocument(Report& report) const {
    std::vector<std::string> tables;
    std::vector<std::string> figures;
    for (const std::filesystem::path& file : report.files) {
      const std::string name = file.lexically_relative(folder_.directory()).generic_string();
      if (file.extension() == ".tex") tables.push_back(name);
      if (file.extension() == ".pdf") figures.push_back(name);
    }
    report.files.push_back(folder_.directory() / "report.tex");
    WriteAtomically(report.files.back(),
                    RenderLatexDocument(folder_.manifest().Title(), tables, figures));
  }

  const RunFolder folder_;
  const std::set<ReportFormat>& formats_;
  const Summary summary_;
  std::vector<Table> tables_;
  std::vector<Chart> charts_;
  std::vector<std::pair<std::string, std::string>> contents_;  ///< Of each file, by its name.
};

}  // namespace

ReportFormat ParseReportFormat(std::string_view name) {
  if (const auto format = FromName<ReportFormat>(name)) return *format;
  std::vector<std::string_view> names;
  for (const auto& [format, accepted] : kEnumNames<ReportFormat>) names.push_back(accepted);
  throw std::invalid_argument(
      fmt::format("report format: got \"{}\", accepted are {}", name, fmt::join(names, ", ")));
}

Report WriteReport(const std::filesystem::path& run_directory,
                   const std::set<ReportFormat>& formats) {
  return ReportMaker(run_directory, formats).Make();
}

}  // namespace idbench
