#include "robots/recording/segments.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace idbench {
namespace {

constexpr double kEver = std::numeric_limits<double>::infinity();
/// A derivative, or a rate, needs as many.
constexpr Eigen::Index kLeastSamples = 2;

/// Time from one start of the recording to the next, in the rows of one channel.
struct Pass {
  Eigen::Index first = 0;
  Eigen::Index count = 0;
};

/// Stretch of time that holds no sample.
struct Gap {
  double from_s = 0.0;
  double to_s = 0.0;
};

std::vector<Pass> PassesOf(const Channel& channel, const std::vector<TimeBreak>& breaks) {
  std::vector<Pass> passes;
  Eigen::Index first = 0;
  for (const TimeBreak& each : breaks) {
    if (!each.restarts()) continue;
    passes.push_back({first, each.after + 1 - first});
    first = each.after + 1;
  }
  passes.push_back({first, channel.time_s.size() - first});
  return passes;
}

/// The gaps of one pass, in order, those that overlap joined.
std::vector<Gap> Joined(std::vector<Gap> gaps) {
  std::ranges::sort(gaps, {}, &Gap::from_s);
  std::vector<Gap> joined;
  for (const Gap& gap : gaps) {
    if (joined.empty() || gap.from_s >= joined.back().to_s) {
      joined.push_back(gap);
    } else {
      joined.back().to_s = std::max(joined.back().to_s, gap.to_s);
    }
  }
  return joined;
}

/// The samples of a pass from `from_s` to `to_s`, both included.
Channel Cut(const Channel& channel, const Pass& pass, double from_s, double to_s) {
  const auto begin = channel.time_s.begin() + pass.first;
  const auto end = begin + pass.count;
  const auto from = std::lower_bound(begin, end, from_s) - begin;
  const auto count = std::max<Eigen::Index>(0, std::upper_bound(begin, end, to_s) - begin - from);
  Channel cut = channel;
  cut.time_s = channel.time_s.segment(pass.first + from, count);
  cut.samples = channel.samples.middleRows(pass.first + from, count);
  return cut;
}

/// Adds a part, or says why it is none.
void AddPart(std::vector<Channel> part, Segments& segments) {
  for (const Channel& channel : part) {
    if (channel.time_s.size() >= kLeastSamples) continue;
    const double at_s = channel.time_s.size() > 0 ? channel.time_s[0] : part.front().time_s[0];
    segments.dropped.push_back(fmt::format("the segment at {:.6g} s: channel '{}' has {} sample{}",
                                           at_s, channel.name, channel.time_s.size(),
                                           channel.time_s.size() == 1 ? "" : "s"));
    return;
  }
  segments.parts.push_back(std::move(part));
}

}  // namespace

std::string TimeBreak::Describe() const {
  if (restarts()) return fmt::format("time jumps back from {:.6g} s to {:.6g} s", from_s, to_s);
  return fmt::format("a gap of {:.3g} s at t = {:.6g} s", to_s - from_s, from_s);
}

std::vector<TimeBreak> FindBreaks(const Eigen::VectorXd& time_s, double gap_steps) {
  std::vector<double> forward;
  double total = 0.0;
  for (Eigen::Index i = 1; i < time_s.size(); ++i) {
    const double step = time_s[i] - time_s[i - 1];
    if (step <= 0.0) continue;
    forward.push_back(step);
    total += step;
  }
  if (forward.empty()) return {};
  const auto middle = forward.begin() + std::ssize(forward) / 2;
  std::nth_element(forward.begin(), middle, forward.end());
  const double longest = gap_steps * std::max(*middle, total / static_cast<double>(forward.size()));
  std::vector<TimeBreak> breaks;
  for (Eigen::Index i = 1; i < time_s.size(); ++i) {
    if (std::abs(time_s[i] - time_s[i - 1]) <= longest) continue;
    breaks.push_back({i - 1, time_s[i - 1], time_s[i]});
  }
  return breaks;
}

Segments SplitAtBreaks(std::vector<Channel> channels, double gap_steps) {
  Segments segments;
  std::vector<std::vector<Pass>> passes;        // by channel
  std::vector<std::vector<Gap>> gaps;           // by pass, of all channels
  std::vector<std::vector<TimeBreak>> in_pass;  // by pass, and the restart at its end
  for (const Channel& channel : channels) {
    const std::vector<TimeBreak> breaks = FindBreaks(channel.time_s, gap_steps);
    passes.push_back(PassesOf(channel, breaks));
    const std::size_t count = passes.back().size();
    if (count != passes.front().size()) {
      throw std::invalid_argument(
          fmt::format("the time of '{}' jumps back {} times, that of '{}' {} times",
                      channels.front().name, passes.front().size() - 1, channel.name, count - 1));
    }
    gaps.resize(count);
    in_pass.resize(count);
    std::size_t pass = 0;
    for (const TimeBreak& each : breaks) {
      const auto same = [&each](const TimeBreak& other) {
        return other.from_s == each.from_s && other.to_s == each.to_s;
      };
      const bool known = std::ranges::any_of(in_pass[pass], [&](const TimeBreak& other) {
        return same(other) || (each.restarts() && other.restarts());
      });
      if (!known) in_pass[pass].push_back(each);
      if (each.restarts()) {
        ++pass;
      } else {
        gaps[pass].push_back({each.from_s, each.to_s});
      }
    }
  }
  for (std::vector<TimeBreak>& breaks : in_pass) {
    std::ranges::stable_sort(breaks, {}, &TimeBreak::from_s);
    segments.breaks.insert(segments.breaks.end(), breaks.begin(), breaks.end());
  }
  if (segments.breaks.empty()) {
    segments.parts.push_back(std::move(channels));
    return segments;
  }
  for (std::size_t pass = 0; pass < gaps.size(); ++pass) {
    double from_s = -kEver;
    std::vector<Gap> ends = Joined(std::move(gaps[pass]));
    ends.push_back({kEver, kEver});
    for (const Gap& gap : ends) {
      std::vector<Channel> part;
      for (std::size_t k = 0; k < channels.size(); ++k) {
        part.push_back(Cut(channels[k], passes[k][pass], from_s, gap.from_s));
      }
      AddPart(std::move(part), segments);
      from_s = gap.to_s;
    }
  }
  return segments;
}

void SetClocks(std::span<Dataset> segments, double start_s) {
  Dataset* before = nullptr;
  for (Dataset& segment : segments) {
    segment.recorded.reset();
    RecordedTime clock = RecordedTimeOf(segment);
    if (before == nullptr) {
      clock.duration_s += clock.start_s - start_s;
      clock.start_s = start_s;
    } else if (clock.start_s >= before->recorded->start_s + before->recorded->duration_s) {
      before->recorded->duration_s = clock.start_s - before->recorded->start_s;
    }
    segment.recorded = clock;
    before = &segment;
  }
}

}  // namespace idbench
