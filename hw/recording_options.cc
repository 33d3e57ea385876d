#include "hw/recording_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "hw/column_pattern.h"
#include "robots/recording/dataset.h"

namespace idbench {
namespace {

/// Time or a channel, and its place in the option structs.
struct Entry {
  std::string_view name;
  std::optional<std::string> PerColumnText::*text;
};

constexpr std::array kEntries = {
    Entry{kTime, &PerColumnText::time},
    Entry{kJointPosition, &PerColumnText::joint_position},
    Entry{kJointVelocity, &PerColumnText::joint_velocity},
    Entry{kJointAcceleration, &PerColumnText::joint_acceleration},
    Entry{kJointTorque, &PerColumnText::joint_torque},
    Entry{kMotorTorque, &PerColumnText::motor_torque},
    Entry{kMotorCurrent, &PerColumnText::motor_current},
    Entry{kBaseWrench, &PerColumnText::base_wrench},
    Entry{kEndEffectorWrench, &PerColumnText::end_effector_wrench},
    Entry{kActuatorTorque, &PerColumnText::actuator_torque},
    Entry{kHallPosition, &PerColumnText::hall_position},
    Entry{kAccelerometer, &PerColumnText::accelerometer},
    Entry{kGyroscope, &PerColumnText::gyroscope},
    Entry{kDistance, &PerColumnText::distance},
};

/// The σ of a channel, and its key.
struct SigmaEntry {
  std::string_view channel;
  std::string_view key;
  std::string_view unit;
  std::optional<PerJoint> RecordingSigma::*sigma;
};

constexpr std::array kSigmas = {
    SigmaEntry{kJointTorque, "joint_torque_nm", "N·m", &RecordingSigma::joint_torque_nm},
    SigmaEntry{kBaseWrench, "base_wrench_n_nm", "N, N·m", &RecordingSigma::base_wrench_n_nm},
    SigmaEntry{kEndEffectorWrench, "end_effector_wrench_n_nm", "N, N·m",
               &RecordingSigma::end_effector_wrench_n_nm},
    SigmaEntry{kJointPosition, "joint_position_rad", "rad", &RecordingSigma::joint_position_rad},
    SigmaEntry{kHallPosition, "hall_position_rad", "rad", &RecordingSigma::hall_position_rad},
    SigmaEntry{kActuatorTorque, "actuator_torque_nm", "N·m", &RecordingSigma::actuator_torque_nm},
    SigmaEntry{kAccelerometer, "accelerometer_m_s2", "m/s²", &RecordingSigma::accelerometer_m_s2},
    SigmaEntry{kGyroscope, "gyroscope_rad_s", "rad/s", &RecordingSigma::gyroscope_rad_s},
    SigmaEntry{kDistance, "distance_m", "m", &RecordingSigma::distance_m},
};

std::vector<std::string> ChannelNames() {
  std::vector<std::string> names;
  for (const Entry& entry : kEntries) {
    if (entry.name != kTime) names.emplace_back(entry.name);
  }
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

/// The columns of one channel; nothing if an issue was appended.
std::optional<ChannelColumns> Resolve(const Entry& entry, const RecordingOptions& options,
                                      std::vector<Issue>& issues) {
  const std::string where = fmt::format("/columns/{}", entry.name);
  std::string problem;
  const std::vector<std::string> names = ExpandPattern(*(options.columns.*entry.text), problem);
  if (!problem.empty()) {
    issues.push_back(
        {where,
         problem,
         {"accepted here: a name, a pattern like q{1..7}_rad, or several of them between "
          "commas"}});
    return std::nullopt;
  }
  ChannelColumns result{entry.name, {}};
  const std::optional<std::string>& declared = options.units.*entry.text;
  for (const std::string& name : names) {
    const std::optional<ColumnUnit> unit =
        declared ? UnitBySuffix(*declared) : ResolveUnit(entry.name, name, where, issues);
    if (!unit) return std::nullopt;  // the others of a pattern end alike
    result.columns.push_back({name, *unit});
  }
  return result;
}

void CheckTimeColumn(const RecordingOptions& options, const std::vector<ChannelColumns>& resolved,
                     std::vector<Issue>& issues) {
  if (options.columns.time.has_value() == options.rate_hz.has_value()) {
    issues.push_back(
        {"/columns/time",
         options.rate_hz ? "a time column is named and rate_hz is given too" : "missing",
         {"accepted here: either a time column or, for files without one, rate_hz"}});
  }
  for (const ChannelColumns& channel : resolved) {
    if (channel.channel == kTime && channel.columns.size() != 1) {
      issues.push_back({"/columns/time",
                        fmt::format("got {} columns, time is a single one", channel.columns.size()),
                        {}});
    }
  }
}

void CheckOptions(const RecordingOptions& options, std::vector<Issue>& issues) {
  const std::vector<ChannelColumns> resolved = ResolveColumns(options, issues);
  CheckTimeColumn(options, resolved, issues);
  bool any = false;
  for (const Entry& entry : kEntries) {
    const bool present = (options.columns.*entry.text).has_value();
    any = any || (present && entry.name != kTime);
    if (!present && options.units.*entry.text) {
      issues.push_back({fmt::format("/units/{}", entry.name),
                        fmt::format("/columns/{} names no columns", entry.name),
                        {}});
    }
    const auto derived = std::ranges::find(options.derived, entry.name);
    if (!present && derived != options.derived.end()) {
      issues.push_back({fmt::format("/derived/{}", derived - options.derived.begin()),
                        fmt::format("/columns/{} names no columns", entry.name),
                        {}});
    }
  }
  if (!any) {
    issues.push_back({"/columns",
                      "no channel is named",
                      {fmt::format("accepted here: {}", fmt::join(ChannelNames(), ", "))}});
  }
}

}  // namespace

FieldTable Visit(RecordingColumns& columns) {
  FieldTable table;
  for (const Entry& entry : kEntries) {
    table.Add(
        std::string(entry.name), columns.*entry.text,
        {.doc = entry.name == kTime
                    ? "Name of the time column"
                    : "Columns of the channel, as names or patterns between commas: q{1..7}_rad"});
  }
  return table;
}

FieldTable Visit(RecordingUnits& units) {
  FieldTable table;
  for (const Entry& entry : kEntries) {
    table.Add(std::string(entry.name), units.*entry.text,
              {.doc = "Unit of the channel's columns, whatever their names end in",
               .choices = UnitsOfChannel(entry.name)});
  }
  return table;
}

std::optional<PerJoint> RecordingSigma::Of(std::string_view channel) const {
  const auto entry = std::ranges::find(kSigmas, channel, &SigmaEntry::channel);
  return entry == kSigmas.end() ? std::nullopt : this->*entry->sigma;
}

FieldTable Visit(RecordingSigma& sigma) {
  FieldTable table;
  for (const SigmaEntry& entry : kSigmas) {
    const bool may_be_exact = entry.channel == kJointPosition;
    table.Add(std::string(entry.key), sigma.*entry.sigma,
              {.doc = fmt::format("Standard deviation of the noise of {}{}; null: unknown",
                                  entry.channel, may_be_exact ? "; 0: it counts as exact" : ""),
               .unit = std::string(entry.unit),
               .lower = 0.0,
               .lower_open = !may_be_exact});
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
      .Add("skip_samples", options.skip_samples,
           {.doc = "Rows dropped from the beginning of each file", .lower = 0.0})
      .Add("columns", options.columns,
           {.doc = "Columns of time and of each channel", .required = true})
      .Add("units", options.units,
           {.doc = "Units of channels whose column names do not end in their unit"})
      .Add("rate_hz", options.rate_hz,
           {.doc = "Sample rate of files without a time column",
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
  for (const Entry& entry : kEntries) {
    if (!(options.columns.*entry.text)) continue;
    std::optional<ChannelColumns> columns = Resolve(entry, options, issues);
    if (columns) resolved.push_back(std::move(*columns));
  }
  return resolved;
}

namespace {

bool IsWrench(const std::vector<RecordingColumn>& columns) {
  bool fits = columns.size() == kWrenchComponents.size();
  for (std::size_t k = 0; fits && k < columns.size(); ++k) {
    fits = columns[k].unit.quantity == (k < 3 ? "force" : "torque");
  }
  return fits;
}

/// Columns that a channel of neither joints nor wrenches has; 0 if that is not known here.
std::size_t ComponentsOf(std::string_view channel, int dofs) {
  if (channel == kActuatorTorque) return 0;
  if (channel == kAccelerometer || channel == kGyroscope) return 3;
  return channel == kDistance ? 1 : static_cast<std::size_t>(dofs);
}

void CheckSigmas(const RecordingOptions& options, const std::vector<ChannelColumns>& channels,
                 std::vector<Issue>& issues) {
  for (const SigmaEntry& entry : kSigmas) {
    const std::optional<PerJoint>& sigma = options.declared_sigma.*entry.sigma;
    if (!sigma) continue;
    const std::string where = fmt::format("/declared_sigma/{}", entry.key);
    const auto channel = std::ranges::find(channels, entry.channel, &ChannelColumns::channel);
    if (channel == channels.end()) {
      issues.push_back({where, "belongs to a channel that is not recorded", {}});
      continue;
    }
    const std::size_t size = sigma->values.size();
    const std::size_t count = channel->columns.size();
    if (size == 1 || size == count) continue;
    issues.push_back({where,
                      fmt::format("got a list of {}", size),
                      {fmt::format("accepted here: one number, or a list of {}", count)}});
  }
}

}  // namespace

std::vector<Issue> CheckDofs(const RecordingOptions& options, int dofs) {
  std::vector<Issue> issues;
  const std::vector<ChannelColumns> channels = ResolveColumns(options, issues);
  for (const ChannelColumns& channel : channels) {
    const std::size_t count = channel.columns.size();
    const std::string where = fmt::format("/columns/{}", channel.channel);
    if (channel.channel == kBaseWrench || channel.channel == kEndEffectorWrench) {
      if (IsWrench(channel.columns)) continue;
      issues.push_back({where,
                        fmt::format("names {} columns that are not a wrench", count),
                        {"three forces, then three moments are accepted, as in "
                         "f{x,y,z}_n, m{x,y,z}_nm"}});
      continue;
    }
    const std::size_t expected = ComponentsOf(channel.channel, dofs);
    if (channel.channel == kTime || expected == 0 || count == expected) continue;
    if (expected == static_cast<std::size_t>(dofs)) {
      issues.push_back({where,
                        fmt::format("names {} columns, but the robot has {} joints", count, dofs),
                        {"one column per joint, in the order of the model, is accepted"}});
    } else {
      issues.push_back({where,
                        fmt::format("names {} columns, expected {}", count, expected),
                        {expected == 3 ? "those of the axes x, y and z of the link are accepted"
                                       : "a single one is accepted"}});
    }
  }
  CheckSigmas(options, channels, issues);
  return issues;
}

}  // namespace idbench
