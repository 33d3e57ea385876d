#include "scenarios/motion/options.h"

#include <fmt/format.h>

namespace idbench {

FieldTable Visit(ExactReplayOptions&) { return {}; }

FieldTable Visit(SequenceOptions& options) {
  FieldTable table;
  table
      .Add("parts", options.parts,
           {.doc = "Motions one after the other, each of any type but sequence, with its own "
                   "duration; a single way point with dwell_s is rest",
            .required = true})
      .Add("blend_s", options.blend_s,
           {.doc = "Duration of the quintic blend between two parts, which has position, velocity "
                   "and acceleration of both; it comes on top of their durations",
            .unit = "s",
            .lower = 0,
            .lower_open = true})
      .Check([&options](std::vector<Issue>& issues) {
        if (options.parts.size() >= 2) return;
        issues.push_back({"/parts",
                          fmt::format("got a list of {}", options.parts.size()),
                          {"give at least two motions; one alone needs no sequence"}});
      });
  return table;
}

}  // namespace idbench
