#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "robots/recording/processing.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

std::vector<std::string> KnownChannels() {
  std::vector<std::string> names;
  for (const ChannelInfo& channel : kDataChannels) names.emplace_back(channel.name);
  return names;
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

void CheckCausal(const ProcessingOptions& options, std::vector<Issue>& issues) {
  if (!options.causal || !options.lowpass || options.lowpass->channels.empty()) return;
  issues.push_back({"/lowpass/channels",
                    "has no meaning with causal: one filter delays all channels alike, so that "
                    "the equations of a row hold between them",
                    {"remove it"}});
}

void CheckShift(const ProcessingOptions& options, std::vector<Issue>& issues) {
  if (!options.shift_s.any()) return;
  if (!options.resample_rate_hz) {
    issues.push_back({"/shift_s",
                      "moves channels on their clocks, so that they no longer share their stamps",
                      {"set resample_rate_hz too"}});
  }
  if (!options.causal) return;
  for (const std::string_view name : options.shift_s.names()) {
    if (options.shift_s[name].value_or(0.0) >= 0.0) continue;
    issues.push_back({PointerTo("/shift_s", name),
                      "is negative, so that causal data would be had before they were there",
                      {"delay the other channels instead"}});
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

void CheckDifference(const ProcessingOptions& options, std::vector<Issue>& issues) {
  if (!std::holds_alternative<AdaptiveWindowOptions>(options.difference)) return;
  if (options.differentiate.empty()) {
    issues.push_back({"/difference",
                      "differentiate is empty, so that nothing is derived",
                      {"list joint_velocity or joint_acceleration there, or remove this"}});
  }
  if (options.difference_half_width != ProcessingOptions().difference_half_width) {
    issues.push_back({"/difference_half_width",
                      "has no meaning with adaptive windows, see difference",
                      {"remove it"}});
  }
  if (options.acceleration_from != AccelerationSource::kPosition) {
    issues.push_back({"/acceleration_from",
                      "is joint_velocity, but the counts of adaptive windows are of positions",
                      {"remove it, or set difference to {\"type\": \"central\"}"}});
  }
}

}  // namespace

FieldTable Visit(CentralDifferenceOptions&) { return {}; }

FieldTable Visit(LowpassOptions& options) {
  FieldTable table;
  table
      .Add("cutoff_hz", options.cutoff_hz,
           {.doc = "Half-power frequency of each of the two passes, or of the causal one",
            .unit = "Hz",
            .lower = 0.0,
            .lower_open = true,
            .required = true})
      .Add("order", options.order, {.doc = "Order of each pass", .lower = 1.0, .upper = 20.0})
      .Add("channels", options.channels,
           {.doc = "Channels to filter, \"wrench\" for those of all force/torque sensors; empty: "
                   "every measured one; of a causal low-pass always all",
            .choices = KnownChannels()})
      .Add("drop_edges_s", options.drop_edges_s,
           {.doc = "Time dropped at each end, of a causal low-pass at the beginning; null: until "
                   "the slowest mode has decayed to 1 %",
            .unit = "s",
            .lower = 0.0})
      .Check([&options](std::vector<Issue>& issues) {
        CheckRepeats(options.channels, "/channels", issues);
      });
  return table;
}

bool TimeShift::any() const {
  return std::ranges::any_of(
      names(), [this](std::string_view name) { return (*this)[name].value_or(0.0) != 0.0; });
}

FieldTable Visit(TimeShift& shift) {
  FieldTable table;
  for (const ChannelInfo& channel : kDataChannels) {
    const FieldInfo info = {.doc = fmt::format("Time added to the stamps of {}{}", channel.name,
                                               channel.several ? ", by the name of its place" : ""),
                            .unit = "s"};
    if (channel.several) {
      table.Add(channel.name, shift.PlacesOf(channel), info);
    } else {
      table.Add(channel.name, shift[channel.name], info);
    }
  }
  RefuseTruth(table);
  return table;
}

bool IsNamed(std::string_view name, std::string_view channel) {
  return name == channel || IsOfKind(channel, name);
}

FieldTable Visit(ProcessingOptions& options) {
  FieldTable table;
  table
      .Add("causal", options.causal,
           {.doc = "Data as they could be had at each instant: the low-pass in one pass, over all "
                   "channels, and differences and resampling of what was there, with all channels "
                   "late by the same time; for online methods that are tracked"})
      .Add("skip_samples", options.skip_samples,
           {.doc =
                "Samples dropped from the beginning of each channel; the experiment's time goes on "
                "counting from the first of them",
            .lower = 0.0})
      .Add("shift_s", options.shift_s,
           {.doc = "Times that are added to the stamps of channels: half a step for a torque that "
                   "is held over the step behind its stamp, less than 0 for a sensor that is late; "
                   "needs resample_rate_hz"})
      .Add("resample_rate_hz", options.resample_rate_hz,
           {.doc = "Rate of the uniform time vector that all channels are "
                   "resampled to; null: no resampling",
            .unit = "Hz",
            .lower = 0.0,
            .lower_open = true})
      .Add("interpolation", options.interpolation,
           {.doc = "Interpolation between samples when resampling"})
      .Add("lowpass", options.lowpass,
           {.doc = "Butterworth low-pass, of zero phase unless causal; null: none"})
      .Add("differentiate", options.differentiate,
           {.doc = "Channels to derive from joint_position after the low-pass",
            .choices = {std::string(kJointVelocity), std::string(kJointAcceleration)}})
      .Add("acceleration_from", options.acceleration_from,
           {.doc = "Channel that joint_acceleration is derived from: joint_position, or "
                   "joint_velocity as measured"})
      .Add("difference", options.difference,
           {.doc = "Way of differentiating: central differences over difference_half_width, or "
                   "fits over windows that adapt to the speed, for positions in coarse steps"})
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
        CheckCausal(options, issues);
        CheckShift(options, issues);
        CheckAccelerationSource(options, issues);
        CheckDifference(options, issues);
      });
  return table;
}

bool IsFiltered(const ProcessingOptions& options, std::string_view channel, Origin origin) {
  if (!options.lowpass) return false;
  const std::vector<std::string>& named = options.lowpass->channels;
  if (named.empty()) return options.causal || origin == Origin::kMeasured;
  return std::ranges::any_of(named,
                             [&](const std::string& name) { return IsNamed(name, channel); });
}

int DerivativeOfPosition(std::string_view name) { return name == kJointAcceleration ? 2 : 1; }

int DifferenceReach(const ProcessingOptions& options) {
  const auto* windows = std::get_if<AdaptiveWindowOptions>(&options.difference);
  if (options.differentiate.empty()) return 0;
  if (windows == nullptr) return options.difference_half_width;
  if (windows->window == WindowPlace::kEnding) return 0;
  int reach = 0;
  for (const std::string& name : options.differentiate) {
    reach = std::max(reach, WindowOf(*windows, DerivativeOfPosition(name)).reach());
  }
  return reach;
}

bool LooksAhead(const ProcessingOptions& options) {
  return !options.causal &&
         (options.lowpass || options.resample_rate_hz || DifferenceReach(options) > 0);
}

}  // namespace idbench
