#include "reports/report.h"

#include <fmt/format.h>

#include <cctype>
#include <stdexcept>

#include "reports/atomic_file.h"
#include "reports/render.h"
#include "reports/run_folder.h"
#include "reports/summary.h"
#include "reports/table.h"

namespace idbench {
namespace {

std::string Heading(const RunManifest& manifest) {
  std::string text;
  if (!manifest.Title().empty()) text += fmt::format("# {}\n\n", manifest.Title());
  if (!manifest.Name().empty()) text += fmt::format("scenario `{}`, ", manifest.Name());
  text += fmt::format("seed {}", manifest.seed);
  if (!manifest.commit.empty()) text += fmt::format(", idbench {}", manifest.commit);
  text += '\n';
  if (manifest.shard) {
    text += fmt::format(
        "\n**A part of a run**: shard {} of {}, some trials of each cell. `idbench merge` makes "
        "the "
        "whole of all shards.\n",
        manifest.shard->index, manifest.shard->count);
  }
  if (manifest.absent_metrics.empty()) return text;
  text += "\nNot to be had here:\n\n";
  for (const auto& [metric, reason] : manifest.absent_metrics) {
    text += fmt::format("- {}: {}\n", metric, reason);
  }
  return text;
}

/// "Table I: torque noise 0.1" → "table_i_torque_noise_0.1"
std::string FileStem(const std::string& caption) {
  static constexpr std::size_t kLongest = 60;
  std::string stem;
  for (const char c : caption) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte < 0x80 && (std::isalnum(byte) != 0 || c == '.' || c == '-');
    if (plain) {
      stem += static_cast<char>(std::tolower(byte));
    } else if (!stem.empty() && stem.back() != '_') {
      stem += '_';
    }
    if (stem.size() == kLongest) break;
  }
  while (!stem.empty() && (stem.back() == '_' || stem.back() == '.')) stem.pop_back();
  return stem.empty() ? "table" : stem;
}

}  // namespace

ReportFormat ParseReportFormat(std::string_view name) {
  if (name == "md") return ReportFormat::kMarkdown;
  if (name == "csv") return ReportFormat::kCsv;
  if (name == "json") return ReportFormat::kJson;
  throw std::invalid_argument(
      fmt::format("report format: got \"{}\", accepted are md, csv, json", name));
}

Report WriteReport(const std::filesystem::path& run_directory,
                   const std::set<ReportFormat>& formats) {
  const RunFolder folder(run_directory);
  const Summary summary = Summarise(folder);
  const std::vector<Table> tables = MakeTables(summary, folder.manifest());
  Report report;
  report.markdown = Heading(folder.manifest());
  for (const Table& table : tables) report.markdown += '\n' + RenderMarkdown(table);

  const auto write = [&](const std::filesystem::path& name, std::string_view contents) {
    report.files.push_back(run_directory / name);
    WriteAtomically(report.files.back(), contents);
  };
  if (formats.contains(ReportFormat::kJson)) write("summary.json", ToJson(summary).dump(1) + '\n');
  if (formats.contains(ReportFormat::kCsv)) {
    write("tables/statistics.csv", RenderStatisticsCsv(summary));
    for (std::size_t i = 0; i < tables.size(); ++i) {
      if (tables[i].columns.empty()) continue;
      write(fmt::format("tables/{:02}_{}.csv", i + 1, FileStem(tables[i].caption)),
            RenderCsv(tables[i]));
    }
  }
  if (formats.contains(ReportFormat::kMarkdown)) write("report.md", report.markdown);
  return report;
}

}  // namespace idbench
