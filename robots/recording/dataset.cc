#include "robots/recording/dataset.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>
#include <utility>

namespace idbench {
namespace {

void CheckSizes(const Channel& channel) {
  const Eigen::Index rows = channel.samples.rows();
  const Eigen::Index columns = channel.samples.cols();
  if (channel.time_s.size() != rows) {
    throw std::invalid_argument(fmt::format("channel '{}': {} time stamps for {} samples",
                                            channel.name, channel.time_s.size(), rows));
  }
  if (channel.sigma.size() != 0 && channel.sigma.size() != columns) {
    throw std::invalid_argument(
        fmt::format("channel '{}': {} declared standard deviations for {} columns; none or one per "
                    "column is accepted",
                    channel.name, channel.sigma.size(), columns));
  }
}

void CheckTime(const Channel& channel) {
  const Eigen::VectorXd& t = channel.time_s;
  if (!t.allFinite()) {
    throw std::invalid_argument(
        fmt::format("channel '{}': a time stamp is not finite", channel.name));
  }
  for (Eigen::Index i = 1; i < t.size(); ++i) {
    if (t[i] <= t[i - 1]) {
      throw std::invalid_argument(fmt::format(
          "channel '{}': time does not increase: sample {} is at {} s, sample {} at {} s",
          channel.name, i - 1, t[i - 1], i, t[i]));
    }
  }
}

}  // namespace

void Dataset::Add(Channel channel) {
  if (Find(channel.name) != nullptr) {
    throw std::invalid_argument(
        fmt::format("dataset '{}' has a channel '{}' already", label_, channel.name));
  }
  CheckSizes(channel);
  CheckTime(channel);
  channels_.push_back(std::move(channel));
}

const Channel* Dataset::Find(std::string_view name) const {
  for (const Channel& channel : channels_) {
    if (channel.name == name) return &channel;
  }
  return nullptr;
}

const Channel& Dataset::Get(std::string_view name) const {
  if (const Channel* channel = Find(name)) return *channel;
  std::vector<std::string_view> names;
  for (const Channel& channel : channels_) names.push_back(channel.name);
  throw std::invalid_argument(
      fmt::format("dataset '{}' has no channel '{}'; its channels: {}", label_, name,
                  names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
}

}  // namespace idbench
