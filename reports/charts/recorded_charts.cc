#include "reports/charts/recorded_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "robots/recording/channels.h"
#include "robots/recording/csv.h"

namespace idbench {
namespace {

constexpr int kRecordedHeight = 280;
constexpr Eigen::Index kMostRecordedPoints = 160;

/// A table of series/.
struct RecordedTable {
  std::size_t cell = 0;
  std::size_t trial = 0;
  std::string experiment = "";
  std::filesystem::path file = {};
};

/// The number that is the whole text; nothing if it is none.
std::optional<std::size_t> CountOf(std::string_view text) {
  std::size_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return count;
}

/// `cell<k>_<experiment>_trial<n>.csv`; nothing for another name.
std::optional<RecordedTable> TableOf(const std::filesystem::path& file) {
  static constexpr std::string_view kCell = "cell", kTrial = "_trial";
  const std::string stem = file.stem().string();
  const std::string_view name = stem;
  const std::size_t first = name.find('_'), last = name.rfind(kTrial);
  if (file.extension() != ".csv" || !name.starts_with(kCell) || first >= last ||
      last == std::string_view::npos) {
    return std::nullopt;
  }
  const auto cell = CountOf(name.substr(kCell.size(), first - kCell.size()));
  const auto trial = CountOf(name.substr(last + kTrial.size()));
  if (!cell || !trial) return std::nullopt;
  return RecordedTable{*cell, *trial, stem.substr(first + 1, last - first - 1), file};
}

/// In the order of cells and trials; of a cell's trial as the files' names are sorted.
std::vector<RecordedTable> TablesOf(const RunFolder& folder) {
  std::vector<RecordedTable> tables;
  const std::filesystem::path series = folder.directory() / "series";
  if (!std::filesystem::is_directory(series)) return tables;
  for (const auto& entry : std::filesystem::directory_iterator(series)) {
    const std::optional<RecordedTable> table = TableOf(entry.path());
    if (table && table->cell < folder.manifest().cells.size()) tables.push_back(*table);
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

/// All channels that a table may have; of those at several places, the ones whose first column is
/// there.
std::vector<const ChannelInfo*> ChannelsOf(const CsvTable& table) {
  std::vector<const ChannelInfo*> channels;
  for (const ChannelInfo& channel : kDataChannels) {
    if (!channel.several) {
      channels.push_back(&channel);
      continue;
    }
    const std::string first = ColumnName(channel, 0);
    const std::size_t begin = channel.column.size();
    const std::string end = "_" + first.substr(begin);
    for (const std::string& column : table.columns) {
      if (column.size() <= first.size() || !column.starts_with(channel.column)) continue;
      if (!column.ends_with(end)) continue;
      const std::string place = column.substr(begin, column.size() - first.size() - 1);
      channels.push_back(&ChannelNamed(NameAt(channel.name, place)));
    }
  }
  return channels;
}

void AddViews(const RecordedTable& recorded, const RunManifest& manifest, Chart& chart) {
  CsvReading reading;
  reading.required = {"t_s"};
  reading.all_required = true;
  const CsvTable table = ReadCsv(recorded.file, reading);
  const Json time = PointsOf(table, "t_s");
  for (const ChannelInfo* const known : ChannelsOf(table)) {
    const ChannelInfo& channel = *known;
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
