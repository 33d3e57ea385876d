#include "reports/charts/recorded_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <tuple>

#include "robots/recording/channels.h"
#include "robots/recording/csv.h"

namespace idbench {
namespace {

constexpr int kRecordedHeight = 280;
constexpr Eigen::Index kMostRecordedPoints = 160;

/// A table of series/.
struct RecordedTable {
  std::size_t cell;
  std::size_t trial;
  std::string experiment;
  std::filesystem::path file;
};

/// In the order of cells and trials; of a cell's trial as the files' names are sorted.
std::vector<RecordedTable> TablesOf(const RunFolder& folder) {
  static const std::regex kName(R"(cell(\d+)_(.+)_trial(\d+)\.csv)");
  std::vector<RecordedTable> tables;
  const std::filesystem::path series = folder.directory() / "series";
  if (!std::filesystem::is_directory(series)) return tables;
  for (const auto& entry : std::filesystem::directory_iterator(series)) {
    const std::string name = entry.path().filename().string();
    std::smatch parts;
    if (!std::regex_match(name, parts, kName)) continue;
    const RecordedTable table = {std::stoul(parts[1]), std::stoul(parts[3]), parts[2],
                                 entry.path()};
    if (table.cell < folder.manifest().cells.size()) tables.push_back(table);
  }
  std::ranges::sort(tables, {}, [](const RecordedTable& table) {
    return std::tuple(table.cell, table.trial, table.experiment);
  });
  return tables;
}

/// The columns of the channel that are there, which stand one behind the other.
std::vector<std::string> ColumnsOf(const ChannelInfo& channel, const CsvTable& table) {
  std::vector<std::string> columns;
  const std::size_t most =
      ComponentsOf(channel).empty() ? table.columns.size() : ComponentsOf(channel).size();
  for (std::size_t k = 0; k < most; ++k) {
    const std::string name = ColumnName(channel, k);
    if (table.Find(name) < 0) break;
    columns.push_back(name);
  }
  return columns;
}

Json PointsOf(const CsvTable& table, std::string_view column) {
  const Eigen::Index step = (table.values.rows() + kMostRecordedPoints - 1) / kMostRecordedPoints;
  const Eigen::Index at = table.Find(column);
  Json points = Json::array();
  for (Eigen::Index k = 0; k < table.values.rows(); k += step) {
    points.push_back(Rounded(table.values(k, at), 4));
  }
  return points;
}

Json ChannelSpec() {
  return {{"height", kRecordedHeight},
          {"transform", Json::array({{{"flatten", {"t", "y"}}}})},
          {"encoding",
           {{"x",
             {{"field", "t"},
              {"type", "quantitative"},
              {"title", "time [s]"},
              {"scale", {{"zero", false}, {"nice", false}}}}},
            {"color", {{"field", "c"}, {"type", "nominal"}, {"title", "column"}}},
            {"tooltip", Json::array({TooltipText("c", "column"), TooltipNumber("t", "time [s]"),
                                     TooltipNumber("y", "reading")})}}},
          {"mark", {{"type", "line"}, {"clip", true}, {"strokeWidth", 1}}}};
}

void AddViews(const RecordedTable& recorded, const RunManifest& manifest, Chart& chart) {
  const CsvTable table = ReadCsv(recorded.file, {"t_s"});
  const Json time = PointsOf(table, "t_s");
  for (const ChannelInfo& channel : kChannels) {
    Json rows = Json::array();
    for (const std::string& column : ColumnsOf(channel, table)) {
      rows.push_back({{"c", column}, {"t", time}, {"y", PointsOf(table, column)}});
    }
    if (rows.empty() || chart.views.size() == kMostSeriesViews) continue;
    const Json y = {{"field", "y"},
                    {"type", "quantitative"},
                    {"title", fmt::format("{} [{}]", channel.name, channel.unit)},
                    {"axis", {{"format", ".4~g"}}},
                    {"scale", {{"zero", false}}}};
    chart.views.push_back(
        {{recorded.experiment, std::string(channel.name), manifest.cells[recorded.cell].Label(),
          fmt::format("{}", recorded.trial)},
         {{"data", InlineData(std::move(rows))}, {"encoding", {{"y", y}}}}});
  }
}

}  // namespace

std::vector<Chart> MakeRecordedCharts(const RunFolder& folder) {
  Chart chart;
  chart.name = "recorded";
  chart.title = "What the sensors read";
  chart.choices = {"experiment", "channel", "cell", "trial"};
  chart.notes = {"after the declared processing; every few samples one is drawn"};
  chart.spec = ChannelSpec();
  for (const RecordedTable& table : TablesOf(folder)) {
    if (chart.views.size() == kMostSeriesViews) {
      chart.notes.push_back(fmt::format("the first {} choices are shown", kMostSeriesViews));
      break;
    }
    AddViews(table, folder.manifest(), chart);
  }
  if (chart.views.empty()) return {};
  return {std::move(chart)};
}

}  // namespace idbench
