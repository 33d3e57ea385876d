#include "robots/plant/reading.h"

#include <algorithm>
#include <stdexcept>

namespace idbench {

const ChannelReading* Reading::Find(std::string_view channel) const {
  const auto at = std::ranges::find(channels, channel, &ChannelReading::channel);
  return at == channels.end() ? nullptr : &*at;
}

const Eigen::VectorXd& Reading::operator[](std::string_view channel) const {
  const ChannelReading* const found = Find(channel);
  if (found == nullptr) {
    throw std::invalid_argument("Reading: nothing reads " + std::string(channel));
  }
  return found->value;
}

ChannelReading& Reading::At(std::string_view channel) {
  const auto at = std::ranges::find(channels, channel, &ChannelReading::channel);
  if (at != channels.end()) return *at;
  return channels.emplace_back(ChannelReading{.channel = std::string(channel), .value = {}});
}

}  // namespace idbench
