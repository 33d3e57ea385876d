#include "robots/recording/channels.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace idbench {
namespace {

constexpr std::array<std::string_view, 3> kAxisNames = {"x", "y", "z"};
constexpr std::array<std::string_view, 6> kWrenchColumns = {"fx_n",  "fy_n",  "fz_n",
                                                            "mx_nm", "my_nm", "mz_nm"};

}  // namespace

const ChannelInfo* FindChannel(std::string_view name) {
  const auto found = std::ranges::find(kChannels, name, &ChannelInfo::name);
  return found == kChannels.end() ? nullptr : &*found;
}

const ChannelInfo& ChannelNamed(std::string_view name) {
  if (const ChannelInfo* channel = FindChannel(name)) return *channel;
  throw std::invalid_argument(fmt::format("there is no channel '{}'", name));
}

std::vector<std::string> ChannelsLike(const ChannelInfo& channel, std::string_view mount) {
  std::vector<std::string> names;
  for (const ChannelInfo& other : kChannels) {
    if (other.signal == channel.signal && other.mount == mount) names.emplace_back(other.name);
  }
  return names;
}

std::size_t IndexOf(const ChannelInfo& channel) {
  return static_cast<std::size_t>(&channel - kChannels.data());
}

std::span<const std::string_view> ComponentsOf(const ChannelInfo& channel) {
  switch (channel.parts) {
    case ChannelParts::kWrench:
      return kWrenchComponents;
    case ChannelParts::kAxes:
      return kAxisNames;
    case ChannelParts::kSingle:
      return {&channel.name, 1};
    case ChannelParts::kJoints:
    case ChannelParts::kMotors:
      break;
  }
  return {};
}

std::string_view PartOf(const ChannelInfo& channel) {
  if (channel.parts == ChannelParts::kJoints) return "joint";
  return channel.parts == ChannelParts::kMotors ? "motor" : "component";
}

std::string ColumnName(const ChannelInfo& channel, std::size_t k) {
  if (channel.parts == ChannelParts::kWrench) {
    return fmt::format("{}{}", channel.column, kWrenchColumns.at(k));
  }
  return fmt::format("{}{}_{}", channel.column, k + 1, channel.suffix);
}

}  // namespace idbench
