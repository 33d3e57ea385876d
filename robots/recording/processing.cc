#include "robots/recording/processing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "robots/recording/differentiate.h"
#include "robots/recording/filter.h"
#include "robots/recording/resample.h"

namespace idbench {
namespace {

constexpr double kRateTolerance = 0.01;
constexpr double kLeastResampleShare = 0.9;

std::vector<std::string> KnownChannels() {
  std::vector<std::string> names;
  for (const ChannelInfo& channel : kChannels) names.emplace_back(channel.name);
  return names;
}

/// "rad" → "rad/s"; joints of both types: "rad or m" → "rad/s or m/s".
std::string DerivativeUnit(std::string unit, std::string_view per_time) {
  constexpr std::string_view kOr = " or ";
  for (auto at = unit.find(kOr); at != std::string::npos;
       at = unit.find(kOr, at + per_time.size() + kOr.size())) {
    unit.insert(at, per_time);
  }
  return unit.append(per_time);
}

/// @param unit  of positions or, if not `of_position`, of velocities: "rad/s" → "rad/s²".
std::string UnitOfDerivative(std::string_view name, std::string unit, bool of_position) {
  if (of_position) return DerivativeUnit(std::move(unit), name == kJointVelocity ? "/s" : "/s²");
  constexpr std::string_view kPerTime = "/s";
  for (auto at = unit.find(kPerTime); at != std::string::npos; at = unit.find(kPerTime, at + 1)) {
    unit.insert(at + kPerTime.size(), "²");
  }
  return unit;
}

void CheckRepeats(const std::vector<std::string>& names, const std::string& where,
                  std::vector<Issue>& issues) {
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (std::find(names.begin(), name, *name) == name) continue;
    issues.push_back({PointerTo(where, std::to_string(name - names.begin())),
                      fmt::format("\"{}\" stands in the list twice", *name),
                      {}});
  }
}

/// True if `name` is that of the channel or of its kind.
bool Names(std::string_view name, std::string_view channel) {
  return name == channel || IsOfKind(channel, name);
}

void CheckRates(const ProcessingOptions& options, std::vector<Issue>& issues) {
  if (!options.lowpass) return;
  const double cutoff_hz = options.lowpass->cutoff_hz;
  if (options.resample_rate_hz && cutoff_hz >= 0.5 * *options.resample_rate_hz) {
    issues.push_back({"/lowpass/cutoff_hz",
                      fmt::format("got {}, not below half of resample_rate_hz {}", cutoff_hz,
                                  *options.resample_rate_hz),
                      {}});
  }
  if (options.decimate_to_hz && *options.decimate_to_hz < 2.0 * cutoff_hz) {
    issues.push_back(
        {"/decimate_to_hz",
         fmt::format("got {}, below twice the low-pass's cut-off of {} Hz: it would alias",
                     *options.decimate_to_hz, cutoff_hz),
         {fmt::format("2.5 times the cut-off is usual: {}", 2.5 * cutoff_hz)}});
  }
}

void CheckAccelerationSource(const ProcessingOptions& options, std::vector<Issue>& issues) {
  if (options.acceleration_from == AccelerationSource::kPosition) return;
  const auto& derived = options.differentiate;
  if (std::ranges::find(derived, kJointAcceleration) == derived.end()) {
    issues.push_back({"/acceleration_from",
                      "differentiate does not list joint_acceleration",
                      {"list it, or remove this"}});
  }
  if (std::ranges::find(derived, kJointVelocity) != derived.end()) {
    issues.push_back({"/acceleration_from",
                      "joint_velocity is itself derived from joint_position, see differentiate",
                      {"take joint_velocity out of that list to use what was measured"}});
  }
}

/// The steps of Process(), each on all channels.
class Processor {
 public:
  explicit Processor(const Dataset& dataset) : dataset_(dataset), channels_(dataset.channels()) {}

  void Skip(Eigen::Index count);
  void Resample(double rate_hz, Interpolation interpolation);
  void Lowpass(const LowpassOptions& options);
  void Differentiate(const std::string& name, AccelerationSource source, int half_width);
  void DropEdges(double edge_s);
  void Decimate(double rate_hz);
  Dataset Finish(std::optional<double> cutoff_hz) &&;

 private:
  [[noreturn]] void Refuse(const std::string& where, const std::string& what,
                           std::vector<std::string> details) const {
    throw ConfigError(fmt::format("dataset '{}'", dataset_.label()), "/processing" + where, what,
                      std::move(details));
  }
  [[noreturn]] void RefuseShort(const std::string& where, const std::string& what,
                                std::vector<std::string> details = {}) const {
    throw TooShortError(fmt::format("dataset '{}'", dataset_.label()), "/processing" + where, what,
                        std::move(details));
  }

  Channel* Find(std::string_view name) {
    const auto found = std::ranges::find(channels_, name, &Channel::name);
    return found == channels_.end() ? nullptr : &*found;
  }

  Channel& Get(std::string_view name, const std::string& where) {
    if (Channel* channel = Find(name)) return *channel;
    std::vector<std::string_view> names;
    for (const Channel& channel : channels_) names.push_back(channel.name);
    Refuse(where, fmt::format("there is no channel '{}'", name),
           {fmt::format("its channels: {}", fmt::join(names, ", "))});
  }

  static void MarkDerived(Channel& channel) {
    if (channel.origin == Origin::kMeasured) channel.origin = Origin::kDerived;
    channel.sigma.resize(0);
  }

  static void KeepRows(Channel& channel, Eigen::Index first, Eigen::Index count) {
    channel.time_s = channel.time_s.segment(first, count).eval();
    channel.samples = channel.samples.middleRows(first, count).eval();
  }

  double UniformRate(const Channel& channel, const std::string& where) const;
  std::pair<double, double> CommonTime(const std::string& where) const;

  const Dataset& dataset_;
  std::vector<Channel> channels_;
};

void Processor::Skip(Eigen::Index count) {
  for (Channel& channel : channels_) {
    const Eigen::Index size = channel.time_s.size();
    if (count >= size) {
      RefuseShort("/skip_samples",
                  fmt::format("got {}, but '{}' has {} samples", count, channel.name, size),
                  {"fewer than it has are accepted"});
    }
    KeepRows(channel, count, size - count);
  }
}

/// The stretch of time that all channels cover.
std::pair<double, double> Processor::CommonTime(const std::string& where) const {
  double first = -std::numeric_limits<double>::infinity();
  double last = std::numeric_limits<double>::infinity();
  for (const Channel& channel : channels_) {
    const Eigen::VectorXd& t = channel.time_s;
    if (t.size() < 3) {
      RefuseShort(where,
                  fmt::format("channel '{}' has {} samples, too few", channel.name, t.size()));
    }
    first = std::max(first, t[0]);
    last = std::min(last, t[t.size() - 1]);
  }
  if (first > last) {
    Refuse(
        where,
        fmt::format("no stretch of time is covered by all channels: the last begins at {:g} s, the "
                    "first ends at {:g} s",
                    first, last),
        {});
  }
  return {first, last};
}

void Processor::Resample(double rate_hz, Interpolation interpolation) {
  const std::string where = "/resample_rate_hz";
  const auto [first, last] = CommonTime(where);
  for (const Channel& channel : channels_) {
    const double recorded_hz = NominalRate(channel.time_s);
    if (rate_hz < kLeastResampleShare * recorded_hz) {
      Refuse(where,
             fmt::format("got {}, but '{}' was sampled at {:.4g} Hz: it would alias before the "
                         "low-pass",
                         rate_hz, channel.name, recorded_hz),
             {"resample at the recorded rate, then set lowpass and decimate_to_hz"});
    }
  }
  const Eigen::VectorXd time_s = UniformTime(first, last, rate_hz);
  for (Channel& channel : channels_) {
    if (IsSameTime(channel.time_s, time_s)) continue;
    channel.samples = Interpolate(channel.time_s, channel.samples, time_s, interpolation);
    channel.time_s = time_s;
    MarkDerived(channel);
  }
}

double Processor::UniformRate(const Channel& channel, const std::string& where) const {
  if (channel.time_s.size() < 2) {
    RefuseShort(where, fmt::format("channel '{}' has {} samples, too few", channel.name,
                                   channel.time_s.size()));
  }
  const double rate_hz = NominalRate(channel.time_s);
  const double jitter = LargestJitter(channel.time_s);
  if (jitter > kRateTolerance) {
    Refuse(where,
           fmt::format("channel '{}' is not sampled uniformly: a step differs by {:.2g} % from the "
                       "median step of {:.4g} s",
                       channel.name, 100.0 * jitter, 1.0 / rate_hz),
           {fmt::format("set resample_rate_hz, for example {:.3g}", rate_hz)});
  }
  return rate_hz;
}

void Processor::Lowpass(const LowpassOptions& options) {
  const std::string where = "/lowpass";
  for (const std::string& name : options.channels) {
    const bool there = std::ranges::any_of(
        channels_, [&](const Channel& channel) { return Names(name, channel.name); });
    if (!there) Get(name, where + "/channels");  // says which there are
  }
  std::vector<Channel*> filtered;
  for (Channel& channel : channels_) {
    const Origin recorded = dataset_.Find(channel.name)->origin;
    if (IsFiltered(options, channel.name, recorded)) filtered.push_back(&channel);
  }
  if (filtered.empty()) {
    Refuse(where, "there is no measured channel",
           {"name those to be filtered: \"channels\": [\"joint_position\"]"});
  }
  for (Channel* channel : filtered) {
    const double rate_hz = UniformRate(*channel, where);
    if (options.cutoff_hz >= 0.5 * rate_hz) {
      Refuse(where + "/cutoff_hz",
             fmt::format("got {}, but '{}' was sampled at {:.4g} Hz", options.cutoff_hz,
                         channel->name, rate_hz),
             {"less than half the rate is accepted"});
    }
    const ButterworthLowpass filter(options.order, options.cutoff_hz, rate_hz);
    if (channel->samples.rows() <= filter.default_padding()) {
      RefuseShort(
          where, fmt::format("channel '{}' has {} samples, a filter of order {} needs more than {}",
                             channel->name, channel->samples.rows(), options.order,
                             filter.default_padding()));
    }
    filter.ApplyZeroPhase(channel->samples);
    MarkDerived(*channel);
  }
}

void Processor::Differentiate(const std::string& name, AccelerationSource source, int half_width) {
  const std::string where = "/differentiate";
  const bool of_position = name == kJointVelocity || source == AccelerationSource::kPosition;
  const Channel& integral = Get(of_position ? kJointPosition : kJointVelocity, where);
  if (integral.samples.rows() < 2 * half_width + 1) {
    RefuseShort(
        where, fmt::format("channel '{}' has {} samples, a half-width of {} needs at least {}",
                           integral.name, integral.samples.rows(), half_width, 2 * half_width + 1));
  }
  const int derivative = of_position && name == kJointAcceleration ? 2 : 1;
  Channel derived{name,
                  UnitOfDerivative(name, integral.unit, of_position),
                  integral.time_s,
                  idbench::Differentiate(integral.time_s, integral.samples, derivative, half_width),
                  {},
                  integral.origin};
  MarkDerived(derived);
  if (Channel* present = Find(name)) {
    *present = std::move(derived);
  } else {
    channels_.push_back(std::move(derived));
  }
}

void Processor::DropEdges(double edge_s) {
  const std::string where = "/lowpass/drop_edges_s";
  const auto [first, last] = CommonTime(where);
  for (Channel& channel : channels_) {
    const Eigen::VectorXd& t = channel.time_s;
    const double slack = kSameTimeTolerance / NominalRate(t);
    const auto from = std::lower_bound(t.begin(), t.end(), first + edge_s - slack) - t.begin();
    const auto to = std::upper_bound(t.begin(), t.end(), last - edge_s + slack) - t.begin();
    if (to - from < 1) {
      RefuseShort(where,
                  fmt::format("{:.3g} s dropped at each end leave nothing of the {:.3g} s recorded",
                              edge_s, last - first),
                  {"record longer, raise the cut-off, or set drop_edges_s"});
    }
    KeepRows(channel, from, to - from);
  }
}

void Processor::Decimate(double rate_hz) {
  const std::string where = "/decimate_to_hz";
  for (Channel& channel : channels_) {
    const double ratio = UniformRate(channel, where) / rate_hz;
    const double factor = std::max(1.0, std::round(ratio));
    if (std::abs(ratio - factor) > kRateTolerance * factor) {
      Refuse(where,
             fmt::format("got {}, of which the {:.4g} Hz of '{}' are not a multiple", rate_hz,
                         ratio * rate_hz, channel.name),
             {fmt::format("near it: {:.4g}, {:.4g}", ratio * rate_hz / std::ceil(ratio),
                          ratio * rate_hz / std::max(1.0, std::floor(ratio)))});
    }
    const auto every = static_cast<Eigen::Index>(factor);
    channel.samples = idbench::Decimate(channel.samples, every);
    channel.time_s = idbench::Decimate(channel.time_s, every);
  }
}

Dataset Processor::Finish(std::optional<double> cutoff_hz) && {
  Dataset result = dataset_.WithoutChannels();
  result.recorded = RecordedTimeOf(dataset_);  // whatever was dropped
  for (Channel& channel : channels_) result.Add(std::move(channel));
  result.lowpass_cutoff_hz = dataset_.lowpass_cutoff_hz;
  if (cutoff_hz) {
    result.lowpass_cutoff_hz = std::min(*cutoff_hz, result.lowpass_cutoff_hz.value_or(*cutoff_hz));
  }
  return result;
}

}  // namespace

FieldTable Visit(LowpassOptions& options) {
  FieldTable table;
  table
      .Add("cutoff_hz", options.cutoff_hz,
           {.doc = "Half-power frequency of each of the two passes",
            .unit = "Hz",
            .lower = 0.0,
            .lower_open = true,
            .required = true})
      .Add("order", options.order,
           {.doc = "Order of each of the two passes", .lower = 1.0, .upper = 20.0})
      .Add("channels", options.channels,
           {.doc = "Channels to filter, \"wrench\" for those of all force/torque sensors; empty: "
                   "every measured one",
            .choices = KnownChannels()})
      .Add("drop_edges_s", options.drop_edges_s,
           {.doc = "Time dropped at each end; null: until the slowest mode has decayed to 1 %",
            .unit = "s",
            .lower = 0.0})
      .Check([&options](std::vector<Issue>& issues) {
        CheckRepeats(options.channels, "/channels", issues);
      });
  return table;
}

bool IsFiltered(const LowpassOptions& options, std::string_view channel, Origin origin) {
  if (options.channels.empty()) return origin == Origin::kMeasured;
  return std::ranges::any_of(options.channels,
                             [&](const std::string& name) { return Names(name, channel); });
}

FieldTable Visit(ProcessingOptions& options) {
  FieldTable table;
  table
      .Add("skip_samples", options.skip_samples,
           {.doc =
                "Samples dropped from the beginning of each channel; the experiment's time goes on "
                "counting from the first of them",
            .lower = 0.0})
      .Add("resample_rate_hz", options.resample_rate_hz,
           {.doc = "Rate of the uniform time vector that all channels are "
                   "resampled to; null: no resampling",
            .unit = "Hz",
            .lower = 0.0,
            .lower_open = true})
      .Add("interpolation", options.interpolation,
           {.doc = "Interpolation between samples when resampling"})
      .Add("lowpass", options.lowpass, {.doc = "Zero-phase Butterworth low-pass; null: none"})
      .Add("differentiate", options.differentiate,
           {.doc = "Channels to derive from joint_position after the low-pass",
            .choices = {std::string(kJointVelocity), std::string(kJointAcceleration)}})
      .Add("acceleration_from", options.acceleration_from,
           {.doc = "Channel that joint_acceleration is derived from: joint_position, or "
                   "joint_velocity as measured"})
      .Add("difference_half_width", options.difference_half_width,
           {.doc = "Samples on either side that a central difference spans", .lower = 1.0})
      .Add("decimate_to_hz", options.decimate_to_hz,
           {.doc = "Rate that remains when every k-th sample is kept; null: all are kept",
            .unit = "Hz",
            .lower = 0.0,
            .lower_open = true})
      .Check([&options](std::vector<Issue>& issues) {
        CheckRepeats(options.differentiate, "/differentiate", issues);
        CheckRates(options, issues);
        CheckAccelerationSource(options, issues);
      });
  return table;
}

Dataset Process(const Dataset& dataset, const ProcessingOptions& options) {
  Processor processor(dataset);
  processor.Skip(options.skip_samples);
  if (options.resample_rate_hz) {
    processor.Resample(*options.resample_rate_hz, options.interpolation);
  }
  if (options.lowpass) processor.Lowpass(*options.lowpass);
  for (const std::string& name : options.differentiate) {
    processor.Differentiate(name, options.acceleration_from, options.difference_half_width);
  }
  std::optional<double> cutoff_hz;
  if (options.lowpass) {
    const LowpassOptions& lowpass = *options.lowpass;
    cutoff_hz = lowpass.cutoff_hz;
    processor.DropEdges(lowpass.drop_edges_s.value_or(FilterEdge(lowpass.order, *cutoff_hz)));
  }
  if (options.decimate_to_hz) processor.Decimate(*options.decimate_to_hz);
  return std::move(processor).Finish(cutoff_hz);
}

}  // namespace idbench
