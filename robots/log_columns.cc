#include "robots/log_columns.h"

#include <algorithm>
#include <vector>

#include "scenarios/options/config_error.h"
#include "scenarios/options/name_pattern.h"

namespace idbench {
namespace {

template <class T>
void CheckChannels(const Labelled<T>& values, const std::string& key, std::vector<Issue>& issues) {
  for (const auto& [channel, value] : values) {
    if (std::ranges::find(kIdentifyingChannels, channel) != kIdentifyingChannels.end()) continue;
    issues.push_back(
        {PointerTo(key, channel), "no channel that a robot is identified from",
         AcceptedNames(channel, {kIdentifyingChannels.begin(), kIdentifyingChannels.end()})});
  }
}

}  // namespace

FieldTable Visit(LogColumns& o) {
  FieldTable table;
  table
      .Add("columns", o.columns,
           {.doc = "Columns by channel, as a pattern: {\"motor_position\": \"Joint_{1..6}\"}"})
      .Add("units", o.units, {.doc = "Units of columns whose names do not say them, by channel"})
      .Add("rate_hz", o.rate_hz,
           {.doc = "Rate of equally spaced rows, of logs without a column of time",
            .unit = "Hz",
            .lower = 0.0,
            .lower_open = true})
      .Add("factors", o.factors,
           {.doc = "Factors of columns, by channel: one number, or one of each joint"})
      .Add(
          "offsets", o.offsets,
          {.doc =
               "Offsets of columns behind the factors, in SI units, by channel: one number, or one "
               "of each joint"})
      .Check([&o](std::vector<Issue>& issues) {
        CheckChannels(o.columns, "/columns", issues);
        for (const auto& [channel, pattern] : o.columns) {
          std::string problem;
          ExpandPattern(pattern, problem);
          if (!problem.empty()) issues.push_back({PointerTo("/columns", channel), problem, {}});
        }
        CheckChannels(o.units, "/units", issues);
        CheckChannels(o.factors, "/factors", issues);
        CheckChannels(o.offsets, "/offsets", issues);
      });
  return table;
}

}  // namespace idbench
