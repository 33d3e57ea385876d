#include "hw/csv_recording.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <utility>
#include <vector>

#include "hw/environment.h"
#include "robots/recording/csv.h"
#include "robots/recording/issue_list.h"

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

CsvTable ReadTable(const RecordingOptions& options, const std::string& file,
                   const std::vector<ChannelColumns>& channels) {
  const std::string root = ExpandEnvironment(options.root, SourceLine(options));
  const fs::path path = fs::path(root) / file;
  std::error_code unreadable;
  if (!fs::exists(path, unreadable)) RefuseMissing(options, root, path);
  std::vector<std::string> required;
  for (const ChannelColumns& channel : channels) {
    for (const RecordingColumn& column : channel.columns) required.push_back(column.name);
  }
  return ReadCsv(path, required);
}

/// Time that does not increase is reported as it stands in the file, unless it starts anew.
void CheckTime(const CsvTable& table, const std::string& column, Eigen::Index skipped,
               const std::optional<double>& gap_steps) {
  const Eigen::VectorXd time = table.values.col(table.Find(column));
  std::vector<TimeBreak> breaks;
  if (gap_steps) breaks = FindBreaks(time.tail(time.size() - skipped), *gap_steps);
  IssueList issues;
  for (Eigen::Index i = skipped + 1; i < time.size(); ++i) {
    if (time[i] > time[i - 1]) continue;
    const auto after = [&](const TimeBreak& each) { return skipped + each.after == i - 1; };
    if (std::ranges::any_of(breaks, after)) continue;
    issues.Add([&] {
      const auto row = static_cast<std::size_t>(i);
      return Issue{
          fmt::format("line {}, column '{}'", table.lines[row], column),
          fmt::format("time does not increase: {} follows {} of line {}", time[i], time[i - 1],
                      table.lines[row - 1]),
          {"sort the rows by time and remove repeated ones, or skip_samples if they are at "
           "the beginning"}};
    });
  }
  issues.ThrowIfAny(table.source);
}

/// The columns of a channel in SI units, without the first `skipped` rows.
Channel ReadChannel(const CsvTable& table, const ChannelColumns& source, Eigen::Index skipped) {
  const Eigen::Index rows = table.values.rows() - skipped;
  Channel channel;
  channel.name = source.channel;
  channel.samples.resize(rows, static_cast<Eigen::Index>(source.columns.size()));
  std::vector<std::string_view> units;
  for (std::size_t j = 0; j < source.columns.size(); ++j) {
    const auto& [name, unit] = source.columns[j];
    channel.samples.col(static_cast<Eigen::Index>(j)) =
        unit.to_si * table.values.col(table.Find(name)).tail(rows);
    if (std::ranges::find(units, unit.si) == units.end()) units.push_back(unit.si);
  }
  channel.unit = fmt::format("{}", fmt::join(units, " or "));
  return channel;
}

Eigen::VectorXd TimeAtRate(Eigen::Index rows, Eigen::Index skipped, double rate_hz) {
  Eigen::VectorXd time_s(rows - skipped);
  for (Eigen::Index i = skipped; i < rows; ++i) {
    time_s[i - skipped] = static_cast<double>(i) / rate_hz;
  }
  return time_s;
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

/// The channels of one file, in the order of `sources`, which has time first if there is a column.
std::vector<Channel> ReadFile(const RecordingOptions& options, const std::string& file,
                              const std::vector<ChannelColumns>& sources) {
  const CsvTable table = ReadTable(options, file, sources);
  const Eigen::Index rows = table.values.rows();
  const Eigen::Index skipped = options.skip_samples;
  if (skipped >= rows) {
    throw ConfigError(table.source, "",
                      fmt::format("has {} rows, skip_samples = {} leaves none", rows, skipped));
  }
  Eigen::VectorXd time_s;
  if (options.rate_hz) {
    time_s = TimeAtRate(rows, skipped, *options.rate_hz);
  } else {
    CheckTime(table, sources.front().columns.front().name, skipped, options.gap_steps);
    time_s = ReadChannel(table, sources.front(), skipped).samples;
  }
  std::vector<Channel> channels;
  for (const ChannelColumns& source : sources) {
    if (source.channel == kTime) continue;
    Channel& channel = channels.emplace_back(ReadChannel(table, source, skipped));
    channel.time_s = time_s;
    const bool derived = std::ranges::any_of(options.derived, [&source](const std::string& name) {
      return name == source.channel || IsOfKind(source.channel, name);
    });
    channel.origin = derived ? Origin::kDerived : Origin::kMeasured;
  }
  return channels;
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

Recording ReadCsvRecording(const RecordingOptions& options, const RecordingFiles& files,
                           const std::string& label, Role role, int dofs) {
  const std::vector<ChannelColumns> sources = CheckedColumns(options, files, dofs);
  std::vector<Channel> channels;
  for (const std::string& file : files.names()) {
    for (Channel& channel : ReadFile(options, file, SourcesIn(file, files, sources))) {
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
  Recording recording{{}, std::move(split.breaks), std::move(split.dropped)};
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
