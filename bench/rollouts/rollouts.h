#pragma once

#include <string>

#include "bench/rollouts/motion_store.h"
#include "bench/rollouts/once_per_key.h"
#include "bench/rollouts/recipe.h"

namespace idbench {

/// Roll-outs that are the same for all trials, simulated once and shared by all cells with the same
/// recipe, and the motions that they are made of.
///
/// Grows with the number of different roll-outs, not of trials. Safe to use from several threads.
class RolloutStore {
 public:
  /// What Simulate() makes of the recipe; the first caller runs it, others wait for it.
  /// What it throws is passed on, and the next caller tries again.
  const Signals& Get(const Recipe& recipe) {
    return signals_.Get(KeyOf(recipe), [&recipe] { return Simulate(recipe); });
  }
  MotionStore& motions() { return motions_; }

 private:
  OncePerKey<Signals> signals_;
  MotionStore motions_;
};

}  // namespace idbench
