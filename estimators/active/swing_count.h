#pragma once

#include "estimators/active/swing.h"
#include "estimators/active/upright_method.h"

namespace idbench {

/// Diagnostic: periods of the first link in the declared duration of a swing.
inline constexpr const char* kSwingPeriods = "swing_periods";

struct SwingCountOptions {
  SwingOptions swing = {.push_rad_s = 0.01};
  PushDirection push = PushDirection::kLowestMode;
  double factor = 1.01;

  bool operator==(const SwingCountOptions&) const = default;
};
FieldTable Visit(SwingCountOptions& options);

/// One swing under `factor` times the gravity and inertias of the prior: what the natural
/// oscillation of a robot shows, without a search. Counts the periods of the first link, see
/// SwingFrequency(); a robot that fell has none. Estimates nothing: x is the prior's mean.
/// Source: Jamisola & Dadios, A Novel Dynamics Identification Method for Rigid-Body
/// Manipulators, tables I to III.
class SwingCount : public UprightMethod<SwingCountOptions> {
 public:
  double least_use_s() const override { return options_.swing.duration_s; }

 protected:
  Estimate Experiment(const Problem& problem, Plant& plant) override;
};

}  // namespace idbench
