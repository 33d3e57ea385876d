#include "reports/tables/render.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "reports/tables/shared_notes.h"

namespace idbench {
namespace {

struct CodePointRange {
  std::uint32_t first;
  std::uint32_t last;
};

bool IsIn(std::uint32_t point, std::span<const CodePointRange> ranges) {
  return std::ranges::any_of(ranges, [&](const CodePointRange& range) {
    return range.first <= point && point <= range.last;
  });
}

std::size_t WidthOfCodePoint(std::uint32_t point) {
  // Unicode 15: general category Mn and zero-width format characters; East Asian Width W and F.
  static constexpr std::array<CodePointRange, 6> kZero = {{{0x0300, 0x036F},
                                                           {0x1AB0, 0x1AFF},
                                                           {0x1DC0, 0x1DFF},
                                                           {0x200B, 0x200F},
                                                           {0x20D0, 0x20FF},
                                                           {0xFE00, 0xFE0F}}};
  static constexpr std::array<CodePointRange, 9> kWide = {{{0x1100, 0x115F},
                                                           {0x2E80, 0x303E},
                                                           {0x3041, 0xA4CF},
                                                           {0xAC00, 0xD7A3},
                                                           {0xF900, 0xFAFF},
                                                           {0xFE30, 0xFE6F},
                                                           {0xFF00, 0xFF60},
                                                           {0x1F300, 0x1FAFF},
                                                           {0x20000, 0x3FFFD}}};
  if (IsIn(point, kZero)) return 0;
  return IsIn(point, kWide) ? 2 : 1;
}

/// A text as one cell: pipes escaped, no line breaks.
std::string Escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|') {
      escaped += "\\|";
    } else {
      escaped += c == '\n' || c == '\r' ? ' ' : c;
    }
  }
  return escaped;
}

using Grid = std::vector<std::vector<std::string>>;  ///< Rows of cells, the header first.

Grid MarkdownGrid(const Table& table) {
  Grid grid(table.row_labels.size() + 1);
  grid[0].push_back(Escaped(table.row_header));
  for (std::size_t row = 0; row < table.row_labels.size(); ++row) {
    grid[row + 1].push_back(Escaped(table.row_labels[row]));
  }
  for (const TableColumn& column : table.columns) {
    grid[0].push_back(Escaped(column.header));
    for (std::size_t row = 0; row < column.entries.size(); ++row) {
      const TableEntry& entry = column.entries[row];
      grid[row + 1].push_back(Escaped(entry.text + entry.FewerText()));
    }
  }
  return grid;
}

std::vector<std::size_t> Widths(const Grid& grid) {
  static constexpr std::size_t kLeast = 3;  // "--:" needs as much
  std::vector<std::size_t> widths(grid[0].size(), kLeast);
  for (const auto& row : grid) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], DisplayWidth(row[i]));
    }
  }
  return widths;
}

std::string GridText(const Grid& grid) {
  const std::vector<std::size_t> widths = Widths(grid);
  std::string text;
  for (std::size_t row = 0; row < grid.size(); ++row) {
    for (std::size_t i = 0; i < grid[row].size(); ++i) {
      const std::string padding(widths[i] - DisplayWidth(grid[row][i]), ' ');
      text += i == 0 ? "| " + grid[row][i] + padding : padding + grid[row][i];
      text += " | ";
    }
    text.back() = '\n';
    if (row > 0) continue;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      text += i == 0 ? "| " + std::string(widths[i], '-') : std::string(widths[i] - 1, '-') + ':';
      text += " | ";
    }
    text.back() = '\n';
  }
  return text;
}

std::string MarkdownNotes(const std::vector<std::string>& notes) {
  std::string text;
  for (const std::string& note : notes) text += fmt::format("- {}\n", Escaped(note));
  return text;
}

std::string CsvField(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    quoted += c;
    if (c == '"') quoted += c;
  }
  return quoted + '"';
}

std::string CsvLine(const std::vector<std::string>& fields) {
  std::string line;
  for (std::size_t i = 0; i < fields.size(); ++i) line += (i == 0 ? "" : ",") + CsvField(fields[i]);
  return line + "\r\n";
}

std::string FullPrecision(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : std::string();
}

bool HasIntervals(const TableColumn& column) {
  return std::ranges::any_of(column.entries,
                             [](const TableEntry& entry) { return entry.interval.has_value(); });
}

void AppendEntry(const TableEntry& entry, bool with_interval, std::vector<std::string>& fields) {
  const bool nothing = entry.text == kEmptyEntry;
  fields.push_back(entry.value ? FullPrecision(entry.value) : nothing ? std::string() : entry.text);
  if (!with_interval) return;
  const auto& interval = entry.interval;
  fields.push_back(interval ? FullPrecision(interval->lower) : "");
  fields.push_back(interval ? FullPrecision(interval->upper) : "");
}

void AppendStatistics(const SampleStatistics& statistics, std::vector<std::string>& fields) {
  fields.push_back(fmt::format("{}", statistics.n));
  fields.push_back(fmt::format("{}", statistics.failed));
  fields.push_back(FullPrecision(statistics.mean));
  fields.push_back(FullPrecision(statistics.StandardDeviation()));
  fields.push_back(FullPrecision(statistics.median));
  fields.push_back(FullPrecision(statistics.q05));
  fields.push_back(FullPrecision(statistics.q95));
  const auto& interval = statistics.ci95_mean;
  fields.push_back(interval ? FullPrecision(interval->lower) : "");
  fields.push_back(interval ? FullPrecision(interval->upper) : "");
}

}  // namespace

std::size_t DisplayWidth(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    std::uint32_t point = length == 1 ? lead : lead & (0x7Fu >> length);
    for (std::size_t k = 1; k < length && i + k < text.size(); ++k) {
      point = point << 6 | (static_cast<unsigned char>(text[i + k]) & 0x3Fu);
    }
    width += WidthOfCodePoint(point);
    i += length;
  }
  return width;
}

std::string RenderMarkdown(const Table& table) {
  std::string text;
  if (!table.caption.empty()) text += fmt::format("## {}\n\n", Escaped(table.caption));
  if (!table.columns.empty()) text += GridText(MarkdownGrid(table));
  if (!table.columns.empty() && !table.notes.empty()) text += '\n';
  return text + MarkdownNotes(table.notes);
}

std::string RenderMarkdown(std::vector<Table> tables) {
  const std::vector<std::string> shared = TakeSharedNotes(tables);
  std::string text;
  bool told = shared.empty();
  const auto tell = [&] {
    if (!told) text += fmt::format("\n{}\n\n{}", kSharedNotesHeading, MarkdownNotes(shared));
    told = true;
  };
  for (const Table& table : tables) {
    if (!table.of_metrics) tell();
    text += '\n' + RenderMarkdown(table);
  }
  tell();
  return text;
}

std::string RenderCsv(const Table& table) {
  std::vector<std::string> header = {table.row_header};
  for (const TableColumn& column : table.columns) {
    header.push_back(column.header);
    if (!HasIntervals(column)) continue;
    header.push_back(column.header + " 2.5 %");
    header.push_back(column.header + " 97.5 %");
  }
  std::string text = CsvLine(header);
  for (std::size_t row = 0; row < table.row_labels.size(); ++row) {
    std::vector<std::string> fields = {table.row_labels[row]};
    for (const TableColumn& column : table.columns) {
      AppendEntry(column.entries[row], HasIntervals(column), fields);
    }
    text += CsvLine(fields);
  }
  return text;
}

std::string RenderStatisticsCsv(const Summary& summary) {
  std::vector<std::string> header;
  if (!summary.cells.empty()) {
    for (const auto& [axis, value] : summary.cells[0].cell.axes) header.push_back(axis);
  }
  const bool has_observers = std::ranges::any_of(summary.cells, [](const CellSummary& cell) {
    return std::ranges::any_of(cell.estimators, [](const EstimatorSummary& estimator) {
      return estimator.subject == MetricSubject::kObserver;
    });
  });
  if (has_observers) header.emplace_back("observer");
  for (const char* name : {"estimator", "metric", "component", "unit", "n", "failed", "mean", "sd",
                           "median", "q05", "q95", "lo", "hi"}) {
    header.emplace_back(name);
  }
  std::string text = CsvLine(header);
  for (const CellSummary& cell : summary.cells) {
    for (const EstimatorSummary& estimator : cell.estimators) {
      for (const MetricSummary& metric : estimator.metrics) {
        const auto add = [&](const std::string& component, const SampleStatistics& statistics) {
          std::vector<std::string> fields;
          for (const auto& [axis, value] : cell.cell.axes) fields.push_back(value);
          if (has_observers) fields.push_back(estimator.observer);
          const bool observed = estimator.subject == MetricSubject::kObserver;
          const std::string& label = observed ? estimator.model : estimator.label;
          fields.insert(fields.end(), {label, metric.name, component, metric.unit});
          AppendStatistics(statistics, fields);
          text += CsvLine(fields);
        };
        if (metric.overall) add("", *metric.overall);
        for (const auto& [label, statistics] : metric.components) add(label, statistics);
      }
    }
  }
  return text;
}

}  // namespace idbench
