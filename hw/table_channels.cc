#include "hw/table_channels.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "robots/recording/issue_list.h"
#include "robots/recording/segments.h"

namespace idbench {
namespace {

using Rows = std::vector<Eigen::Index>;

/// A table of which channels are taken.
struct OpenTable {
  const Log& log;
  const LogTable& table;
  const RecordingOptions& options;
  const RecordingColumn* time = nullptr;  ///< Its column, if time is one.
  std::int64_t origin_ns = 0;

  /// "line 7" or "/joint_states, message 7".
  std::string Place(Eigen::Index row) const {
    return fmt::format("{}{}{} {}", table.name, table.name.empty() ? "" : ", ", table.row,
                       table.places[static_cast<std::size_t>(row)]);
  }
  /// The same, with the column of time.
  std::string PlaceOfTime(Eigen::Index row) const {
    return time == nullptr ? Place(row) : fmt::format("{}, column '{}'", Place(row), time->name);
  }
};

/// Time of all rows of the table [s], as it stands in the file if it is a column.
Eigen::VectorXd StampsOf(const OpenTable& open) {
  if (open.time != nullptr) return open.table.values.col(open.table.Find(open.time->name));
  Eigen::VectorXd stamps(open.table.values.rows());
  for (Eigen::Index i = 0; i < stamps.size(); ++i) {
    if (open.options.rate_hz) {
      stamps[i] = static_cast<double>(i) / *open.options.rate_hz;
    } else {
      // Whole numbers, so that the quotient is the double that its decimals would be read as.
      const std::int64_t stamp = open.table.stamps_ns[static_cast<std::size_t>(i)];
      stamps[i] = static_cast<double>(stamp - open.origin_ns) / 1e9;
    }
  }
  return stamps;
}

/// "12 of 4000 rows of log.csv, …": rows that were dropped.
std::string DroppedSentence(std::size_t rows, Eigen::Index of, const OpenTable& open,
                            std::string_view why, Eigen::Index first) {
  return fmt::format("{} of {} rows of {}, {}, the first at {}", rows, of, open.log.source, why,
                     open.Place(first));
}

/// Rows of the table, behind those to skip, whose time increases or starts anew. Others are refused
/// or dropped.
Rows RowsInOrder(const OpenTable& open, const Eigen::VectorXd& stamps, DroppedRows& dropped) {
  const Eigen::Index skipped = open.options.skip_samples;
  std::vector<TimeBreak> breaks;
  if (open.options.gap_steps) {
    breaks = FindBreaks(stamps.tail(stamps.size() - skipped), *open.options.gap_steps);
  }
  Rows rows = {skipped};
  dropped.rows += stamps.size() - skipped;
  Rows unordered;
  IssueList issues;
  for (Eigen::Index i = skipped + 1; i < stamps.size(); ++i) {
    // Where time starts anew; breaks are in order of the rows.
    const auto anew = [&] {
      return std::ranges::binary_search(breaks, i - 1 - skipped, {}, &TimeBreak::after);
    };
    if (stamps[i] > stamps[rows.back()] || anew()) {
      rows.push_back(i);
      continue;
    }
    unordered.push_back(i);
    if (stamps[i] == stamps[i - 1]) ++dropped.repeated_stamps;
    if (open.options.unordered_rows == FaultyRows::kDrop) continue;
    issues.Add([&] {
      return Issue{open.PlaceOfTime(i),
                   fmt::format("time does not increase: {} follows {} of {}", stamps[i],
                               stamps[rows.back()], open.Place(rows.back())),
                   {"sort the rows by time and remove repeated ones, skip_samples if they are at "
                    "the beginning, or set /recording/unordered_rows to \"drop\""}};
    });
  }
  issues.ThrowIfAny(open.log.source);
  if (!unordered.empty()) {
    dropped.sentences.push_back(DroppedSentence(unordered.size(), stamps.size() - skipped, open,
                                                "whose time does not increase", unordered.front()));
  }
  return rows;
}

/// Those of the rows that hold all columns of a channel.
Rows RowsWithAll(const OpenTable& open, const ChannelColumns& source, const Rows& rows,
                 DroppedRows& dropped) {
  std::vector<Eigen::Index> columns;
  for (const RecordingColumn& column : source.columns) {
    columns.push_back(open.table.Find(column.name));
  }
  Rows complete, incomplete;
  IssueList issues;
  for (const Eigen::Index i : rows) {
    const auto held = std::ranges::count_if(
        columns, [&](Eigen::Index column) { return !std::isnan(open.table.values(i, column)); });
    if (held == std::ssize(columns)) {
      complete.push_back(i);
    } else if (held > 0) {
      incomplete.push_back(i);
      if (open.options.incomplete_rows == FaultyRows::kDrop) continue;
      issues.Add([&] {
        return Issue{
            open.Place(i),
            fmt::format("holds {} of the {} columns of {}", held, columns.size(), source.channel),
            {"one row needs those of all joints: do several senders share them? Or set "
             "/recording/incomplete_rows to \"drop\""}};
      });
    }
  }
  issues.ThrowIfAny(open.log.source);
  if (!incomplete.empty() && !complete.empty()) {
    dropped.sentences.push_back(DroppedSentence(
        incomplete.size(), std::ssize(rows), open,
        fmt::format("which lack numbers of {}", source.channel), incomplete.front()));
  }
  if (complete.empty()) {
    throw ConfigError(open.log.source, open.table.name,
                      fmt::format("no row holds the columns of {}", source.channel));
  }
  return complete;
}

/// A channel in SI units, without its time.
Channel ReadChannel(const OpenTable& open, const ChannelColumns& source, const Rows& rows) {
  Channel channel;
  channel.name = source.channel;
  channel.samples.resize(std::ssize(rows), std::ssize(source.columns));
  std::vector<std::string_view> units;
  for (std::size_t j = 0; j < source.columns.size(); ++j) {
    const auto& [name, unit, factor, offset] = source.columns[j];
    auto samples = channel.samples.col(static_cast<Eigen::Index>(j));
    samples = unit.to_si * open.table.values(rows, open.table.Find(name));
    if (factor != 1.0) samples *= factor;
    if (offset != 0.0) samples.array() += offset;
    if (std::ranges::find(units, unit.si) == units.end()) units.push_back(unit.si);
  }
  channel.unit = fmt::format("{}", fmt::join(units, " or "));
  const auto& derived = open.options.derived;
  const bool is_derived = std::ranges::any_of(derived, [&source](const std::string& name) {
    return name == source.channel || IsOfKind(source.channel, name);
  });
  channel.origin = is_derived ? Origin::kDerived : Origin::kMeasured;
  return channel;
}

/// True if the table has the columns of a channel; refuses a channel that is in several.
bool Holds(const OpenTable& open, const ChannelColumns& source) {
  const auto lacks = [&open](const RecordingColumn& column) {
    return open.table.Find(column.name) < 0;
  };
  const auto missing = std::ranges::find_if(source.columns, lacks);
  if (missing == source.columns.end()) return true;
  if (std::ranges::all_of(source.columns, lacks)) return false;
  throw ConfigError(
      open.log.source, "",
      fmt::format("the columns of {} are in several places: '{}' is not where others are",
                  source.channel, missing->name),
      {"the columns of one channel share their time: they are of one table or topic"});
}

/// The channels of one table.
std::vector<Channel> ChannelsOfTable(const OpenTable& open,
                                     const std::vector<ChannelColumns>& sources,
                                     DroppedRows& dropped) {
  std::vector<Channel> channels;
  std::optional<Rows> rows;
  Eigen::VectorXd time_s;
  for (const ChannelColumns& source : sources) {
    if (source.channel == kTime || !Holds(open, source)) continue;
    if (!rows) {
      const Eigen::Index count = open.table.values.rows();
      if (open.options.skip_samples >= count) {
        throw ConfigError(open.log.source, open.table.name,
                          fmt::format("has {} rows, skip_samples = {} leaves none", count,
                                      open.options.skip_samples));
      }
      if (open.time != nullptr && open.table.Find(open.time->name) < 0) {
        throw ConfigError(open.log.source, "",
                          fmt::format("the columns of {} are not in the table of '{}', their time",
                                      source.channel, open.time->name),
                          {"time and channels need the same number of rows"});
      }
      const ChannelColumns& first = sources.front();
      if (first.channel == kTime && open.time == nullptr && open.table.stamps_ns.empty()) {
        throw ConfigError(
            open.log.source, "",
            fmt::format("the columns of {} are not in the table of '{}' and '{}', their time",
                        source.channel, first.columns[0].name, first.columns[1].name),
            {"time and channels need the same number of rows"});
      }
      time_s = StampsOf(open);
      rows = RowsInOrder(open, time_s, dropped);
      if (open.time != nullptr) time_s *= open.time->unit.to_si;
    }
    const Rows complete = RowsWithAll(open, source, *rows, dropped);
    channels.push_back(ReadChannel(open, source, complete));
    channels.back().time_s = time_s(complete);
  }
  return channels;
}

}  // namespace

std::vector<Channel> ChannelsOf(const Log& log, const RecordingOptions& options,
                                const std::vector<ChannelColumns>& sources, std::int64_t origin_ns,
                                DroppedRows& dropped) {
  const RecordingColumn* time = nullptr;
  if (!sources.empty() && sources.front().channel == kTime &&
      sources.front().columns.size() == 1) {  // two were joined to stamps
    time = &sources.front().columns.front();
  }
  std::vector<Channel> channels;
  for (const LogTable& table : log.tables) {
    for (Channel& channel :
         ChannelsOfTable({log, table, options, time, origin_ns}, sources, dropped)) {
      channels.push_back(std::move(channel));
    }
  }
  return channels;
}

}  // namespace idbench
