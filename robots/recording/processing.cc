#include "robots/recording/processing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <variant>

#include "robots/recording/differentiate.h"
#include "robots/recording/filter.h"
#include "robots/recording/resample.h"

namespace idbench {
namespace {

constexpr double kRateTolerance = 0.01;
constexpr double kLeastResampleShare = 0.9;
/// Steps of a recording may be that much longer than the nominal one where it is resampled
/// causally.
constexpr double kLongestStep = 1.1;
/// Digits of the nominal rate that rounding of stamps does not reach.
constexpr double kRateDigits = 1e9;

/// The rate to kRateDigits: how many of uniform stamps there are does not change it.
double Rounded(double rate_hz) {
  const double unit = std::pow(10.0, std::floor(std::log10(rate_hz))) / kRateDigits;
  return std::round(rate_hz / unit) * unit;
}

/// Steps of the new rate by which causal resampling looks back.
/// @param recorded_hz  rate of the slowest channel, rounded.
Eigen::Index ResamplingDelay(double rate_hz, double recorded_hz, Interpolation interpolation) {
  const double samples = interpolation == Interpolation::kCubic ? 2.0 : 1.0;
  const double steps = kLongestStep * samples * rate_hz / recorded_hz;
  return static_cast<Eigen::Index>(std::ceil(steps - kSameTimeTolerance));
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

/// Samples at the beginning of which differences are not of samples about them alone or, of windows
/// that end, of samples that were there.
int BeforeFirstDifference(const ProcessingOptions& options) {
  const auto* windows = std::get_if<AdaptiveWindowOptions>(&options.difference);
  if (windows == nullptr || windows->window == WindowPlace::kCentred) {
    return DifferenceReach(options);
  }
  int order = 0;
  for (const std::string& name : options.differentiate) {
    order = std::max(order, DerivativeOfPosition(name));
  }
  return order;
}

/// The steps of Process(), each on all channels.
class Processor {
 public:
  explicit Processor(const Dataset& dataset) : dataset_(dataset), channels_(dataset.channels()) {}

  void CheckTogether(const std::string& where) const;
  void Skip(Eigen::Index count);
  void Shift(const TimeShift& shift_s);
  void Resample(double rate_hz, Interpolation interpolation);
  void ResampleCausally(double rate_hz, Interpolation interpolation);
  void Lowpass(const ProcessingOptions& options);
  void Differentiate(const std::string& name, const ProcessingOptions& processing);
  void Delay(Eigen::Index samples, Eigen::Index dropped);
  void DropEdges(double begin_s, double end_s);
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

  Eigen::MatrixXd DerivativeOf(const Channel& integral, int derivative,
                               const ProcessingOptions& processing) const;
  double UniformRate(const Channel& channel, const std::string& where) const;
  Eigen::VectorXd CheckedResampling(double rate_hz) const;
  void ReadBack(Channel& channel, const Eigen::VectorXd& time_s, Eigen::Index delay,
                Interpolation interpolation) const;
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

void Processor::Shift(const TimeShift& shift_s) {
  for (Channel& channel : channels_) {
    if (shift_s[channel.name]) channel.time_s.array() += *shift_s[channel.name];
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

/// The common time vector. Refuses rates that alias.
Eigen::VectorXd Processor::CheckedResampling(double rate_hz) const {
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
  return UniformTime(first, last, rate_hz);
}

void Processor::Resample(double rate_hz, Interpolation interpolation) {
  const Eigen::VectorXd time_s = CheckedResampling(rate_hz);
  for (Channel& channel : channels_) {
    if (IsSameTime(channel.time_s, time_s)) continue;
    channel.samples = Interpolate(channel.time_s, channel.samples, time_s, interpolation);
    channel.time_s = time_s;
    MarkDerived(channel);
  }
}

/// Sets the channel to what it was `delay` steps before each instant from time_s[delay] on.
void Processor::ReadBack(Channel& channel, const Eigen::VectorXd& time_s, Eigen::Index delay,
                         Interpolation interpolation) const {
  const Eigen::VectorXd& recorded_s = channel.time_s;
  const Eigen::Index size = time_s.size() - delay;
  const Eigen::Index more = interpolation == Interpolation::kCubic ? 2 : 1;
  const double slack = kSameTimeTolerance * (time_s[1] - time_s[0]);
  for (Eigen::Index m = 0; m < size; ++m) {
    const auto after = std::upper_bound(recorded_s.begin(), recorded_s.end(), time_s[m] + slack);
    const Eigen::Index last = after - recorded_s.begin() - 1 + more;
    if (last < recorded_s.size() && recorded_s[last] <= time_s[m + delay] + slack) continue;
    Refuse(
        "/resample_rate_hz",
        fmt::format("'{}' has steps near {:.4g} s that are more than {:.0f} % longer than usual: "
                    "causal resampling would have to look ahead",
                    channel.name, time_s[m], 100.0 * (kLongestStep - 1.0)),
        {"let sensors hold what they lose (dropout \"hold\"), or leave out causal"});
  }
  channel.samples =
      Interpolate(recorded_s, channel.samples, time_s.head(size).eval(), interpolation);
  channel.time_s = time_s.tail(size);
  MarkDerived(channel);
}

void Processor::ResampleCausally(double rate_hz, Interpolation interpolation) {
  const Eigen::VectorXd time_s = CheckedResampling(rate_hz);
  const auto is_there = [&](const Channel& channel) { return IsSameTime(channel.time_s, time_s); };
  if (std::ranges::all_of(channels_, is_there)) return;
  double slowest_hz = rate_hz;
  for (const Channel& channel : channels_) {
    slowest_hz = std::min(slowest_hz, Rounded(NominalRate(channel.time_s)));
  }
  const Eigen::Index delay = ResamplingDelay(rate_hz, slowest_hz, interpolation);
  if (time_s.size() < delay + 2) {
    RefuseShort("/resample_rate_hz",
                fmt::format("causal resampling looks back by {} steps, and there are {} instants",
                            delay, time_s.size()));
  }
  for (Channel& channel : channels_) ReadBack(channel, time_s, delay, interpolation);
}

/// Refuses channels of which one cannot be delayed as another one is.
void Processor::CheckTogether(const std::string& where) const {
  for (const Channel& channel : channels_) {
    if (IsSameTime(channel.time_s, channels_.front().time_s)) continue;
    Refuse(where,
           fmt::format("'{}' and '{}' have time stamps of their own, and causal processing delays "
                       "all channels alike",
                       channels_.front().name, channel.name),
           {"set resample_rate_hz"});
  }
}

/// Stamps stay, and samples move back: stamp i gets sample i − `samples`. At the end what only
/// one-sided differences would give goes.
/// @param dropped  samples at the beginning that are no differences of what was there.
void Processor::Delay(Eigen::Index samples, Eigen::Index dropped) {
  for (Channel& channel : channels_) {
    const Eigen::Index size = channel.time_s.size() - samples - dropped;
    channel.samples = channel.samples.middleRows(dropped, size).eval();
    channel.time_s = channel.time_s.tail(size).eval();
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

void Processor::Lowpass(const ProcessingOptions& processing) {
  const std::string where = "/lowpass";
  const LowpassOptions& options = *processing.lowpass;
  for (const std::string& name : options.channels) {
    const bool there = std::ranges::any_of(
        channels_, [&](const Channel& channel) { return IsNamed(name, channel.name); });
    if (!there) Get(name, where + "/channels");  // says which there are
  }
  std::vector<Channel*> filtered;
  for (Channel& channel : channels_) {
    const Origin recorded = dataset_.Find(channel.name)->origin;
    if (IsFiltered(processing, channel.name, recorded)) filtered.push_back(&channel);
  }
  if (filtered.empty()) {
    Refuse(where, "there is no measured channel",
           {"name those to be filtered: \"channels\": [\"joint_position\"]"});
  }
  for (Channel* channel : filtered) {
    const double exact_hz = UniformRate(*channel, where);
    const double rate_hz = processing.causal ? Rounded(exact_hz) : exact_hz;
    if (options.cutoff_hz >= 0.5 * rate_hz) {
      Refuse(where + "/cutoff_hz",
             fmt::format("got {}, but '{}' was sampled at {:.4g} Hz", options.cutoff_hz,
                         channel->name, rate_hz),
             {"less than half the rate is accepted"});
    }
    const ButterworthLowpass filter(options.order, options.cutoff_hz, rate_hz);
    if (!processing.causal && channel->samples.rows() <= filter.default_padding()) {
      RefuseShort(
          where, fmt::format("channel '{}' has {} samples, a filter of order {} needs more than {}",
                             channel->name, channel->samples.rows(), options.order,
                             filter.default_padding()));
    }
    if (processing.causal) {
      filter.ApplyCausal(channel->samples);
    } else {
      filter.ApplyZeroPhase(channel->samples);
    }
    MarkDerived(*channel);
  }
}

/// The channel's derivative: by central differences, or by adaptive windows.
Eigen::MatrixXd Processor::DerivativeOf(const Channel& integral, int derivative,
                                        const ProcessingOptions& processing) const {
  const auto* windows = std::get_if<AdaptiveWindowOptions>(&processing.difference);
  const Eigen::Index size = integral.samples.rows();
  if (windows == nullptr) {
    const int half_width = processing.difference_half_width;
    if (size < 2 * half_width + 1) {
      RefuseShort("/differentiate",
                  fmt::format("channel '{}' has {} samples, a half-width of {} needs at least {}",
                              integral.name, size, half_width, 2 * half_width + 1));
    }
    return idbench::Differentiate(integral.time_s, integral.samples, derivative, half_width);
  }
  const std::size_t counts = windows->count_rad.values.size();
  if (counts != 1 && !std::cmp_equal(counts, integral.samples.cols())) {
    Refuse("/difference/count_rad",
           fmt::format("got a list of {}, but '{}' has {} columns", counts, integral.name,
                       integral.samples.cols()),
           {"accepted here: one number, or a list with one for each joint"});
  }
  const int reach = processing.causal ? DifferenceReach(processing) : 1;
  const Eigen::Index needed = std::max(2 * reach + 1, 3);
  if (size < needed) {
    RefuseShort("/differentiate", fmt::format("channel '{}' has {} samples, adaptive windows need "
                                              "at least {}",
                                              integral.name, size, needed));
  }
  return DifferentiateAdaptively(integral.time_s, integral.samples, derivative,
                                 BandOf(*windows, derivative, integral.samples.cols()),
                                 WindowOf(*windows, derivative));
}

void Processor::Differentiate(const std::string& name, const ProcessingOptions& processing) {
  const bool of_position =
      name == kJointVelocity || processing.acceleration_from == AccelerationSource::kPosition;
  const Channel& integral = Get(of_position ? kJointPosition : kJointVelocity, "/differentiate");
  const int derivative = of_position ? DerivativeOfPosition(name) : 1;
  Channel derived{name,
                  UnitOfDerivative(name, integral.unit, of_position),
                  integral.time_s,
                  DerivativeOf(integral, derivative, processing),
                  {},
                  integral.origin};
  MarkDerived(derived);
  if (Channel* present = Find(name)) {
    *present = std::move(derived);
  } else {
    channels_.push_back(std::move(derived));
  }
}

void Processor::DropEdges(double begin_s, double end_s) {
  const std::string where = "/lowpass/drop_edges_s";
  const auto [first, last] = CommonTime(where);
  for (Channel& channel : channels_) {
    const Eigen::VectorXd& t = channel.time_s;
    const double slack = kSameTimeTolerance / NominalRate(t);
    const auto from = std::lower_bound(t.begin(), t.end(), first + begin_s - slack) - t.begin();
    const auto to = std::upper_bound(t.begin(), t.end(), last - end_s + slack) - t.begin();
    if (to - from < 1) {
      RefuseShort(where,
                  fmt::format("{:.3g} s dropped at {} leave nothing of the {:.3g} s recorded",
                              begin_s, end_s > 0.0 ? "each end" : "the beginning", last - first),
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

Dataset Process(const Dataset& dataset, const ProcessingOptions& options) {
  Processor processor(dataset);
  processor.Skip(options.skip_samples);
  processor.Shift(options.shift_s);
  if (options.resample_rate_hz && options.causal) {
    processor.ResampleCausally(*options.resample_rate_hz, options.interpolation);
  } else if (options.resample_rate_hz) {
    processor.Resample(*options.resample_rate_hz, options.interpolation);
  }
  if (options.causal && options.lowpass) processor.CheckTogether("/lowpass");
  if (options.lowpass) processor.Lowpass(options);
  const bool delays = options.causal && !options.differentiate.empty();
  if (delays) processor.CheckTogether("/differentiate");
  for (const std::string& name : options.differentiate) {
    processor.Differentiate(name, options);
  }
  if (delays) processor.Delay(DifferenceReach(options), BeforeFirstDifference(options));
  std::optional<double> cutoff_hz;
  if (options.lowpass) {
    const LowpassOptions& lowpass = *options.lowpass;
    cutoff_hz = lowpass.cutoff_hz;
    const double edge_s = lowpass.drop_edges_s.value_or(FilterEdge(lowpass.order, *cutoff_hz));
    processor.DropEdges(edge_s, options.causal ? 0.0 : edge_s);
  }
  if (options.decimate_to_hz) processor.Decimate(*options.decimate_to_hz);
  return std::move(processor).Finish(cutoff_hz);
}

double CausalDelay(const ProcessingOptions& options, double rate_hz) {
  if (!options.causal) return 0.0;
  double delay_s = 0.0;
  if (options.resample_rate_hz &&
      std::abs(*options.resample_rate_hz / rate_hz - 1.0) > kSameTimeTolerance) {
    const double new_hz = *options.resample_rate_hz;
    delay_s += static_cast<double>(
                   ResamplingDelay(new_hz, std::min(rate_hz, new_hz), options.interpolation)) /
               new_hz;
    rate_hz = new_hz;
  }
  if (options.lowpass) {
    delay_s +=
        ButterworthLowpass(options.lowpass->order, options.lowpass->cutoff_hz, rate_hz).delay_s();
  }
  delay_s += DifferenceReach(options) / rate_hz;
  return delay_s;
}

}  // namespace idbench
