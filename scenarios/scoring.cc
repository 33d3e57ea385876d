#include "scenarios/scoring.h"

namespace idbench {

FieldTable Visit(ScoringOptions& o) {
  FieldTable table;
  table
      .Add("smoothing", o.smoothing,
           {.doc = "Filter of measured and predicted torques, wrenches and duty cycles, and of the "
                   "states of the prediction, before they are compared: a zero-phase Butterworth "
                   "low-pass (lowpass), or none"})
      .Add("cutoff_hz", o.cutoff_hz,
           {.doc = "Half-power frequency of a single pass; null: 20 times the motion's band, found "
                   "from the positions for identification, or lower where their noise prevails",
            .unit = "Hz",
            .lower = 0.0,
            .lower_open = true})
      .Add("order", o.order, {.doc = "Order of a single pass", .lower = 1.0, .upper = 20.0})
      .Add("torque", o.torque,
           {.doc = "Torque, wrench and duty cycle that scores compare with: as measured, whatever "
                   "low-pass /processing has (measured), or as estimators get it (processed)"});
  return table;
}

std::vector<Issue> CheckScoring(const ScoringOptions& options, bool simulated) {
  if (options.smoothing == ScoreSmoothing::kNone) {
    if (!options.cutoff_hz) return {};
    return {{"/scoring/cutoff_hz", "has no meaning with the smoothing \"none\"", {"remove it"}}};
  }
  if (!simulated || options.cutoff_hz) return {};
  return {{"/scoring/cutoff_hz",
           "missing",
           {"a simulation states it: what a rule finds of noisy positions would differ from trial "
            "to trial"}}};
}

}  // namespace idbench
