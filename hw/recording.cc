#include "hw/recording.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <utility>
#include <variant>
#include <vector>

#include "hw/environment.h"
#include "hw/log/split_stamps.h"
#include "hw/recording_check.h"
#include "hw/table_channels.h"

namespace idbench {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> SourceLine(const RecordingOptions& options) {
  if (options.source.empty()) return {};
  return {fmt::format("the recordings are available from {}", options.source)};
}

/// All columns that the options name, checked against the robot.
std::vector<ChannelColumns> CheckedColumns(const RecordingOptions& options,
                                           const RecordingFiles& files, int dofs) {
  RecordingOptions checked = options;
  std::vector<Issue> issues;
  const FieldTable table = Visit(checked);
  for (const auto& check : table.checks()) check(issues);
  if (issues.empty()) issues = CheckDofs(options, dofs);
  if (issues.empty()) issues = CheckFiles(files, options);
  if (!issues.empty()) throw ConfigError("recording", std::move(issues));
  return ResolveColumns(options, issues);
}

std::vector<std::string> FilesIn(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code unreadable;
  for (const auto& entry : fs::directory_iterator(folder, unreadable)) {
    if (entry.is_regular_file(unreadable)) names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

[[noreturn]] void RefuseMissing(const RecordingOptions& options, const std::string& root,
                                const fs::path& path) {
  std::vector<std::string> details;
  if (root != options.root) {
    details.push_back(fmt::format("the root '{}' stands for '{}'", options.root, root));
  }
  const fs::path folder = path.parent_path();
  std::error_code unreadable;
  if (!fs::is_directory(folder, unreadable)) {
    details.push_back(fmt::format("there is no folder '{}': check the root", folder.string()));
  } else {
    const std::vector<std::string> names = FilesIn(folder);
    details.push_back(
        fmt::format("its folder holds: {}",
                    names.empty() ? "no files" : fmt::format("{}", fmt::join(names, ", "))));
    const std::string near = NearestName(path.filename().string(), names);
    if (!near.empty()) details.push_back(fmt::format("did you mean '{}'?", near));
  }
  for (std::string& line : SourceLine(options)) details.push_back(std::move(line));
  throw ConfigError(path.string(), "", "no such file", std::move(details));
}

/// Leaves out the rows of tables that hold no time in its column, or in one of its two.
void DropTimeless(Log& log, const ChannelColumns& time, DroppedRows& dropped) {
  for (LogTable& table : log.tables) {
    std::vector<Eigen::Index> columns;
    for (const RecordingColumn& column : time.columns) columns.push_back(table.Find(column.name));
    if (std::ranges::min(columns) < 0) continue;
    std::vector<Eigen::Index> kept;
    for (Eigen::Index i = 0; i < table.values.rows(); ++i) {
      if (!table.values(i, columns).hasNaN()) kept.push_back(i);
    }
    const Eigen::Index without = table.values.rows() - std::ssize(kept);
    if (without == 0) continue;
    if (kept.empty()) {
      throw ConfigError(log.source, time.columns.front().name, "no row holds a time");
    }
    dropped.sentences.push_back(fmt::format("{} of {} rows of {}, which lack their time", without,
                                            table.values.rows(), log.source));
    table.values = table.values(kept, Eigen::all).eval();
    std::vector<std::int64_t> places;
    for (const Eigen::Index i : kept) places.push_back(table.places[static_cast<std::size_t>(i)]);
    table.places = std::move(places);
  }
}

/// True if the reader of a format gives rows that lack a wanted number, where others refuse them.
template <class Format>
constexpr bool KeepsIncompleteRows(const Format&) {
  return requires { Format::kKeepsIncompleteRows; };
}

/// The columns of `sources` in a file.
Log ReadColumns(const RecordingOptions& options, const std::string& file,
                const std::vector<ChannelColumns>& sources, DroppedRows& dropped) {
  const std::string root = ExpandEnvironment(options.root, SourceLine(options));
  const fs::path path = fs::path(root) / file;
  std::error_code unreadable;
  if (!fs::exists(path, unreadable)) RefuseMissing(options, root, path);
  std::vector<std::string> wanted;
  for (const ChannelColumns& source : sources) {
    for (const RecordingColumn& column : source.columns) wanted.push_back(column.name);
  }
  const bool drop = options.incomplete_rows == FaultyRows::kDrop;
  Log log = std::visit(
      [&](const auto& format) {
        const bool all = drop && !KeepsIncompleteRows(format);
        return ReadLog(path, format, all ? std::vector<std::string>{} : wanted);
      },
      options.format);
  if (drop) CheckWanted(log, wanted);
  const auto time = std::ranges::find(sources, kTime, &ChannelColumns::channel);
  if (time == sources.end()) return log;
  if (drop) DropTimeless(log, *time, dropped);
  if (time->columns.size() == 2) JoinStamps(log, time->columns[0].name, time->columns[1].name);
  return log;
}

/// Those of time and of the channels that the file has.
std::vector<ChannelColumns> SourcesIn(const std::string& file, const RecordingFiles& files,
                                      const std::vector<ChannelColumns>& sources) {
  std::vector<ChannelColumns> own;
  for (const ChannelColumns& source : sources) {
    if (source.channel == kTime || *files.Of(source.channel) == file) own.push_back(source);
  }
  return own;
}

/// The earliest stamp of all logs, where they have stamps of their own [ns].
std::int64_t EarliestStamp(const std::vector<Log>& logs) {
  std::optional<std::int64_t> earliest;
  for (const Log& log : logs) {
    for (const LogTable& table : log.tables) {
      if (table.stamps_ns.empty()) continue;
      const std::int64_t first = *std::ranges::min_element(table.stamps_ns);
      earliest = std::min(first, earliest.value_or(first));
    }
  }
  return earliest.value_or(0);
}

/// The channels, split at the breaks of time if the options say so.
Segments SplitAsAsked(std::vector<Channel> channels, const std::optional<double>& gap_steps,
                      const std::string& label) {
  if (!gap_steps) return {{std::move(channels)}, {}, {}};
  try {
    return SplitAtBreaks(std::move(channels), *gap_steps);
  } catch (const std::invalid_argument& error) {
    throw ConfigError(label, "", error.what(),
                      {"a recording in several files must start anew in all of them, or in none"});
  }
}

}  // namespace

Recording ReadRecording(const RecordingOptions& options, const RecordingFiles& files,
                        const std::string& label, Role role, int dofs) {
  const std::vector<ChannelColumns> sources = CheckedColumns(options, files, dofs);
  DroppedRows dropped;
  std::vector<Log> logs;
  for (const std::string& file : files.names()) {
    logs.push_back(ReadColumns(options, file, SourcesIn(file, files, sources), dropped));
  }
  std::vector<Channel> channels;
  const std::int64_t origin_ns = EarliestStamp(logs);
  for (std::size_t k = 0; k < logs.size(); ++k) {
    const auto own = SourcesIn(files.names()[k], files, sources);
    for (Channel& channel : ChannelsOf(logs[k], options, own, origin_ns, dropped)) {
      channels.push_back(std::move(channel));
    }
  }
  Segments split = SplitAsAsked(std::move(channels), options.gap_steps, label);
  if (split.parts.empty()) {
    throw ConfigError(
        label, "", "no segment has two samples of each channel",
        {fmt::format("segments end where time steps by more than /recording/gap_steps "
                     "{} usual steps",
                     *options.gap_steps)});
  }
  std::ranges::move(split.dropped, std::back_inserter(dropped.sentences));
  Recording recording{{},
                      std::move(split.breaks),
                      std::move(dropped.sentences),
                      dropped.rows,
                      dropped.repeated_stamps};
  for (std::vector<Channel>& part : split.parts) {
    Dataset& segment = recording.segments.emplace_back(label, role);
    for (const ChannelColumns& source : sources) {
      const auto read = std::ranges::find(part, source.channel, &Channel::name);
      if (read != part.end()) segment.Add(std::move(*read));
    }
  }
  return recording;
}

Dataset WithDeclaredSigma(const Dataset& dataset, const RecordingOptions& options) {
  Dataset declared = dataset.WithoutChannels();
  declared.lowpass_cutoff_hz = dataset.lowpass_cutoff_hz;
  for (Channel channel : dataset.channels()) {
    if (const std::optional<PerJoint>& sigma = options.declared_sigma[channel.name]) {
      channel.sigma.resize(channel.samples.cols());
      for (Eigen::Index k = 0; k < channel.sigma.size(); ++k) {
        channel.sigma[k] = (*sigma)[static_cast<std::size_t>(k)];
      }
    }
    declared.Add(std::move(channel));
  }
  return declared;
}

}  // namespace idbench
