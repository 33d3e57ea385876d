#include "hw/recording_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "scenarios/options/json.h"
#include "scenarios/options/name_pattern.h"

namespace idbench {
namespace {

/// Pointer to the σ of a channel.
std::string SigmaPointer(const ChannelInfo& channel) {
  if (channel.kind == nullptr) return PointerTo("/declared_sigma", SigmaKey(channel));
  return PointerTo(PointerTo("/declared_sigma", SigmaKey(*channel.kind)), channel.mount);
}

std::string PlacePointer(const std::string& key, const ChannelInfo& channel) {
  if (channel.kind == nullptr) return PointerTo(key, std::string(channel.name));
  return PointerTo(PointerTo(key, std::string(channel.kind->name)), channel.mount);
}
std::string FactorPointer(const ChannelInfo& channel) { return PlacePointer("/factors", channel); }
std::string OffsetPointer(const ChannelInfo& channel) { return PlacePointer("/offsets", channel); }

bool IsWrench(const std::vector<RecordingColumn>& columns) {
  bool fits = columns.size() == kWrenchComponents.size();
  for (std::size_t k = 0; fits && k < columns.size(); ++k) {
    fits = columns[k].unit.si == (k < 3 ? "N" : "N·m");
  }
  return fits;
}

/// Appends an issue for numbers of a channel that is not there, and for too few or too many.
void CheckNumbers(const PerChannel<std::optional<PerJoint>>& numbers,
                  std::string (*pointer)(const ChannelInfo& channel),
                  const std::vector<ChannelColumns>& channels, std::vector<Issue>& issues) {
  for (const std::string_view name : numbers.names()) {
    const std::optional<PerJoint>& given = numbers[name];
    if (!given) continue;
    const std::string where = pointer(ChannelNamed(name));
    const auto channel = std::ranges::find(channels, name, &ChannelColumns::channel);
    if (channel == channels.end()) {
      issues.push_back({where, "belongs to a channel that is not recorded", {}});
      continue;
    }
    const std::size_t size = given->values.size();
    const std::size_t count = channel->columns.size();
    if (size == 1 || size == count) continue;
    issues.push_back({where,
                      fmt::format("got a list of {}", size),
                      {fmt::format("accepted here: one number, or a list of {}", count)}});
  }
}

void CheckColumns(const ChannelColumns& columns, int dofs, int motors, std::vector<Issue>& issues) {
  const ChannelInfo& channel = ChannelNamed(columns.channel);
  const std::size_t count = columns.columns.size();
  const auto refuse = [&](std::string what, std::string accepted) {
    issues.push_back({fmt::format("/columns/{}", channel.name),
                      fmt::format("names {} columns{}", count, what),
                      {std::move(accepted)}});
  };
  const std::size_t expected = ComponentsOf(channel).size();
  switch (channel.parts) {
    case ChannelParts::kJoints:
      if (count == static_cast<std::size_t>(dofs)) return;
      return refuse(fmt::format(", but the robot has {} joints", dofs),
                    "one column per joint, in the order of the model, is accepted");
    case ChannelParts::kMotors:
      if (motors < 0 || count == static_cast<std::size_t>(motors)) return;
      return refuse(fmt::format(", but the robot has {} motors", motors),
                    "one column per motor, in the order of the robot's actuators, is accepted");
    case ChannelParts::kWrench:
      if (IsWrench(columns.columns)) return;
      return refuse(" that are not a wrench",
                    "three forces, then three moments are accepted, as in "
                    "f{x,y,z}_n, m{x,y,z}_nm");
    case ChannelParts::kAxes:
      if (count == expected) return;
      return refuse(fmt::format(", expected {}", expected),
                    "those of the axes x, y and z of the link are accepted");
    case ChannelParts::kSingle:
      if (count == expected) return;
      return refuse(fmt::format(", expected {}", expected), "a single one is accepted");
  }
}

}  // namespace

std::vector<Issue> CheckPlaces(const RecordingOptions& options,
                               const std::vector<std::string>& cuts) {
  std::vector<Issue> issues;
  for (const std::string_view name : options.columns.names()) {
    if (name == kTime || !options.columns[name]) continue;
    const ChannelInfo& channel = ChannelNamed(name);
    const bool known = std::ranges::find(cuts, channel.mount) != cuts.end();
    if (channel.kind == nullptr || known) continue;
    issues.push_back({fmt::format("/columns/{}", name),
                      fmt::format("the robot has no force/torque sensor \"{}\"", channel.mount),
                      AcceptedNames(std::string(channel.mount), cuts)});
    if (cuts.empty()) issues.back().details = {"declare its place in /robot/force_torque_sensors"};
  }
  return issues;
}

std::vector<Issue> CheckDofs(const RecordingOptions& options, int dofs, int motors) {
  std::vector<Issue> issues;
  const std::vector<ChannelColumns> channels = ResolveColumns(options, issues);
  for (const ChannelColumns& columns : channels) {
    if (columns.channel != kTime) CheckColumns(columns, dofs, motors, issues);
  }
  CheckNumbers(options.declared_sigma, &SigmaPointer, channels, issues);
  CheckNumbers(options.factors, &FactorPointer, channels, issues);
  CheckNumbers(options.offsets, &OffsetPointer, channels, issues);
  for (const std::string_view name : options.factors.names()) {
    const std::optional<PerJoint>& factors = options.factors[name];
    if (!factors || std::ranges::find(factors->values, 0.0) == factors->values.end()) continue;
    issues.push_back({FactorPointer(ChannelNamed(name)), "a factor of 0 leaves nothing", {}});
  }
  return issues;
}

std::vector<Issue> CheckFiles(const RecordingFiles& files, const RecordingOptions& options) {
  std::vector<Issue> issues;
  std::vector<std::string> recorded;
  for (const std::string_view channel : options.columns.names()) {
    if (channel == kTime || !options.columns[channel]) continue;
    recorded.emplace_back(channel);
    if (files.Of(channel) == nullptr) {
      issues.push_back({"",
                        fmt::format("names no file for the channel \"{}\"", channel),
                        {"name it, or remove its columns from /recording/columns"}});
    }
  }
  for (const auto& [channel, file] : files.by_channel) {
    if (std::ranges::find(recorded, channel) != recorded.end()) continue;
    issues.push_back({PointerTo("", channel),
                      "/recording/columns names no columns of such a channel",
                      AcceptedNames(channel, recorded)});
  }
  return issues;
}

}  // namespace idbench
