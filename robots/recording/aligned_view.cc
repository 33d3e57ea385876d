#include "robots/recording/aligned_view.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "robots/recording/resample.h"

namespace idbench {
namespace {

std::string DescribeTime(const Channel& channel) {
  const Eigen::VectorXd& t = channel.time_s;
  if (t.size() < 2) return fmt::format("'{}' has {} samples", channel.name, t.size());
  return fmt::format("'{}' has {} samples in {:g} … {:g} s at {:.4g} Hz", channel.name, t.size(),
                     t[0], t[t.size() - 1], NominalRate(t));
}

}  // namespace

FieldTable Visit(AlignmentOptions& options) {
  FieldTable table;
  table
      .Add("policy", options.policy,
           {.doc = "Treatment of channels that were not sampled together"})
      .Add("rate_hz", options.rate_hz,
           {.doc = "Common rate to resample to; null: the slowest channel's, if the rates differ",
            .unit = "Hz",
            .lower = 0.0,
            .lower_open = true})
      .Add("interpolation", options.interpolation,
           {.doc = "Interpolation between samples when resampling"})
      .Check([&options](std::vector<Issue>& issues) {
        if (options.rate_hz && options.policy != AlignmentPolicy::kResample) {
          issues.push_back({"/rate_hz",
                            fmt::format("is only used by the policy \"resample\", got \"{}\"",
                                        ToString(options.policy)),
                            {"set \"policy\": \"resample\", or remove the rate"}});
        }
      });
  return table;
}

std::string_view ToString(AlignmentOutcome outcome) {
  switch (outcome) {
    case AlignmentOutcome::kOk:
      return "ok";
    case AlignmentOutcome::kMissingChannel:
      return "missing_channel";
    case AlignmentOutcome::kTimesDiffer:
      return "times_differ";
    case AlignmentOutcome::kNoCommonTime:
      return "no_common_time";
  }
  return "";
}

const Eigen::MatrixXd& AlignedView::operator[](std::size_t i) const {
  const Signal& signal = signals_.at(i);
  return resampled() ? signal.resampled : signal.channel->samples;
}

bool AlignedView::uses_oracle() const {
  return std::ranges::any_of(
      signals_, [](const Signal& signal) { return signal.channel->origin == Origin::kOracle; });
}

double AlignedView::nominal_rate_hz() const { return NominalRate(time_s()); }

bool AlignedView::IsUniform(double tolerance) const {
  return size() < 2 || LargestJitter(time_s()) <= tolerance;
}

AlignedView AlignedView::Refusal(AlignmentOutcome outcome, std::string reason) {
  AlignedView view;
  view.outcome_ = outcome;
  view.reason_ = std::move(reason);
  return view;
}

AlignedView AlignedView::Resampled(const Dataset& dataset, std::vector<Signal> signals,
                                   const AlignmentOptions& options) {
  double first = -std::numeric_limits<double>::infinity();
  double last = std::numeric_limits<double>::infinity();
  double rate_hz = std::numeric_limits<double>::infinity();
  constexpr Eigen::Index kLeastForCubic = 3;
  for (const Signal& signal : signals) {
    const Eigen::VectorXd& t = signal.channel->time_s;
    if (t.size() < kLeastForCubic) {
      return Refusal(AlignmentOutcome::kNoCommonTime,
                     fmt::format("dataset '{}': channel {}, too few to resample", dataset.label(),
                                 DescribeTime(*signal.channel)));
    }
    first = std::max(first, t[0]);
    last = std::min(last, t[t.size() - 1]);
    rate_hz = std::min(rate_hz, NominalRate(t));
  }
  if (first >= last) {
    return Refusal(AlignmentOutcome::kNoCommonTime,
                   fmt::format("dataset '{}': no stretch of time is covered by all channels: the "
                               "last begins at {:g} s, the first ends at {:g} s",
                               dataset.label(), first, last));
  }
  AlignedView view;
  view.own_time_ = UniformTime(first, last, options.rate_hz.value_or(rate_hz));
  const Interpolation interpolation = options.interpolation;
  const bool unchanged = std::ranges::all_of(signals, [&](const Signal& signal) {
    return IsSameTime(signal.channel->time_s, view.own_time_);
  });
  if (unchanged) {
    view.shared_time_ = &signals.front().channel->time_s;
  } else {
    for (Signal& signal : signals) {
      signal.resampled = Interpolate(signal.channel->time_s, signal.channel->samples,
                                     view.own_time_, interpolation);
    }
  }
  view.signals_ = std::move(signals);
  return view;
}

AlignedView Align(const Dataset& dataset, std::span<const std::string_view> channels,
                  const AlignmentOptions& options) {
  if (channels.empty()) throw std::invalid_argument("Align: no channel is asked for");
  std::vector<AlignedView::Signal> signals;
  std::vector<std::string_view> missing;
  for (const std::string_view name : channels) {
    const Channel* channel = dataset.Find(name);
    if (channel == nullptr) missing.push_back(name);
    signals.push_back({channel, {}});
  }
  if (!missing.empty()) {
    std::vector<std::string_view> present;
    for (const Channel& channel : dataset.channels()) present.push_back(channel.name);
    return AlignedView::Refusal(
        AlignmentOutcome::kMissingChannel,
        fmt::format("dataset '{}' lacks {}; its channels: {}", dataset.label(),
                    fmt::join(missing, ", "),
                    present.empty() ? "none" : fmt::format("{}", fmt::join(present, ", "))));
  }
  const Channel& leader = *signals.front().channel;
  const auto differs = std::ranges::find_if(signals, [&](const AlignedView::Signal& signal) {
    return !IsSameTime(signal.channel->time_s, leader.time_s);
  });
  const bool resample = options.policy == AlignmentPolicy::kResample;
  if (resample && (options.rate_hz || differs != signals.end())) {
    return AlignedView::Resampled(dataset, std::move(signals), options);
  }
  if (differs != signals.end()) {
    return AlignedView::Refusal(
        AlignmentOutcome::kTimesDiffer,
        fmt::format(
            "dataset '{}': channels were not sampled together: {}, {}; declare the alignment "
            "policy \"resample\" to interpolate them",
            dataset.label(), DescribeTime(leader), DescribeTime(*differs->channel)));
  }
  AlignedView view;
  view.shared_time_ = &leader.time_s;
  view.signals_ = std::move(signals);
  return view;
}

AlignedView Align(const Dataset& dataset, std::initializer_list<std::string_view> channels,
                  const AlignmentOptions& options) {
  return Align(dataset, std::span(channels.begin(), channels.size()), options);
}

}  // namespace idbench
