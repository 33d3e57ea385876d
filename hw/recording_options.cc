#include "hw/recording_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "scenarios/options/json.h"
#include "scenarios/options/name_pattern.h"

namespace idbench {
namespace {

template <class Format>
concept OwnTime = requires { Format::kOwnTime; };

std::vector<std::string> ChannelNames() {
  std::vector<std::string> names;
  for (const ChannelInfo& channel : kDataChannels) names.emplace_back(channel.name);
  return names;
}

/// Appends an issue if the unit of `name` is not known or does not fit the channel.
std::optional<ColumnUnit> ResolveUnit(std::string_view channel, const std::string& name,
                                      const std::string& where, std::vector<Issue>& issues) {
  const std::vector<std::string> accepted = UnitsOfChannel(channel);
  const std::optional<ColumnUnit> unit = UnitOfColumn(name);
  if (unit && std::ranges::find(accepted, unit->suffix) != accepted.end()) return unit;
  issues.push_back(
      {where,
       unit ? fmt::format("column '{}' is in '{}', which is not a unit of {}", name, unit->suffix,
                          channel)
            : fmt::format("a column carries its unit, '{}' has none at its end", name),
       {fmt::format("accepted at its end: _{}", fmt::join(accepted, ", _")),
        fmt::format("or give it for all its columns, as in \"units\": {{\"{}\": \"{}\"}}", channel,
                    accepted.front())}});
  return std::nullopt;
}

/// Two columns of time; nothing if an issue was appended.
std::optional<ChannelColumns> ResolveStamps(const std::vector<std::string>& names,
                                            const std::optional<std::string>& declared,
                                            std::vector<Issue>& issues) {
  const char* const kAre = "two columns of time are whole seconds and nanoseconds";
  if (declared) {
    issues.push_back({"/units/time", kAre, {"remove it, or name one column of time"}});
    return std::nullopt;
  }
  ChannelColumns stamps{kTime, {}};
  for (const std::string_view suffix : {"s", "ns"}) {
    const std::string& name = names[stamps.columns.size()];
    const std::optional<ColumnUnit> own = UnitOfColumn(name);
    if (own && own->suffix != suffix) {
      issues.push_back(
          {"/columns/time", kAre, {fmt::format("'{}' ends in {}", name, own->suffix)}});
      return std::nullopt;
    }
    stamps.columns.push_back({name, *UnitBySuffix(suffix)});
  }
  return stamps;
}

/// The columns of one channel; nothing if an issue was appended.
std::optional<ChannelColumns> Resolve(std::string_view source, const RecordingOptions& options,
                                      std::vector<Issue>& issues) {
  const std::string where = fmt::format("/columns/{}", source);
  std::string problem;
  const std::vector<std::string> names = options.columns[source]->Expand(problem);
  if (!problem.empty()) {
    issues.push_back(
        {where,
         problem,
         {"accepted here: a name, a pattern like q{1..7}_rad, several of them between commas, or a "
          "list of names"}});
    return std::nullopt;
  }
  ChannelColumns result{source, {}};
  const auto number = [&](const auto& numbers, double without) {
    if (source == kTime || !numbers[source]) return without;
    // A list of another size is refused by CheckDofs().
    const PerJoint& given = *numbers[source];
    const std::size_t k = result.columns.size();
    return given.values.size() == 1 || k < given.values.size() ? given[k] : without;
  };
  const std::optional<std::string>& declared = options.units[source];
  if (source == kTime && names.size() == 2) return ResolveStamps(names, declared, issues);
  for (const std::string& name : names) {
    const std::optional<ColumnUnit> unit =
        declared ? UnitBySuffix(*declared) : ResolveUnit(source, name, where, issues);
    if (!unit) return std::nullopt;  // the others of a pattern end alike
    result.columns.push_back(
        {name, *unit, number(options.factors, 1.0), number(options.offsets, 0.0)});
  }
  return result;
}

void CheckTimeColumn(const RecordingOptions& options, const std::vector<ChannelColumns>& resolved,
                     std::vector<Issue>& issues) {
  if (HasOwnTime(options.format)) {
    if (options.columns[kTime]) {
      issues.push_back({"/columns/time",
                        "is named, but files of this format hold time stamps of their own",
                        {"remove it; /recording/format says which of the stamps count"}});
    }
  } else if (options.columns[kTime].has_value() == options.rate_hz.has_value()) {
    issues.push_back(
        {"/columns/time",
         options.rate_hz ? "a time column is named and rate_hz is given too" : "missing",
         {"accepted here: either a time column or, for files without one, rate_hz"}});
  }
  for (const ChannelColumns& channel : resolved) {
    if (channel.channel == kTime && channel.columns.size() > 2) {
      issues.push_back({"/columns/time",
                        fmt::format("got {} columns", channel.columns.size()),
                        {"accepted here: one, or two that are whole seconds and nanoseconds, as in "
                         "header.stamp.sec,header.stamp.nanosec"}});
    }
  }
}

void CheckOptions(const RecordingOptions& options, std::vector<Issue>& issues) {
  const std::vector<ChannelColumns> resolved = ResolveColumns(options, issues);
  CheckTimeColumn(options, resolved, issues);
  const std::vector<std::string_view> sources = options.columns.names();
  const auto named = [&](std::string_view source) {
    return std::ranges::any_of(sources, [&](std::string_view other) {
      return options.columns[other] && (other == source || IsOfKind(other, source));
    });
  };
  for (std::size_t k = 0; k < options.derived.size(); ++k) {
    if (named(options.derived[k])) continue;
    issues.push_back({fmt::format("/derived/{}", k),
                      fmt::format("/columns/{} names no columns", options.derived[k]),
                      {}});
  }
  for (const std::string_view source : options.units.names()) {
    if (!options.units[source] || options.columns[source]) continue;
    issues.push_back({fmt::format("/units/{}", source),
                      fmt::format("/columns/{} names no columns", source),
                      {}});
  }
  const bool any = std::ranges::any_of(sources, [&](std::string_view source) {
    return source != kTime && options.columns[source].has_value();
  });
  if (!any) {
    issues.push_back({"/columns",
                      "no channel is named",
                      {fmt::format("accepted here: {}", fmt::join(ChannelNames(), ", "))}});
  }
}

}  // namespace

std::string SigmaKey(const ChannelInfo& channel) {
  return fmt::format("{}_{}", channel.name, channel.suffix);
}

bool HasOwnTime(const RecordingFormat& format) {
  return std::visit([]<class Format>(const Format&) { return OwnTime<Format>; }, format);
}

std::vector<std::string> ColumnNames::Expand(std::string& problem) const {
  problem.clear();
  if (list.empty()) return ExpandPattern(pattern, problem);
  for (auto name = list.begin(); name != list.end(); ++name) {
    if (name->empty()) problem = "a name is empty";
    if (std::find(list.begin(), name, *name) != name) {
      problem = fmt::format("'{}' stands in the list twice", *name);
    }
  }
  return problem.empty() ? list : std::vector<std::string>{};
}

void Binding<ColumnNames>::Read(const Json& json, const std::string& pointer, const FieldInfo& info,
                                ColumnNames& value, std::vector<Issue>& issues) {
  value = {};
  if (!json.is_array()) {
    return Binding<std::string>::Read(json, pointer, info, value.pattern, issues);
  }
  Binding<std::vector<std::string>>::Read(json, pointer, info, value.list, issues);
  if (value.list.empty()) {
    issues.push_back({pointer, "names no column", {"name them, or a pattern like q{1..7}_rad"}});
  }
}

void Binding<ColumnNames>::Write(const ColumnNames& value, Json& json) {
  if (value.list.empty()) return Binding<std::string>::Write(value.pattern, json);
  Binding<std::vector<std::string>>::Write(value.list, json);
}

void Binding<ColumnNames>::Schema(const FieldInfo& info, const ColumnNames& value, Json& schema) {
  Json pattern, list;
  Binding<std::string>::Schema(info, value.pattern, pattern);
  Binding<std::vector<std::string>>::Schema(info, value.list, list);
  list["minItems"] = 1;
  schema = {{"anyOf", {pattern, list}}};
}

FieldTable Visit(RecordingColumns& columns) {
  FieldTable table;
  table.Add(kTime, columns[kTime],
            {.doc = "Name of the time column, or of two that hold whole seconds and nanoseconds"});
  for (const ChannelInfo& channel : kDataChannels) {
    if (channel.several) {
      table.Add(channel.name, columns.PlacesOf(channel),
                {.doc = "Columns of each such channel, by the name of its place"});
    } else {
      table.Add(channel.name, columns[channel.name],
                {.doc = "Columns of the channel: names or patterns between commas, q{1..7}_rad, or "
                        "a list of "
                        "names"});
    }
  }
  RefuseTruth(table);
  return table;
}

FieldTable Visit(RecordingUnits& units) {
  FieldTable table;
  const auto info = [](std::string_view source) {
    return FieldInfo{.doc = "Unit of the channel's columns, whatever their names end in",
                     .choices = UnitsOfChannel(source)};
  };
  table.Add(kTime, units[kTime], info(kTime));
  for (const ChannelInfo& channel : kDataChannels) {
    if (channel.several) {
      table.Add(channel.name, units.PlacesOf(channel), info(channel.name));
    } else {
      table.Add(channel.name, units[channel.name], info(channel.name));
    }
  }
  return table;
}

namespace {

/// A field of each channel, by its name; `info` without the channel's unit.
FieldTable VisitChannels(PerChannel<std::optional<PerJoint>>& numbers, const FieldInfo& info,
                         bool in_units) {
  FieldTable table;
  for (const ChannelInfo& channel : kDataChannels) {
    FieldInfo own = info;
    own.doc = fmt::format("{} {}{}: one number, or one per column", info.doc, channel.name,
                          channel.several ? ", by the name of its place" : "");
    if (in_units) own.unit = std::string(channel.unit);
    if (channel.several) {
      table.Add(channel.name, numbers.PlacesOf(channel), own);
    } else {
      table.Add(channel.name, numbers[channel.name], own);
    }
  }
  return table;
}

}  // namespace

FieldTable Visit(RecordingFactors& factors) {
  return VisitChannels(factors, {.doc = "Factor of"}, false);
}

FieldTable Visit(RecordingOffsets& offsets) {
  return VisitChannels(offsets, {.doc = "Offset of"}, true);
}

FieldTable Visit(RecordingSigma& sigma) {
  FieldTable table;
  for (const ChannelInfo& channel : kDataChannels) {
    if (!channel.fitted) continue;
    const FieldInfo info = {
        .doc = fmt::format("Standard deviation of the noise of {}{}{}; null: unknown", channel.name,
                           channel.exact ? "; 0: it counts as exact" : "",
                           channel.several ? ", by the name of its place" : ""),
        .unit = std::string(channel.unit),
        .lower = 0.0,
        .lower_open = !channel.exact};
    if (channel.several) {
      table.Add(SigmaKey(channel), sigma.PlacesOf(channel), info);
    } else {
      table.Add(SigmaKey(channel), sigma[channel.name], info);
    }
  }
  return table;
}

FieldTable Visit(RecordingOptions& options) {
  FieldTable table;
  table
      .Add("root", options.root,
           {.doc = "Folder of the recordings; $NAME and ${NAME} stand for environment variables",
            .required = true})
      .Add("source", options.source,
           {.doc = "Place to obtain the recordings from; named where they are missing"})
      .Add("format", options.format, {.doc = "Format of the files, and how they are written"})
      .Add("skip_samples", options.skip_samples,
           {.doc = "Rows dropped from the beginning of each file; an experiment's t = 0 is the "
                   "first one "
                   "that is left",
            .lower = 0.0})
      .Add("gap_steps", options.gap_steps,
           {.doc = "Usual steps of time; a longer step, forward or back, splits a recording into "
                   "segments that nothing is interpolated, filtered or differentiated across; "
                   "null: no step does, and time must increase",
            .lower = 1.0,
            .lower_open = true})
      .Add(
          "unordered_rows", options.unordered_rows,
          {.doc = "Rows whose time does not increase, unless it jumps back by more than gap_steps: "
                  "\"refuse\" the file, or \"drop\" them, which is told"})
      .Add("incomplete_rows", options.incomplete_rows,
           {.doc = "Rows that lack numbers of a channel, or hold NaN or text there: \"refuse\" the "
                   "file, or \"drop\" them, which is told"})
      .Add("columns", options.columns,
           {.doc = "Columns of time and of each channel", .required = true})
      .Add("units", options.units,
           {.doc = "Units of channels whose column names do not end in their unit"})
      .Add("factors", options.factors,
           {.doc = "Factors of columns, by channel: gear ratios, drive gains, signs"})
      .Add(
          "offsets", options.offsets,
          {.doc =
               "Offsets of columns behind the factors, in SI units, by channel: zeros of encoders"})
      .Add("rate_hz", options.rate_hz,
           {.doc = "Sample rate of files without a time column, or instead of a bag's own stamps",
            .unit = "Hz",
            .lower = 0.0,
            .lower_open = true})
      .Add("derived", options.derived,
           {.doc = "Channels that the recording's authors computed or filtered",
            .choices = ChannelNames()})
      .Add("declared_sigma", options.declared_sigma,
           {.doc = "Standard deviation of each channel's noise, as told to the estimators"})
      .Check([&options](std::vector<Issue>& issues) { CheckOptions(options, issues); });
  return table;
}

std::vector<ChannelColumns> ResolveColumns(const RecordingOptions& options,
                                           std::vector<Issue>& issues) {
  std::vector<ChannelColumns> resolved;
  for (const std::string_view source : options.columns.names()) {
    if (!options.columns[source]) continue;
    std::optional<ChannelColumns> columns = Resolve(source, options, issues);
    if (columns) resolved.push_back(std::move(*columns));
  }
  return resolved;
}

std::vector<std::string> RecordingFiles::names() const {
  if (by_channel.empty()) return {all};
  std::vector<std::string> files;
  for (const auto& [channel, file] : by_channel) {
    if (std::ranges::find(files, file) == files.end()) files.push_back(file);
  }
  return files;
}

const std::string* RecordingFiles::Of(std::string_view channel) const {
  if (by_channel.empty()) return &all;
  for (const auto& [name, file] : by_channel) {
    if (name == channel) return &file;
  }
  return nullptr;
}

void Binding<RecordingFiles>::Read(const Json& json, const std::string& pointer,
                                   const FieldInfo& info, RecordingFiles& value,
                                   std::vector<Issue>& issues) {
  value = {};
  if (!json.is_object()) return Binding<std::string>::Read(json, pointer, info, value.all, issues);
  Binding<Labelled<std::string>>::Read(json, pointer, info, value.by_channel, issues);
  if (value.by_channel.empty()) {
    issues.push_back({pointer, "names no file", {"name the file of each channel"}});
  }
}

void Binding<RecordingFiles>::Write(const RecordingFiles& value, Json& json) {
  if (value.by_channel.empty()) return Binding<std::string>::Write(value.all, json);
  Binding<Labelled<std::string>>::Write(value.by_channel, json);
}

void Binding<RecordingFiles>::Schema(const FieldInfo& info, const RecordingFiles& value,
                                     Json& schema) {
  Json name, names;
  Binding<std::string>::Schema(info, value.all, name);
  Binding<Labelled<std::string>>::Schema(info, value.by_channel, names);
  schema = {{"anyOf", {name, names}}};
}

}  // namespace idbench
