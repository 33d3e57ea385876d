#include "robots/recording/dataset.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
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

Dataset Dataset::WithoutChannels() const {
  Dataset empty(label_, role_, configuration_);
  empty.recorded = recorded;
  return empty;
}

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

RecordedTime RecordedTimeOf(const Dataset& dataset) {
  if (dataset.recorded) return *dataset.recorded;
  double first_s = std::numeric_limits<double>::infinity();
  double last_s = -first_s;
  for (const Channel& channel : dataset.channels()) {
    if (channel.time_s.size() == 0) continue;
    first_s = std::min(first_s, channel.time_s[0]);
    last_s = std::max(last_s, channel.time_s[channel.time_s.size() - 1]);
  }
  if (first_s > last_s) return {};
  return {first_s, last_s - first_s};
}

}  // namespace idbench
