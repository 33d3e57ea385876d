#include "robots/recording/data_window.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "scenarios/options/config_error.h"

namespace idbench {

FieldTable Visit(DataWindowOptions& o) {
  FieldTable table;
  table
      .Add("from_fraction", o.from_fraction,
           {.doc = "Beginning as a fraction of the recording's duration; null: its beginning, or "
                   "from_s",
            .lower = 0.0,
            .upper = 1.0})
      .Add("until_fraction", o.until_fraction,
           {.doc = "End as a fraction of the recording's duration; null: its end, or until_s",
            .lower = 0.0,
            .upper = 1.0})
      .Add("from_s", o.from_s,
           {.doc = "Beginning in the recording's own time, in place of from_fraction", .unit = "s"})
      .Add("until_s", o.until_s,
           {.doc = "End in the recording's own time, in place of until_fraction", .unit = "s"})
      .Check([&o](std::vector<Issue>& issues) {
        if (o.from_fraction && o.from_s) {
          issues.push_back({"/from_s", "is given together with from_fraction", {"give one"}});
        }
        if (o.until_fraction && o.until_s) {
          issues.push_back({"/until_s", "is given together with until_fraction", {"give one"}});
        }
        if (o.until_fraction && *o.until_fraction <= o.from_fraction.value_or(0.0)) {
          issues.push_back({"/until_fraction",
                            fmt::format("{} is not after from_fraction, {}", *o.until_fraction,
                                        o.from_fraction.value_or(0.0)),
                            {}});
        }
        if (o.from_s && o.until_s && *o.until_s <= *o.from_s) {
          issues.push_back(
              {"/until_s", fmt::format("{} is not after from_s, {}", *o.until_s, *o.from_s), {}});
        }
      });
  return table;
}

TimeSpan SpanOf(const Dataset& dataset, const DataWindowOptions& window) {
  return SpanOf({&dataset, 1}, window);
}

TimeSpan SpanOf(std::span<const Dataset> segments, const DataWindowOptions& window) {
  double first = std::numeric_limits<double>::infinity();
  double last = -first;
  for (const Dataset& dataset : segments) {
    for (const Channel& channel : dataset.channels()) {
      if (channel.time_s.size() == 0) continue;
      first = std::min(first, channel.time_s[0]);
      last = std::max(last, channel.time_s[channel.time_s.size() - 1]);
    }
  }
  const double until_fraction = window.until_fraction.value_or(1.0);
  return {
      .from_s = window.from_s.value_or(first + window.from_fraction.value_or(0.0) * (last - first)),
      .until_s = window.until_s.value_or(first + until_fraction * (last - first)),
      .to_the_end = !window.until_s && until_fraction == 1.0};
}

Dataset CutOut(const Dataset& dataset, const TimeSpan& span) {
  Dataset part = dataset.WithoutChannels();
  part.lowpass_cutoff_hz = dataset.lowpass_cutoff_hz;
  for (Channel channel : dataset.channels()) {
    std::vector<Eigen::Index> kept;
    for (Eigen::Index k = 0; k < channel.time_s.size(); ++k) {
      if (span.Holds(channel.time_s[k])) kept.push_back(k);
    }
    if (kept.size() < 2) {
      throw ConfigError(dataset.label(), "/window",
                        fmt::format("the channel '{}' has {} samples from {:.6g} s to {:.6g} s",
                                    channel.name, kept.size(), span.from_s, span.until_s),
                        {fmt::format("it has samples from {:.6g} s to {:.6g} s", channel.time_s[0],
                                     channel.time_s[channel.time_s.size() - 1])});
    }
    const Eigen::Index first = kept.front();
    const auto count = static_cast<Eigen::Index>(kept.size());  // times increase: no gap
    channel.time_s = Eigen::VectorXd(channel.time_s.segment(first, count));
    channel.samples = Eigen::MatrixXd(channel.samples.middleRows(first, count));
    part.Add(std::move(channel));
  }
  return part;
}

std::vector<Dataset> CutOut(std::span<const Dataset> segments, const TimeSpan& span) {
  const auto has_some = [&span](const Channel& channel) {
    return std::ranges::count_if(channel.time_s, [&span](double t) { return span.Holds(t); }) >= 2;
  };
  std::vector<Dataset> parts;
  for (const Dataset& segment : segments) {
    if (std::ranges::all_of(segment.channels(), has_some)) parts.push_back(CutOut(segment, span));
  }
  if (parts.empty()) parts.push_back(CutOut(segments.front(), span));  // tells what is missing
  return parts;
}

}  // namespace idbench
