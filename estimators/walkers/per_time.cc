#include "estimators/walkers/per_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "estimators/interface/per_sample.h"

namespace idbench {
namespace {

/// Refuses both keys where the user gave both, and empties the present one where the former stands.
template <class Former>
void Settle(std::string_view key, std::string_view former, const std::optional<double>& unset,
            std::optional<double>& present, const std::optional<Former>& old,
            std::vector<Issue>& issues) {
  if (!old) return;
  if (present && present != unset) {
    issues.push_back({fmt::format("/{}", former),
                      fmt::format("is the former spelling of {}, which stands beside it", key),
                      {fmt::format("accepted here: one of them; {} holds at any rate", key)}});
    return;
  }
  present.reset();
}

}  // namespace

Eigen::Index Duration::CountAt(double Ts) const {
  if (samples) return *samples;
  return std::max<Eigen::Index>(1, std::lround(seconds.value_or(0.0) / Ts));
}

int LongestStep::CountAt(double Ts) const {
  if (per_sample) return *per_sample;
  // A period of one step may be longer by rounding.
  return std::max(1, static_cast<int>(std::ceil(Ts / *seconds * (1.0 - 1e-9))));
}

double CutOff::ShareAt(double Ts) const {
  if (of_nyquist) return *of_nyquist;
  return hz ? std::min(1.0, 2.0 * *hz * Ts) : 1.0;
}

void AddDuration(Duration& span, const DurationKeys& keys, FieldTable& table) {
  const std::string key(keys.key), former(keys.former);
  table
      .Add(
          key, span.seconds,
          {.doc = keys.doc + "; rounded to samples", .unit = "s", .lower = 0.0, .lower_open = true})
      .Add(former, span.samples,
           {.doc = fmt::format("Former spelling of {}, which changes its time with the rate", key),
            .unit = kSamples,
            .lower = static_cast<double>(keys.least_samples),
            .upper = static_cast<double>(keys.most_samples)})
      .Check([&span, key, former, unset = span.seconds,
              may_be_absent = keys.may_be_absent](std::vector<Issue>& issues) {
        Settle(key, former, unset, span.seconds, span.samples, issues);
        if (span.seconds || span.samples || may_be_absent) return;
        issues.push_back({"/" + key, "is missing", {"needed here: a time [s]"}});
      });
}

void AddLongestStep(LongestStep& step, FieldTable& table) {
  table
      .Add("longest_step_s", step.seconds,
           {.doc = "Longest step of the integration from sample to sample",
            .unit = "s",
            .lower = 1e-6})
      .Add("sub_steps", step.per_sample,
           {.doc = "Former spelling of longest_step_s: steps from sample to sample",
            .unit = kStepsASample,
            .lower = 1,
            .upper = 1000})
      .Check([&step, unset = step.seconds](std::vector<Issue>& issues) {
        Settle("longest_step_s", "sub_steps", unset, step.seconds, step.per_sample, issues);
        if (step.seconds || step.per_sample) return;
        issues.push_back({"/longest_step_s", "is missing", {"needed here: a time [s]"}});
      });
}

void AddCutOff(CutOff& cut_off, std::string_view use, FieldTable& table) {
  table
      .Add("half_power_hz", cut_off.hz,
           {.doc = fmt::format("Half-power frequency of each of the low-pass's two passes{}; null, "
                               "or one that is not below half the sample rate: no low-pass",
                               use),
            .unit = "Hz",
            .lower = 0.0,
            .lower_open = true})
      .Add(
          "half_power", cut_off.of_nyquist,
          {.doc = "Former spelling of half_power_hz, relative to half the sample rate, so that its "
                  "frequency changes with the rate; 1 switches the low-pass off",
           .unit = kOfHalfTheRate,
           .lower = 0.0,
           .upper = 1.0,
           .lower_open = true})
      .Check([&cut_off, unset = cut_off.hz](std::vector<Issue>& issues) {
        Settle("half_power_hz", "half_power", unset, cut_off.hz, cut_off.of_nyquist, issues);
      });
}

}  // namespace idbench
