#include "robots/recording/channels.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <mutex>
#include <stdexcept>

namespace idbench {
namespace {

constexpr std::array<std::string_view, 3> kAxisNames = {"x", "y", "z"};
constexpr std::array<std::string_view, 6> kWrenchColumns = {"fx_n",  "fy_n",  "fz_n",
                                                            "mx_nm", "my_nm", "mz_nm"};

/// A channel at a place, and the texts that it refers to.
struct PlacedChannel {
  PlacedChannel(const ChannelInfo& kind, std::string_view at)
      : name(NameAt(kind.name, at)), column(fmt::format("{}{}_", kind.column, at)), info(kind) {
    info.name = info.signal = name;
    info.column = column;
    info.mount = std::string_view(name).substr(kind.name.size() + 1);
    info.several = false;
    info.kind = &kind;
  }

  const std::string name, column;
  ChannelInfo info;
};

/// The one channel at that place, so that pointers to it may be compared.
const ChannelInfo& AtPlace(const ChannelInfo& kind, std::string_view place) {
  static std::mutex mutex;
  static std::map<std::string, PlacedChannel, std::less<>> known;
  const std::lock_guard lock(mutex);
  const std::string name = NameAt(kind.name, place);
  const auto found = known.find(name);
  if (found != known.end()) return found->second.info;
  return known.try_emplace(name, kind, place).first->second.info;
}

}  // namespace

std::string NameAt(std::string_view kind, std::string_view place) {
  return fmt::format("{}/{}", kind, place);
}

const ChannelInfo* FindChannel(std::string_view name) {
  const std::string_view kind = name.substr(0, name.find('/'));
  const auto found = std::ranges::find(kChannels, kind, &ChannelInfo::name);
  if (found == kChannels.end()) return nullptr;
  if (kind.size() == name.size()) return &*found;
  const std::string_view place = name.substr(kind.size() + 1);
  return found->several && !place.empty() ? &AtPlace(*found, place) : nullptr;
}

const ChannelInfo& ChannelNamed(std::string_view name) {
  if (const ChannelInfo* channel = FindChannel(name)) return *channel;
  throw std::invalid_argument(fmt::format("there is no channel '{}'", name));
}

bool IsOfKind(std::string_view name, std::string_view kind) {
  const ChannelInfo* const channel = FindChannel(name);
  return channel != nullptr && channel->kind != nullptr && channel->kind->name == kind;
}

std::vector<std::string> ChannelsLike(const ChannelInfo& channel, std::string_view mount) {
  std::vector<std::string> names;
  for (const ChannelInfo& other : kDataChannels) {
    if (other.signal == channel.signal && other.mount == mount) names.emplace_back(other.name);
  }
  if (channel.several) names = {NameAt(channel.name, mount)};
  return names;
}

std::size_t IndexOf(const ChannelInfo& channel) {
  const ChannelInfo* const row = channel.kind != nullptr ? channel.kind : &channel;
  return static_cast<std::size_t>(row - kChannels.data());
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
